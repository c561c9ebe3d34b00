/** Keeps the search index up to date: follows the log of changes, or rebuilds the index if it cannot. */
import { eachNoted, type FailureWatch } from '../core/each-account.ts';
import { TERMS_VERSION, termsOf } from '../core/schema/search/searching.ts';
import type { RecordShape } from '../core/schema/shape.ts';
import { createRounds, onePiece } from './follow.ts';
import { named } from './images.ts';
import type { ChangeCursor, LoggedChange } from './promises/log.ts';
import type { SearchLag } from './promises/search.ts';
import type { Page, Store, StoredRecord } from './promises/store.ts';
import { storeWorks } from './promises/works.ts';
import { parseDocument } from './records/records.ts';

/** The progress of an account's index. */
export interface IndexPosition extends ChangeCursor {
  /** The work that is left before everything up to the mark is in it; `null`: none. */
  readonly building: string | null;
  /** `TERMS_VERSION` when it was made. */
  readonly terms: number;
}

/** Makes a mark of a row with these columns. */
export const toIndexPosition = named<IndexPosition>(
  'position',
  'place',
  'token',
  'building',
  'terms',
);

/** A record with its terms. */
export interface IndexedRecord {
  readonly record: string;
  readonly anchor: string | null;
  readonly terms: readonly string[];
}

export interface IndexStep {
  readonly account: string;
  /** The state before the step; `undefined`: no index existed. */
  readonly from: IndexPosition | undefined;
  readonly to: IndexPosition;
  readonly put: readonly IndexedRecord[];
  /** Unique identifiers of records to remove from the index. */
  readonly gone: readonly string[];
}

export interface TermTable {
  /**
   * Accounts whose last commit has another position than the index, and `all` with a commit: an index may be within a
   * commit. Each with that position.
   */
  behind(all: boolean): Promise<readonly (readonly [account: string, position: number])[]>;
  position(account: string): Promise<IndexPosition | undefined>;
  /** Runs a step in one transaction. `false`, with nothing done, if the index is no longer at `from`. */
  step(step: IndexStep): Promise<boolean>;
  /** Removes some terms of an account, and returns whether there may be more. */
  clear(account: string): Promise<boolean>;
  /** Removes the state of an account's index. */
  forget(account: string): Promise<void>;
}

/** The most changes and records of one step, and their bytes. */
const AT_ONCE = { limit: 200, bytes: 1_048_576 };
const MAX_FEED_MS = 25;

/** The parts of a store that feeding reads. */
export type FeedSource = Pick<Store, 'log' | 'findAll' | 'list'>;

/** The state of a rebuild: the index must be cleared, or the walk over a resource goes on after a record. */
const CLEAR = '';
type Walked = readonly [resource: string, last?: string];

