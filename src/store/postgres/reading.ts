/** Reads records: one or several by unique identifier, or a page of a list. */
import { Buffer } from 'node:buffer';
import type { RecordShape } from '../../core/schema/shape.ts';
import { ascends, declaredKey, orderKey } from '../names.ts';
import { createFilling } from '../pages.ts';
import type { ListQuery, Pair, Scope, Store, StoredRecord } from '../promises/store.ts';
import { type RecordRow, toRecord } from '../records/records.ts';
import type { Context } from './context.ts';
import { beginReading, commit } from './statements/commits.ts';
import {
  countCall,
  type List,
  type ListOrder,
  listCall,
  type PlaceRow,
  placeAhead,
  placesCall,
} from './statements/lists.ts';
import { tookTooLong } from './wire/failure.ts';
import { createLookUp } from './wire/lookups.ts';
import { type Call, call, type Session } from './wire/session.ts';
import { textArray, textsOf } from './wire/values.ts';

export function createReading(
  context: Context,
): Pick<Store, 'find' | 'findAll' | 'findPair' | 'list' | 'count'> {
  const { placements } = context;

  const findAll: Store['findAll'] = async (shape, unique_identifiers, scope) => {
    if (unique_identifiers.length === 0) return [];
    const { find, findAmong } = context.table(shape.resource).records;
    const only = onlyOf(scope.accounts);
    const anchors = scope.anchors === undefined ? null : textArray([...scope.anchors]);
    const wanted = textArray(unique_identifiers);
    if (only !== undefined) {
      const rows = await placements.at([only], 'read').rows(call(find, wanted, only, anchors));
      return rows.map(toRecord);
    }
    const found = await placements.each(
      scope.accounts,
      async (session, accounts) => {
        const groups = session.place.groups(accounts).map(async ([name, own]) => {
          const rows = await session.rows(name(call(findAmong, wanted, textArray(own), anchors)));
          return rows.map(toRecord);
        });
        return (await Promise.all(groups)).flat();
      },
      (done) => done.flat().length === unique_identifiers.length,
    );
    return found.flat();
  };

  const findPairs = async ({ resource }: RecordShape, account: string, wanted: readonly Pair[]) => {
    const names = textsOf(wanted, 'parent', 'external_identifier');
    const find = call(context.drafts(resource).findPairs, account, ...names);
    const found = (await placements.at([account], 'read').rows(find)).map(toRecord);
    return new Map(found.map((record) => [nameOf(record), record]));
  };

  const lookUpsOf = (shape: RecordShape) => ({
    record: createLookUp(async (scope: Scope, wanted: readonly string[]) => {
      const found = await findAll(shape, wanted, scope);
      return new Map(found.map((record) => [record.unique_identifier, record]));
    }),
    pair: createLookUp((account: string, wanted: readonly Pair[]) => {
      return findPairs(shape, account, wanted);
    }),
  });
  const lookUps = new Map<string, ReturnType<typeof lookUpsOf>>();
  const lookUpsFor = (shape: RecordShape) =>
    lookUps.getOrInsertComputed(shape.resource, () => lookUpsOf(shape));

  const rowsAt = (account: string) => {
    const there = placements.at([account], 'read');
    return there.rows.bind(there);
  };

  const countOf = (list: List, giveWay: GiveWay): Promise<number> => {
    const rows = rowsAt(list.account);
    return orInSlices(
      giveWay,
      async () => (await rows(countCall(list)))[0]?.[0] ?? 0,
      async () => (await inSlices(list, { rows, callOf: placesCall, giveWay })).length,
    );
  };

  const rowsOf = (list: ListOfSeveral, giveWay: GiveWay): Promise<Among> => {
    const account = onlyOf(list.accounts);
    if (account === undefined) {
      return orInSlices(
        giveWay,
        () => listAmong(context, list),
        () => listAmongInSlices(context, list, giveWay),
      );
    }
    const rows = rowsAt(account);
    const own = { ...list, account };
    const asAmong = (found: readonly RecordRow[]): Among => ({ rows: found, more: false });
    return orInSlices(
      giveWay,
      async () => asAmong(await rows(listCall(own))),
      async () => asAmong(await inSlices(own, { rows, callOf: listCall, giveWay })),
    );
  };

  return {
    findAll,
    async find(shape, unique_identifier, scope) {
      // PostgreSQL cannot save a NUL, nor search for it.
      if (unique_identifier.includes('\0')) return undefined;
      return lookUpsFor(shape).record(scope, unique_identifier, unique_identifier);
    },
    findPair(shape, pair) {
      return lookUpsFor(shape).pair(pair.account, nameOf(pair), pair);
    },
    async list(query) {
      const { shape, scope, after, before, limit, bytes } = query;
      const key = query.order === 'newest' ? undefined : orderKey(shape, query.order.key);
      const forward = before === undefined;
      const order: ListOrder = {
        key,
        ascending: forward === ascends(query.order),
        from: before ?? after,
      };
      const list = { ...scope, shape, order, filters: filtersOf(query), limit: limit + 1, bytes };
      const { rows, more } = await rowsOf(list, query.giveWay);
      const filling = createFilling(query);
      for (const row of rows) if (!filling.take(row)) break;
      const page = filling.page(forward);
      return { ...page, more: page.more || more };
    },
    async count({ giveWay, ...query }) {
      const { shape, scope, limit } = query;
      const order: ListOrder = { key: undefined, ascending: false, from: undefined };
      const list = { shape, anchors: scope.anchors, order, filters: filtersOf(query) };
      let count = 0;
      for (const account of scope.accounts) {
        count += await countOf({ ...list, account, limit: limit + 1 - count }, giveWay);
        if (count > limit) break;
      }
      return count;
    },
  };
}

