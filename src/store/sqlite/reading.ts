/** Reads records: one by its unique identifier, or a page of a list. */
import { Buffer } from 'node:buffer';
import { setImmediate as nextTick } from 'node:timers/promises';
import { BoundedMap } from '../../core/bounded.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import { ascends, orderKey } from '../names.ts';
import { createFilling } from '../pages.ts';
import type { Filter, ListPlace, ListQuery, Page, Scope, Store } from '../promises/store.ts';
import { toRecord } from '../records/records.ts';
import type { Context } from './context.ts';
import { minuteOf } from './schema/tables.ts';
import {
  accountNumbers,
  type ListedRow,
  type ListForm,
  type ListStatements,
  listStatements,
  type Walk,
  type Way,
} from './statements/lists.ts';
import type { NamedValues } from './statements/prepare.ts';
import { NUMBER } from './statements/records.ts';

const MAX_CACHED_LISTS = 500;

/** Begins the walk that finds a page. */
export function createWalks(context: Context): (query: ListQuery) => PageWalk {
  const { database } = context.connection;
  const numbers = accountNumbers(database);
  /** Statements by the form of the list, prepared on first use. */
  const known = new BoundedMap<string, ListStatements>(MAX_CACHED_LISTS);

  const statementsOf = (form: ListForm): ListStatements => {
    const { shape, key, ascending, anchored, filters } = form;
    const filtered = filters.map(({ by, is }) => [by, is]);
    const name = JSON.stringify([shape.resource, key?.name, ascending, anchored, filtered]);
    return known.getOrInsertComputed(name, () => listStatements(database, form));
  };

  return (query) => {
    const { shape, scope, after, before, where = [] } = query;
    const key = query.order === 'newest' ? undefined : orderKey(shape, query.order.key);
    const ascending = (before === undefined) === ascends(query.order);
    const from = before ?? after;
    // Accounts have no anchor.
    const anchored = scope.anchors !== undefined && shape.parent !== undefined;
    const { parent } = context.table(shape.resource);
    const { accounts, anchors } = valuesOf(scope);
    const values = where.map(({ value }, at) => [`value${at}`, value] as const);
    return createPageWalk({
      query,
      statements: statementsOf({ shape, parent, key, ascending, anchored, filters: where }),
      ascending,
      accounts: numbers.all(accounts).map(([number]) => number),
      from: from && listedAt(context, query, from),
      values: { anchors, ...Object.fromEntries(values) },
    });
  };
}

export function createReading(
  context: Context,
): Pick<Store, 'find' | 'findAll' | 'findPair' | 'list' | 'count'> {
  const { connection, table, drafts } = context;
  const begin = createWalks(context);

  /** Lets others have turns between two slices of a walk, until one has its result. */
  const inSlices = async <T>(
    slice: () => T | undefined,
    giveWay?: ListQuery['giveWay'],
  ): Promise<T> => {
    for (;;) {
      const found = connection.readAtOnce(slice);
      if (found !== undefined) return found;
      await (giveWay?.() ?? nextTick());
    }
  };

  return {
    async find(shape, unique_identifier, scope) {
      const row = connection.read(() => findRow(context, shape, unique_identifier, scope));
      return row && toRecord(row);
    },
    async findAll(shape, unique_identifiers, scope) {
      const { accounts, anchors } = valuesOf(scope);
      const { findAll } = table(shape.resource).records;
      const wanted = JSON.stringify(unique_identifiers);
      return connection.read(() => findAll.all(wanted, accounts, anchors)).map(toRecord);
    },
    async findPair(shape, { account, parent, external_identifier }) {
      const { findPair } = drafts(shape.resource);
      const row = connection.read(() => findPair.get(account, parent, external_identifier));
      return row && toRecord(row);
    },
    async list(query) {
      const walk = connection.readAtOnce(() => begin(query));
      return inSlices(() => walk.slice(), query.giveWay);
    },
    async count({ giveWay, ...query }) {
      const walk = connection.readAtOnce(() => begin({ ...query, order: 'newest' }));
      return inSlices(() => walk.count(), giveWay);
    },
  };
}

function findRow({ table }: Context, shape: RecordShape, unique_identifier: string, scope: Scope) {
  const { accounts, anchors } = valuesOf(scope);
  return table(shape.resource).records.find.get(unique_identifier, accounts, anchors);
}