export function createFeeder(
  store: FeedSource,
  shapes: readonly RecordShape[],
  table: TermTable,
  elapsed?: () => number,
) {
  const { each, tell } = eachNoted(storeWorks.search);
  const rounds = createRounds(each, { behind: (all) => table.behind(all), piece: step, elapsed });

  /** Whether there may be more to do in the account. */
  async function step(account: string): Promise<boolean> {
    const from = await table.position(account);
    if (from === undefined || !(isCurrent(from) || (await isBehindTerms(account, from))))
      return begin(account, from);
    if (from.building === CLEAR) return clear(account, from);
    if (!isCurrent(from)) return renew(account, from);
    if (from.building === null) return follow(account, from);
    // What is written meanwhile is found as soon as ever.
    await follow(account, from);
    const mark = await table.position(account);
    return isCurrent(mark) && isWalk(mark) ? walk(account, mark) : true;
  }

  /** Whether the index has all but the terms of today, so that its terms are found until each record has new ones. */
  async function isBehindTerms(account: string, from: IndexPosition): Promise<boolean> {
    if (from.terms > TERMS_VERSION || from.building === CLEAR) return false;
    const next = await store.log.next(account, from);
    return typeof next !== 'string';
  }

  /** Begins to give every record its terms of today, one after the other, in place of those it has. */
  async function renew(account: string, from: IndexPosition): Promise<boolean> {
    return move(account, from, from, walkOf(shapes[0]));
  }

  /** Begins to rebuild the index of an account from its records. */
  async function begin(account: string, from: IndexPosition | undefined): Promise<boolean> {
    const last = await store.log.last(account);
    if (last !== undefined) return move(account, from, last, CLEAR);
    // The index belonged to another store with that account.
    if (await table.clear(account)) return true;
    if (from !== undefined) await table.forget(account);
    return false;
  }

  async function clear(account: string, mark: IndexPosition): Promise<boolean> {
    if (await table.clear(account)) return true;
    return move(account, mark, mark, walkOf(shapes[0]));
  }

  /** Indexes a page of the records of a resource, the newest first. */
  async function walk(account: string, mark: IndexPosition): Promise<boolean> {
    const [resource, after] = JSON.parse(mark.building ?? '') as Walked;
    const shape = shapes.find((one) => one.resource === resource);
    if (shape === undefined) throw new TypeError(`No records of ${resource} can be walked.`);
    const page = await pageOf(account, shape, after);
    const last = page.records.at(-1);
    const next = shapes[shapes.indexOf(shape) + 1];
    const following = next === undefined ? null : walkOf(next);
    const building = page.more && last !== undefined ? walkOf(shape, last) : following;
    const put = page.records.map((record) => indexed(shape, record));
    await table.step({ account, from: mark, to: { ...mark, building }, put, gone: [] });
    return true;
  }

  async function pageOf(account: string, shape: RecordShape, last?: string): Promise<Page> {
    const scope = { accounts: new Set([account]), anchors: undefined };
    if (shape.searched === undefined) return { records: [], more: false };
    if (shape.parent === undefined) {
      return { records: await store.findAll(shape, [account], scope), more: false };
    }
    const after = last === undefined ? undefined : { unique_identifier: last };
    return store.list({ ...AT_ONCE, shape, scope, order: 'newest', after });
  }

  async function follow(account: string, mark: IndexPosition): Promise<boolean> {
    const read = await onePiece(store.log.follow(account, { ...AT_ONCE, after: mark }));
    if (typeof read === 'string') return begin(account, mark);
    // A damaged change does not name its record either.
    const wiped = read.changes.findIndex(({ outcome, damaged }) => outcome === 'wiped' || damaged);
    const [wipe] = read.changes;
    if (wiped === 0 && wipe !== undefined) return move(account, mark, wipe, CLEAR);
    const changes = wiped < 0 ? read.changes : read.changes.slice(0, wiped);
    const last = changes.at(-1);
    if (last === undefined) return false;
    const to = { ...cursorOf(last), building: mark.building, terms: TERMS_VERSION };
    const found = await changed(account, changes);
    const isMoved = await table.step({ account, from: mark, to, ...found });
    // Another feed may have moved it less far.
    return !isMoved || read.more || wiped > 0;
  }

  /** The current records of the changes, and those that no longer exist. */
  async function changed(account: string, changes: readonly LoggedChange[]) {
    const scope = { accounts: new Set([account]), anchors: undefined };
    const put = [];
    const gone = [];
    for (const [resource, some] of Map.groupBy(changes, (change) => change.resource)) {
      const shape = shapes.find((one) => one.resource === resource);
      if (shape?.searched === undefined) continue;
      const wanted = new Set(some.map(({ record }) => record));
      for (const record of await store.findAll(shape, [...wanted], scope)) {
        put.push(indexed(shape, record));
        wanted.delete(record.unique_identifier);
      }
      gone.push(...wanted);
    }
    return { put, gone };
  }

  async function move(
    account: string,
    from: IndexPosition | undefined,
    to: ChangeCursor,
    building: string,
  ): Promise<boolean> {
    const mark = { ...cursorOf(to), building, terms: TERMS_VERSION };
    await table.step({ account, from, to: mark, put: [], gone: [] });
    return true;
  }

  return {
    /** Takes some steps; returns whether there may be more. */
    async feed(watch?: FailureWatch): Promise<boolean> {
      try {
        return await rounds.round(MAX_FEED_MS);
      } finally {
        tell(watch);
      }
    },
    /** Whether some accounts are tried again later. */
    get rests(): boolean {
      return each.resting.length > 0;
    },
    async lag(accounts?: readonly string[]): Promise<SearchLag> {
      const wanted = accounts ?? (await table.behind(false)).map(([account]) => account);
      let building = 0;
      let since: number | undefined;
      for (const account of wanted) {
        const mark = await table.position(account);
        const next = isCurrent(mark) ? await store.log.next(account, mark) : 'expired';
        const isWhole = mark?.building === null && typeof next !== 'string';
        if (!isWhole && (isCurrent(mark) || (await store.log.last(account)) !== undefined)) {
          building += 1;
        }
        const at = typeof next === 'string' ? undefined : next?.occurred_at;
        if (at !== undefined && at < (since ?? Number.POSITIVE_INFINITY)) since = at;
      }
      return { building, since };
    },
  };
}

function cursorOf({ position, place, token }: ChangeCursor): ChangeCursor {
  return { position, place, token };
}

function walkOf(shape: RecordShape | undefined, last?: StoredRecord): string {
  if (shape === undefined) throw new TypeError('There are no resources.');
  const { resource } = shape;
  return JSON.stringify(last === undefined ? [resource] : [resource, last.unique_identifier]);
}

function indexed(shape: RecordShape, record: StoredRecord): IndexedRecord {
  return {
    record: record.unique_identifier,
    anchor: record.anchor,
    terms: termsOf(shape, parseDocument(record.document)),
  };
}

function isWalk({ building }: IndexPosition): boolean {
  return building !== null && building !== CLEAR;
}

function isCurrent(mark: IndexPosition | undefined): mark is IndexPosition {
  return mark?.terms === TERMS_VERSION;
}