type GiveWay = ListQuery['giveWay'];

/** Reads by one statement, or in slices where the server takes too long for it. */
async function orInSlices<T>(giveWay: GiveWay, atOnce: () => Promise<T>, sliced: () => Promise<T>) {
  try {
    return await atOnce();
  } catch (error) {
    if (!tookTooLong(error)) throw error;
    await giveWay?.();
    return sliced();
  }
}

function filtersOf({ shape, where = [] }: Pick<ListQuery, 'shape' | 'where'>) {
  return where.map(({ by, is, value }) => ({
    by: typeof by === 'string' ? by : declaredKey(shape, by.key),
    is,
    value,
  }));
}

/** No text that gets here holds a NUL. */
function nameOf({ parent, external_identifier }: StoredRecord | Pair): string {
  return `${parent}\0${external_identifier}`;
}

/** A statement for one account goes to one server. */
function onlyOf(accounts: Scope['accounts']): string | undefined {
  const [first] = accounts;
  return accounts.size === 1 ? first : undefined;
}

/** Accounts per query, which bounds the places in memory. */
const AT_ONCE = 64;

interface Place {
  readonly account: string;
  readonly unique_identifier: string;
  readonly key: Buffer;
  readonly bytes: number;
}

interface Among {
  /** The rows in the order of the walk, without records that were removed in the meantime. */
  readonly rows: readonly RecordRow[];
  readonly more: boolean;
}

type ListOfSeveral = Omit<List, 'account'> & { readonly accounts: Scope['accounts'] };

/** The first places in some accounts, and the records at those of them that a page may show. */
interface First {
  readonly places: readonly Place[];
  readonly rows: readonly RecordRow[];
}

/**
 * A page of several accounts, which may lie on several servers: each server gives the places of its own first records and
 * reads these, both as of one moment: a page misses nothing that was committed before what it shows.
 */
async function listAmong(context: Context, list: ListOfSeveral): Promise<Among> {
  const { placements } = context;
  const each = await placements.each(list.accounts, (session, own) =>
    readAtOnce(session, context, { ...list, accounts: new Set(own) }),
  );
  return pageOf(each, list);
}

async function readAtOnce(session: Session, context: Context, list: ListOfSeveral): Promise<First> {
  const begun = session.run(call(beginReading));
  try {
    const rowsOf: FirstReading['rowsOf'] = (account, one) => session.rowsOf(account, one);
    const placesOf = (one: List) => session.rowsOf(one.account, placesCall(one));
    const [first] = await Promise.all([
      readFirst({ rowsOf, placesOf, atOnce: AT_ONCE }, context, list),
      begun,
    ]);
    return first;
  } finally {
    // Nothing to commit: if this fails, the connection is dropped.
    await session.run(call(commit)).catch(() => undefined);
  }
}

/** Lists account by account, each as of a moment of its own, where one statement takes the server too long. */
async function listAmongInSlices(
  context: Context,
  list: ListOfSeveral,
  giveWay: ListQuery['giveWay'],
): Promise<Among> {
  const rowsOf: FirstReading['rowsOf'] = (account, one) =>
    context.placements.at([account], 'read').rows(one);
  const placesOf = (one: List) =>
    inSlices(one, { rows: (own) => rowsOf(one.account, own), callOf: placesCall, giveWay });
  return pageOf([await readFirst({ rowsOf, placesOf, atOnce: 1 }, context, list)], list);
}

