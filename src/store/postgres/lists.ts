/**
 * Pages of lists over several accounts, which may lie on several servers: each server gives the places of its own first
 * records and reads these, both as of one moment: a page misses nothing that was committed before what it shows. And
 * lists in slices, where one statement takes the server too long.
 */
import { Buffer } from 'node:buffer';
import type { ListQuery, Scope } from '../promises/store.ts';
import type { RecordRow } from '../records/records.ts';
import { type Context, tableFor } from './context.ts';
import { beginReading, commit } from './statements/commits.ts';
import { type List, type PlaceRow, placeAhead, placesCall } from './statements/lists.ts';
import { type Call, call, type Session } from './wire/session.ts';
import { textsOf } from './wire/values.ts';

/** Accounts per query, which bounds the places in memory. */
const AT_ONCE = 64;

interface Place {
  readonly account: string;
  readonly unique_identifier: string;
  readonly key: Buffer;
  readonly bytes: number;
}

export interface Among {
  /** The rows in the order of the walk, without records that were removed in the meantime. */
  readonly rows: readonly RecordRow[];
  readonly more: boolean;
}

export type ListOfSeveral = Omit<List, 'account'> & { readonly accounts: Scope['accounts'] };

/** The first places in some accounts, and the records at those of them that a page may show. */
interface First {
  readonly places: readonly Place[];
  readonly rows: readonly RecordRow[];
}

export async function listAmong(context: Context, list: ListOfSeveral): Promise<Among> {
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
export async function listAmongInSlices(
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
  const { find } = tableFor(context, shape.resource).records;
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
