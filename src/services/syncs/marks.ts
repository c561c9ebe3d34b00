/** Marks of the records that a sync has seen, and the groups in which they are stored. */
import { hash, randomInt } from 'node:crypto';
import type { SeenRecord } from '../../records/ingest/seen.ts';
import type { SyncBook } from '../../store/books/feeds/syncs.ts';
import type { SeenMark, SyncName } from '../../store/promises/account-book.ts';

/** Characters of a mark: 72 bits, so that no two records of a sync share one. */
const LENGTH = 12;

/** The mark of a record; without a parent, that of all rows that have its identifier and could not be read. */
export function markOf({
  parent = '',
  external_identifier,
}: Pick<SeenRecord, 'parent' | 'external_identifier'>): string {
  return hash('sha256', `${parent}\0${external_identifier}`, 'base64url').slice(0, LENGTH);
}

/** Requests that are told apart. */
const REQUESTS = 2 ** 20;

/** Makes the contents of the rows of one request: their checksum, and a number of the request. */
export function ownContents(): (record: SeenRecord) => SeenMark[1] {
  const request = randomInt(REQUESTS);
  return ({ content }) => (content === null ? null : content * REQUESTS + request);
}

/** Whether a row differs from the first one of its record, whichever request that came with. */
export function differs(first: ReadonlyMap<string, SeenMark[1]>, [mark, content]: SeenMark) {
  const sums = [content, first.get(mark) ?? null].map((one) => one && Math.floor(one / REQUESTS));
  return !sums.includes(null) && sums[0] !== sums[1];
}

type Stored = ReturnType<SyncBook['see']>;

/** Stores marks in groups: those that arrive while others are being stored go together after them. */
export function createSeenGroups(syncs: Pick<SyncBook, 'see'>) {
  /** By sync, the marks that are stored next. */
  const next = new Map<string, { readonly marks: SeenMark[]; readonly stored: Stored }>();
  const writing = new Map<string, Promise<unknown>>();

  async function store(sync: SyncName, marks: readonly SeenMark[]): Stored {
    const id = sync.unique_identifier;
    await writing.get(id)?.catch(() => undefined);
    // All that arrive in this tick of the event loop go with the first.
    await new Promise(setImmediate);
    next.delete(id);
    const own = syncs.see(sync, marks);
    writing.set(id, own);
    try {
      return await own;
    } finally {
      if (writing.get(id) === own) writing.delete(id);
    }
  }

  /** As `see` of the book. */
  return (sync: SyncName, some: readonly SeenMark[]): Stored => {
    const id = sync.unique_identifier;
    const { marks, stored } = next.getOrInsertComputed(id, () => {
      const all: SeenMark[] = [];
      return { marks: all, stored: store(sync, all) };
    });
    for (const mark of some) marks.push(mark);
    return stored;
  };
}