interface FirstReading extends Pick<Session, 'rowsOf'> {
  readonly placesOf: (list: List) => Promise<readonly PlaceRow[]>;
  /** How many accounts are queried at a time. */
  readonly atOnce: number;
}

async function readFirst(
  { rowsOf, placesOf, atOnce }: FirstReading,
  context: Context,
  list: ListOfSeveral,
): Promise<First> {
  const { accounts, shape } = list;
  let places: readonly Place[] = [];
  const left = [...accounts];
  while (left.length > 0) {
    const pages = await Promise.all(
      left.splice(0, atOnce).map(async (account) => {
        const own = await placesOf({ ...list, account, bytes: undefined });
        return own.map((row) => toPlace(account, row));
      }),
    );
    places = firstOf([...places, ...pages.flat()], list);
  }
  const { find } = context.table(shape.resource).records;
  const found = await Promise.all(
    [...Map.groupBy(shownOf(places, list), ({ account }) => account)].map(([account, own]) => {
      return rowsOf(account, call(find, ...textsOf(own, 'unique_identifier'), account, null));
    }),
  );
  return { places, rows: found.flat() };
}

/** Merges pages: a page of several accounts is a part of the pages of each. */
function pageOf(each: readonly First[], list: ListOfSeveral): Among {
  const all = each.flatMap((one) => one.places);
  const places = firstOf(all, list);
  const shown = shownOf(places, list);
  const found = new Map(each.flatMap((one) => one.rows).map((row) => [row[0], row]));
  const rows = shown.map(({ unique_identifier }) => found.get(unique_identifier));
  return { rows: rows.filter((row) => row !== undefined), more: shown.length < places.length };
}

function firstOf(places: readonly Place[], { order, limit }: ListOfSeveral): readonly Place[] {
  return places.toSorted(inOrder(order.ascending)).slice(0, limit);
}

/** The places that a page has room for: always one, and one less than are looked for. */
function shownOf(places: readonly Place[], { limit, bytes: most }: ListOfSeveral) {
  const page = places.slice(0, limit - 1);
  let bytes = 0;
  const full = page.findIndex((place, at) => {
    bytes += place.bytes;
    return at > 0 && most !== undefined && bytes > most;
  });
  return full === -1 ? page : page.slice(0, full);
}

function toPlace(account: string, [unique_identifier, key, bytes]: PlaceRow): Place {
  return { account, unique_identifier, key: Buffer.from(key), bytes };
}

/** By code point, as the server compares: the order of the bytes of UTF-8. */
function inOrder(ascending: boolean): (x: Place, y: Place) => number {
  const sign = ascending ? 1 : -1;
  return (x, y) =>
    sign *
    (Buffer.compare(x.key, y.key) ||
      (x.unique_identifier < y.unique_identifier ? -1 : Number(x !== y)));
}

/** How many rows one statement looks at: the server takes some tens of milliseconds for them. */
const AHEAD = 20_000;

interface SliceReading<Row> {
  readonly rows: <Any extends readonly unknown[]>(call: Call<Any>) => Promise<readonly Any[]>;
  readonly callOf: (list: List) => Call<Row & readonly unknown[]>;
  readonly giveWay: (() => Promise<void>) | undefined;
  readonly ahead?: number;
}

/** Gives the same rows of the list as `callOf` would in one statement, if that had the time. */
export async function inSlices<Row extends RecordRow | PlaceRow>(
  list: List,
  { rows, callOf, giveWay, ahead = AHEAD }: SliceReading<Row>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  let { from } = list.order;
  let bytes = list.bytes;
  for (;;) {
    const order = { ...list.order, from };
    const rest = { ...list, order, limit: list.limit - found.length, bytes };
    const [place] = await rows(placeAhead(rest, ahead));
    const upTo = place && { unique_identifier: place[0], key: place[1] };
    const slice = await rows(callOf({ ...rest, upTo: upTo ?? 'end' }));
    found.push(...slice);
    // A statement leaves out what does not fit next to that many bytes.
    if (bytes !== undefined) bytes -= bytesOf(slice);
    const isFull = found.length >= list.limit || (bytes !== undefined && bytes < 0);
    if (isFull || upTo === undefined) return found;
    from = upTo;
    await giveWay?.();
  }
}

function bytesOf(rows: readonly (RecordRow | PlaceRow)[]): number {
  return rows.reduce((sum, row) => sum + Buffer.byteLength(String(row[5] ?? '')), 0);
}