/** The row at a place. Numbers rise as identifiers do: where there is none, it is between two numbers. */
function listedAt(
  context: Context,
  { shape, scope }: ListQuery,
  { unique_identifier, key = '' }: ListPlace,
): ListedRow {
  const row = findRow(context, shape, unique_identifier, scope);
  const { below } = context.table(shape.resource).records;
  const numberBelow = () => below.get(unique_identifier, valuesOf(scope).accounts)?.[0] ?? 0;
  return [row?.[NUMBER] ?? numberBelow() + 0.5, unique_identifier, key];
}

function valuesOf(scope: Scope): { accounts: string; anchors: string | null } {
  return {
    accounts: JSON.stringify([...scope.accounts]),
    anchors: scope.anchors === undefined ? null : JSON.stringify([...scope.anchors]),
  };
}

/** The most that the serving thread does for a list before it yields, whichever limit is reached first. */
export const SLICE = { rows: 4_096, ms: 4 };
/** How many rows a way reads before the next one: more each time. */
export const AT_ONCE = { first: 64, most: 1_024 };
/** The cost of running a statement, in rows. */
const STATEMENT = 8;

/** A value in the index of a walk. In SQLite every blob sorts after all texts. */
type Value = string | number | Uint8Array;
type Place = readonly [first: Value, last: Value];
const BEYOND_TEXTS = new Uint8Array();

interface ListParts {
  readonly query: ListQuery;
  readonly statements: ListStatements;
  readonly ascending: boolean;
  readonly accounts: readonly number[];
  /** The row that the page begins after. */
  readonly from: ListedRow | undefined;
  /** Parameters of the statements, from the filters and the scope. */
  readonly values: NamedValues;
}

type PageWalk = ReturnType<typeof createPageWalk>;

