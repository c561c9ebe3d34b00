/** Sums of hashes of rows: the same for the same rows, in any order. */
import { hash } from 'node:crypto';

/** The length of a SHA-256 in words of 32 bits. */
const WORDS = 8;

interface Sum {
  rows: number;
  readonly words: Uint32Array;
}

export type Digests = ReturnType<typeof createDigests>;

export function createDigests() {
  const sums = new Map<string, Sum>();

  function of(name: string): Sum {
    return sums.getOrInsertComputed(name, () => ({ rows: 0, words: new Uint32Array(WORDS) }));
  }

  function byName<Value>(value: (sum: Sum) => Value): Readonly<Record<string, Value>> {
    return Object.fromEntries([...sums].map(([name, sum]) => [name, value(sum)]));
  }

  return {
    /** Adds a row, as its line of JSON, to the digest of that name. */
    add(name: string, line: string): void {
      const sum = of(name);
      const digest = hash('sha256', line, 'buffer');
      let carry = 0;
      for (let at = WORDS - 1; at >= 0; at--) {
        const word = (sum.words[at] as number) + digest.readUInt32BE(4 * at) + carry;
        sum.words[at] = word;
        carry = word > 0xffff_ffff ? 1 : 0;
      }
      sum.rows += 1;
    },
    /** Counts none by that name, unless there are some. */
    begin(name: string): void {
      of(name);
    },
    get rows(): Readonly<Record<string, number>> {
      return byName(({ rows }) => rows);
    },
    get digests(): Readonly<Record<string, string>> {
      return byName(({ words }) =>
        [...words].map((word) => word.toString(16).padStart(8, '0')).join(''),
      );
    },
  };
}

/** A row as its line of JSON. Sources that are unknown are left out. */
export function rowLine(row: object): string {
  if (!('created_by' in row || 'changed_by' in row)) return JSON.stringify(row);
  const { created_by, changed_by, ...rest } = row as Readonly<Record<string, unknown>>;
  const known = { created_by: created_by ?? undefined, changed_by: changed_by ?? undefined };
  return JSON.stringify({ ...rest, ...known });
}
