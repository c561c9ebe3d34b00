/** Walks the records that the source of a sync made at its place, and says of each what becomes of it. */
import { hash, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type StoredSync, SYNC_NAMED, type SyncLeft } from '../../core/objects/transfer/sync.ts';
import type { Resource } from '../../core/schema/define.ts';
import { isPinned } from '../../core/schema/pins.ts';
import type { SeenRecord } from '../../records/ingest/seen.ts';
import type { SourceBook } from '../../store/books/feeds/sources.ts';
import type { SyncBook } from '../../store/books/feeds/syncs.ts';
import { pagesOf } from '../../store/pages.ts';
import type { SeenFingerprint, SyncName } from '../../store/promises/account-book.ts';
import type { Scope, Store, StoredRecord } from '../../store/promises/store.ts';
import { isLater } from './as-of.ts';

const PAGE = 500;
const BYTES = 2_097_152;
/** Records below one that are counted. */
const MOST_BELOW = 10_000;
/** Between pages at least, and as long as the page took: others get half of the time. */
export const PAUSE_MS = 2;

export interface Walking {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly resource: Resource;
  readonly numbers: readonly number[];
  readonly sync: StoredSync;
}

/** `seen` stays since it was sent, the others for the reason that they name; `else`: nobody sends it. */
type Verdict = 'seen' | 'goes' | 'else' | SyncLeft['reason'];

/** The place of a sync. */
export function scopeOf({ account, location }: StoredSync): Scope {
  return {
    accounts: new Set([account]),
    anchors: location === null ? undefined : new Set([location]),
  };
}

/** The records after that one, which may be gone. */
export async function* walkOn({ store, resource, numbers, sync }: Walking, after: string | null) {
  let began = performance.now();
  const pages = pagesOf(store, {
    shape: resource.shape,
    scope: scopeOf(sync),
    where: [{ by: 'created_by', is: '=', value: numbers.join() }],
    order: 'newest',
    limit: PAGE,
    bytes: BYTES,
    giveWay: () => pause(PAUSE_MS),
    after: after === null ? undefined : { unique_identifier: after },
  });
  for await (const { records } of pages) {
    const seen = await store.syncs.seen(sync, records.flatMap(fingerprintsOf));
    await pause(Math.max(PAUSE_MS, performance.now() - began));
    for (const record of records) yield { record, verdict: verdictOf(record, sync, numbers, seen) };
    began = performance.now();
  }
}

/** The marks of rows that name it: of those that could be read, and of others. */
function fingerprintsOf({ parent, external_identifier }: StoredRecord): readonly string[] {
  if (parent === null || external_identifier === null) return [];
  return [fingerprintOf({ parent, external_identifier }), fingerprintOf({ external_identifier })];
}

function verdictOf(
  record: StoredRecord,
  sync: StoredSync,
  numbers: readonly number[],
  seen: ReadonlyMap<string, unknown>,
): Verdict {
  const { changed_by, position, document } = record;
  const fingerprints = fingerprintsOf(record);
  if (fingerprints.length === 0) return 'else';
  if (fingerprints.some((mark) => seen.has(mark))) return 'seen';
  if (changed_by === null || !numbers.includes(changed_by)) return 'changed_by_other';
  if (isLater(record, sync)) return 'newer';
  // By the order of commits, which no clock changes.
  if (position > (sync.began?.position ?? 0)) return 'changed_since';
  return isPinned(document) ? 'pinned' : 'goes';
}

/** How many records are below one, by resource. */
export async function countBelow(walking: Walking, resource: Resource, record: string) {
  const { store, resources, sync } = walking;
  const scope = { accounts: new Set([sync.account]), anchors: undefined };
  const found: Record<string, number> = {};
  const children = resources.filter(({ parent }) => parent === resource);
  const queryOf = ({ shape }: Resource) =>
    ({
      shape,
      scope,
      where: [{ by: 'parent', is: '=', value: record }],
      limit: MOST_BELOW,
    }) as const;
  const counts = await Promise.all(children.map((child) => store.count(queryOf(child))));
  for (const [at, child] of children.entries()) {
    const count = counts[at] ?? 0;
    if (count === 0) continue;
    add(found, { [child.name]: count });
    if (!resources.some(({ parent }) => parent === child)) continue;
    const page = await store.list({ ...queryOf(child), order: 'newest', bytes: BYTES });
    for (const { unique_identifier } of page.records)
      add(found, await countBelow(walking, child, unique_identifier));
  }
  return found;
}

