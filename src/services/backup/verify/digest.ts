/** Sums of hashes of rows: the same for the same rows, in any order. */
import { hash } from 'node:crypto';
import type { Batches } from '../../../store/promises/snapshot.ts';
import type { Part } from '../parts.ts';

/** The length of a SHA-256 in words of 32 bits. */
const WORDS = 8;

export function createDigests() {
  const sums = new Map<string, { rows: number; readonly words: Uint32Array }>();

  function begin(name: string) {
    return sums.getOrInsertComputed(name, () => ({ rows: 0, words: new Uint32Array(WORDS) }));
  }

  function add(name: string, line: string): void {
    const sum = begin(name);
    const digest = hash('sha256', line, 'buffer');
    let carry = 0;
    for (let at = WORDS - 1; at >= 0; at--) {
      const word = (sum.words[at] as number) + digest.readUInt32BE(4 * at) + carry;
      sum.words[at] = word;
      carry = word > 0xffff_ffff ? 1 : 0;
    }
    sum.rows += 1;
  }

  return {
    /** Counts none by that name, unless there are some. */
    begin,
    /** Adds a row, as its line of JSON, to the digest of that name. */
    add,
    /** Adds the rows of a part, and passes them on. */
    async *of<Row extends object>({ name, counted }: Part, rows: Batches<Row>): Batches<Row> {
      begin(name);
      for await (const batch of rows) {
        for (const row of batch) add(counted?.(row) ?? name, rowLine(row));
        yield batch;
      }
    },
    get rows(): Readonly<Record<string, number>> {
      return Object.fromEntries([...sums].map(([name, { rows }]) => [name, rows]));
    },
    get digests(): Readonly<Record<string, string>> {
      const text = (word: number): string => word.toString(16).padStart(8, '0');
      return Object.fromEntries(
        [...sums].map(([name, { words }]) => [name, Array.from(words, text).join('')]),
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