function createPageWalk(parts: ListParts) {
  const { statements, values, query } = parts;
  const filling = createFilling(query);
  let { best, ways } = begin(parts.from);
  let next = 0;

  function begin(from: ListedRow | undefined) {
    const best = createBest(parts);
    return { best, ways: statements.ways.map((way) => takeWay(parts, way, best, from)) };
  }

  /** `end` is called with whether all existing rows are found. */
  function within<T>(end: (isAll: boolean) => T | undefined): T | undefined {
    const began = performance.now();
    for (let looked = 0; looked < SLICE.rows && performance.now() < began + SLICE.ms; ) {
      const way = ways[next++ % ways.length] as WayTaken;
      looked += way.go();
      // A way at its end has found all rows.
      const found = end(way.hasEnded());
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * Reads the documents once all rows are found; `undefined` if some are no longer in the list, and others must take
   * their place.
   */
  function page(): Page | undefined {
    const found = best.rows();
    const numbers = JSON.stringify(found.map(([number]) => number));
    const forward = query.before === undefined;
    for (const row of statements.records.iterate({ ...values, numbers })) {
      if (!filling.take(row)) return filling.page(forward);
    }
    if (!best.isFull()) return filling.page(forward);
    ({ best, ways } = begin(found.at(-1)));
    return undefined;
  }

  return {
    /** Reads some rows. Returns the page when it is complete. */
    slice: () => within((isAll) => (isAll ? page() : undefined)),
    /** Reads some rows. Returns the number of records when it is certain, at most one more than the limit. */
    count: () => within((isAll) => (isAll || best.isFull() ? best.rows().length : undefined)),
  };
}

type WayTaken = ReturnType<typeof takeWay>;

/** The progress on one way: each walk of each account, one after the other. */
function takeWay(
  { query, ascending, accounts, values }: ListParts,
  { ordered, walks }: Way,
  best: Best,
  from: ListedRow | undefined,
) {
  const from_number = from?.[0] ?? extreme('number', ascending);
  const fixed = { ...values, from_number, from_key: from?.[2] ?? extreme('key', ascending) };
  const left = accounts
    .values()
    .flatMap((account) => walks.map((walk) => [account, walk] as const));
  let walking: readonly [account: number, walk: Walk] | undefined;
  let at: Place = [0, 0];
  let atOnce = AT_ONCE.first;
  goOn();

  function goOn(): void {
    walking = left.next().value;
    if (walking === undefined) return;
    const [, walk] = walking;
    at = ordered && from !== undefined ? placeIn(walk, from) : bound(walk, !walk.descending);
  }

  /** Reads up to `ahead` rows, and returns their cost. */
  function step([account, walk]: readonly [number, Walk], ahead: number): number {
    const { descending, sameFirst, laterFirst } = walk;
    const [endFirst, endLast] = endOf(walk);
    const [fromFirst, fromLast] = at;
    const far = extreme(walk.last, descending);
    const left = compare(endFirst, fromFirst) * (descending ? -1 : 1);
    if (left < 0) {
      goOn();
      return STATEMENT;
    }
    const isSameFirst = laterFirst === undefined || left === 0 || fromLast !== far;
    const stretch = isSameFirst ? sameFirst : laterFirst;
    const toLast = left === 0 ? endLast : far;
    const values = { ...fixed, account, fromFirst, fromLast };
    const [count = 0, place] =
      stretch.look.get({ ...values, toFirst: endFirst, toLast, ahead }) ?? [];
    const more = count === ahead && place !== undefined;
    const reached = isSameFirst
      ? { toLast: more ? place : toLast }
      : { toFirst: more ? place : endFirst };
    const most = ordered ? best.capacity : -1;
    const rows = count === 0 ? [] : stretch.rows.all({ ...values, ...reached, most });
    best.add(rows);
    if ((isSameFirst && !more && left === 0) || rows.length === most) goOn();
    else if (isSameFirst) at = [fromFirst, more ? place : far];
    else at = [more ? place : endFirst, extreme(walk.last, !descending)];
    return count + STATEMENT;
  }

  /** Nothing beyond the last row of a full page can be on it. */
  function endOf(walk: Walk): Place {
    const worst = ordered ? best.worst() : undefined;
    return worst === undefined ? bound(walk, walk.descending) : placeIn(walk, worst);
  }

  /** The bound of a walk by the filters, at its low or high end. */
  function bound({ first, last }: Walk, low: boolean): Place {
    if (first === undefined) return [0, extreme(last, low)];
    const bounds = first.bounds.map((at) => query.where?.[at] as Filter);
    const filter = bounds.find(({ is }) => !is.startsWith(low ? '<' : '>'));
    if (filter === undefined) return [extreme(first.is, low), extreme(last, low)];
    const { is, value } = filter;
    if (first.is === 'minute') return [minuteOf(Number(value)), extreme(last, low)];
    return [value, extreme(last, is.length === 1 && is !== '=' ? !low : low)];
  }

  return {
    hasEnded: () => walking === undefined,
    /** Reads some rows, and returns their cost. */
    go(): number {
      let looked = 0;
      while (walking !== undefined && looked < atOnce) looked += step(walking, atOnce - looked);
      atOnce = Math.min(2 * atOnce, AT_ONCE.most);
      return looked;
    },
  };
}

/** The place of a row in a walk that is in the order of the list. */
function placeIn({ first, last }: Walk, [number, unique_identifier, key]: ListedRow): Place {
  return [first === undefined ? 0 : key, last === 'number' ? number : unique_identifier];
}

/** The smallest value, or the greatest. */
function extreme(column: Walk['last'] | NonNullable<Walk['first']>['is'], low: boolean): Value {
  const isText = column === 'unique_identifier' || column === 'key';
  if (low) return isText ? '' : -Number.MAX_SAFE_INTEGER;
  return isText ? BEYOND_TEXTS : Number.MAX_SAFE_INTEGER;
}

/** Compares like SQLite: texts by code point, which is the order of their bytes. */
function compare(one: Value, other: Value): number {
  if (one === other) return 0;
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== 'string') return 1;
  if (typeof other !== 'string') return -1;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

type Best = ReturnType<typeof createBest>;

/** The first rows found so far, in the order of the list: one more than a page has. */
function createBest({ query, ascending }: ListParts) {
  const capacity = query.limit + 1;
  const sign = ascending ? 1 : -1;
  const found = new Map<number, ListedRow>();
  let sorted: readonly ListedRow[] | undefined = [];

  const isFull = (): boolean => found.size >= capacity;

  function rows(): readonly ListedRow[] {
    if (sorted !== undefined) return sorted;
    const all = [...found.values()].sort(
      (one, other) => sign * (compare(one[2], other[2]) || one[0] - other[0]),
    );
    for (const [number] of all.splice(capacity)) found.delete(number);
    sorted = all;
    return all;
  }

  return {
    capacity,
    isFull,
    rows,
    add(more: readonly ListedRow[]): void {
      if (more.length === 0) return;
      for (const row of more) found.set(row[0], row);
      sorted = undefined;
      if (found.size > 2 * capacity + AT_ONCE.most) rows();
    },
    /** The last of them, if there are enough. */
    worst: () => (isFull() ? rows().at(-1) : undefined),
  };
}