/** Adds counts to counts. */
export function add(to: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(more)) to[name] = (to[name] ?? 0) + count;
}

/** The first records that stay, and how many do. */
export function createLeft(sync: Pick<StoredSync, 'left' | 'left_count'>) {
  const left = [...sync.left];
  let { left_count } = sync;

  return {
    add(resource: string, record: string, reason: SyncLeft['reason']): void {
      left_count += 1;
      if (left.length < SYNC_NAMED) left.push({ resource, record, reason });
    },
    get all(): Pick<StoredSync, 'left' | 'left_count'> {
      return { left, left_count };
    },
  };
}

/** The numbers of the source of a sync: its own, and those of the sources that are part of it. */
export async function numbersOf(
  sources: Pick<SourceBook, 'list'>,
  { account, source }: Pick<StoredSync, 'account' | 'source'>,
): Promise<readonly number[]> {
  const all = await sources.list([account]);
  const rootOf = (number: number) =>
    all.find((one) => one.number === number)?.merged_into ?? number;
  const its = rootOf(source);
  return all.flatMap(({ number }) => (rootOf(number) === its ? number : []));
}

/** Characters of a mark: 72 bits, so that no two records of a sync share one. */
const LENGTH = 12;

/** The mark of a record; without a parent, that of all rows that have its identifier and could not be read. */
export function fingerprintOf({
  parent = '',
  external_identifier,
}: Pick<SeenRecord, 'parent' | 'external_identifier'>): string {
  return hash('sha256', `${parent}\0${external_identifier}`, 'base64url').slice(0, LENGTH);
}

/** Requests that are told apart. */
const REQUESTS = 2 ** 20;

/** Makes the contents of the rows of one request: their checksum, and a number of the request. */
export function ownContents(): (record: SeenRecord) => SeenFingerprint[1] {
  const request = randomInt(REQUESTS);
  return ({ content }) => (content === null ? null : content * REQUESTS + request);
}

/** Whether a row differs from the first one of its record, whichever request that came with. */
export function differs(
  first: ReadonlyMap<string, SeenFingerprint[1]>,
  [mark, content]: SeenFingerprint,
) {
  const sums = [content, first.get(mark) ?? null].map((one) => one && Math.floor(one / REQUESTS));
  return !sums.includes(null) && sums[0] !== sums[1];
}

type Stored = ReturnType<SyncBook['see']>;

/** Stores marks in groups: those that arrive while others are being stored go together after them. */
export function createSeenGroups(syncs: Pick<SyncBook, 'see'>) {
  /** By sync, the marks that are stored next. */
  const next = new Map<
    string,
    { readonly fingerprints: SeenFingerprint[]; readonly stored: Stored }
  >();
  const writing = new Map<string, Promise<unknown>>();

  async function store(sync: SyncName, fingerprints: readonly SeenFingerprint[]): Stored {
    const id = sync.unique_identifier;
    await writing.get(id)?.catch(() => undefined);
    // All that arrive in this tick of the event loop go with the first.
    await new Promise(setImmediate);
    next.delete(id);
    const own = syncs.see(sync, fingerprints);
    writing.set(id, own);
    try {
      return await own;
    } finally {
      if (writing.get(id) === own) writing.delete(id);
    }
  }

  /** As `see` of the book. */
  return (sync: SyncName, some: readonly SeenFingerprint[]): Stored => {
    const id = sync.unique_identifier;
    const { fingerprints, stored } = next.getOrInsertComputed(id, () => {
      const all: SeenFingerprint[] = [];
      return { fingerprints: all, stored: store(sync, all) };
    });
    for (const one of some) fingerprints.push(one);
    return stored;
  };
}
