/** Marks of records that a sync has seen: 64 bits of each, so that millions take little memory. */

import type { StoredSync } from '../../core/objects/transfer/sync.ts';
import type { SeenRecord } from '../../records/ingest/seen.ts';
import type { SyncBook } from '../../store/books/feeds/syncs.ts';
import type { SeenMarks, SyncName } from '../../store/promises/account-book.ts';

/** About how many marks are in memory while records are compared with them. */
const AT_ONCE = 1_000_000;

/**
 * 32 bits are of the record's identifier, and 32 of its parent: 0 for a row that could not be read, which names none. Where
 * two records share a mark, one that was left out may stay; none is ever removed for it.
 */
export function markOf({ parent, external_identifier }: SeenRecord): bigint {
  const below = parent === undefined ? 0 : bitsOf(`${parent}\0${external_identifier}`) || 1;
  return (BigInt(below) << 32n) | BigInt(bitsOf(external_identifier));
}

function bitsOf(text: string): number {
  let bits = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    bits = Math.imul(bits ^ text.charCodeAt(at), 0x01000193);
  }
  // Spreads each bit over all of them.
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

interface Group {
  waiting: bigint[];
  next: Promise<boolean> | undefined;
  writing: Promise<unknown>;
}

/** Stores marks in groups: those that arrive while others are being stored go together after them. */
export class SeenGroups {
  readonly #syncs: Pick<SyncBook, 'see'>;
  readonly #groups = new Map<string, Group>();

  constructor(syncs: Pick<SyncBook, 'see'>) {
    this.#syncs = syncs;
  }

  /** As `see` of the book. */
  see(sync: SyncName, marks: readonly bigint[]): Promise<boolean> {
    const id = sync.unique_identifier;
    const group = this.#groups.getOrInsertComputed(id, () => {
      return { waiting: [], next: undefined, writing: Promise.resolve() };
    });
    for (const mark of marks) group.waiting.push(mark);
    group.next ??= group.writing.then(async () => {
      // All that arrive in this tick of the event loop go with the first.
      await new Promise(setImmediate);
      const all = BigUint64Array.from(group.waiting.splice(0));
      group.next = undefined;
      const writing = this.#syncs.see(sync, all);
      group.writing = writing.then(
        () => this.#ended(id, group),
        () => this.#ended(id, group),
      );
      return writing;
    });
    return group.next;
  }

  #ended(id: string, group: Group): void {
    if (group.next === undefined) this.#groups.delete(id);
  }
}

/** The marks of a part of all records. */
export interface SeenPart {
  /** How many of its marks are those of an earlier one. */
  readonly repeated: number;
  /** Whether the record is of this part: each is of one. */
  covers(record: SeenRecord): boolean;
  /** Whether it was seen. */
  has(record: Required<SeenRecord>): boolean;
}

/** All marks of a sync, in parts of bounded memory. */
export class SeenParts {
  readonly #syncs: Pick<SyncBook, 'seen'>;
  readonly #sync: SyncName;
  readonly count: number;
  #last: { readonly part: number; readonly marks: SeenPart } | undefined;

  constructor(syncs: Pick<SyncBook, 'seen'>, sync: StoredSync) {
    this.#syncs = syncs;
    this.#sync = sync;
    this.count = Math.max(1, Math.ceil(sync.seen / AT_ONCE));
  }

  /** Whether all that it took is there: marks are in no backup, so a restored sync has none. */
  async areAllThere(seen: number): Promise<boolean> {
    let there = 0;
    for await (const marks of this.#syncs.seen(this.#sync)) there += marks.length;
    return there >= seen;
  }

  /** The last part stays in memory. */
  async read(part: number): Promise<SeenPart> {
    if (this.#last?.part === part) return this.#last.marks;
    this.#last = undefined;
    const marks = await this.#read(part);
    this.#last = { part, marks };
    return marks;
  }

  async #read(part: number): Promise<SeenPart> {
    const mine: SeenMarks[] = [];
    const isMine = (mark: bigint) => Number(mark & 0xffff_ffffn) % this.count === part;
    for await (const marks of this.#syncs.seen(this.#sync)) {
      mine.push(this.count === 1 ? marks : marks.filter(isMine));
    }
    const sorted = new BigUint64Array(mine.reduce((sum, { length }) => sum + length, 0));
    let filled = 0;
    for (const marks of mine.splice(0)) {
      sorted.set(marks, filled);
      filled += marks.length;
    }
    sorted.sort();
    let repeated = 0;
    for (let at = 1; at < sorted.length; at += 1) if (sorted[at] === sorted[at - 1]) repeated += 1;
    return {
      repeated,
      covers: (record) => isMine(markOf(record)),
      has: ({ parent, external_identifier }) =>
        includes(sorted, markOf({ parent, external_identifier })) ||
        includes(sorted, markOf({ external_identifier })),
    };
  }
}

function includes(sorted: SeenMarks, mark: bigint): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as bigint) < mark) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === mark;
}
