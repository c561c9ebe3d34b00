/** Sums of hashes of rows: the same for the same rows, in any order. */
import { hash } from 'node:crypto';

/** The length of a SHA-256 in words of 32 bits. */
const WORDS = 8;

interface Sum {
  rows: number;
  readonly words: Uint32Array;
}

export class Digests {
  readonly #sums = new Map<string, Sum>();

  /** Adds a row, as its line of JSON, to the digest of that name. */
  add(name: string, line: string): void {
    const sum = this.#of(name);
    const digest = hash('sha256', line, 'buffer');
    let carry = 0;
    for (let at = WORDS - 1; at >= 0; at--) {
      const word = (sum.words[at] as number) + digest.readUInt32BE(4 * at) + carry;
      sum.words[at] = word;
      carry = word > 0xffff_ffff ? 1 : 0;
    }
    sum.rows += 1;
  }

  /** Counts none by that name, unless there are some. */
  begin(name: string): void {
    this.#of(name);
  }

  get rows(): Readonly<Record<string, number>> {
    return this.#byName(({ rows }) => rows);
  }

  /** Hexadecimal digits. */
  get digests(): Readonly<Record<string, string>> {
    return this.#byName(({ words }) =>
      [...words].map((word) => word.toString(16).padStart(8, '0')).join(''),
    );
  }

  #of(name: string): Sum {
    let sum = this.#sums.get(name);
    if (sum === undefined) {
      sum = { rows: 0, words: new Uint32Array(WORDS) };
      this.#sums.set(name, sum);
    }
    return sum;
  }

  #byName<Value>(value: (sum: Sum) => Value): Readonly<Record<string, Value>> {
    return Object.fromEntries([...this.#sums].map(([name, sum]) => [name, value(sum)]));
  }
}

/** A row as its line of JSON. Sources that are unknown are left out. */
export function rowLine(row: object): string {
  if (!('created_by' in row || 'changed_by' in row)) return JSON.stringify(row);
  const { created_by, changed_by, ...rest } = row as Readonly<Record<string, unknown>>;
  return JSON.stringify({
    ...rest,
    ...(created_by == null ? {} : { created_by }),
    ...(changed_by == null ? {} : { changed_by }),
  });
}
