/**
 * Pages of lists over several accounts, which may lie on several servers: each server gives the places of its own first
 * records and reads these, both as of one moment: a page misses nothing that was committed before what it shows.
 */
import { Buffer } from 'node:buffer';
import type { ListQuery, Scope } from '../promises/store.ts';
import type { RecordRow } from '../records/records.ts';
import type { Context } from './context.ts';
import { tableFor } from './context.ts';
import { beginReading, commit } from './statements/commits.ts';
import { type List, type PlaceRow, placesCall } from './statements/lists.ts';
import { inSlices } from './whole/in-slices.ts';
import { type Call, call, type Session } from './wire/session.ts';
import { textArray } from './wire/values.ts';

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
  /** Whether there are more records after these. */
  readonly more: boolean;
}

export type ListOfSeveral = Omit<List, 'account'> & { readonly accounts: Scope['accounts'] };

/** The first places in some accounts, and the records at those of them that a page may show. */
interface First {
  readonly places: readonly Place[];
  /** By unique identifier. */
  readonly rows: ReadonlyMap<string, RecordRow>;
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

interface FirstReading {
  readonly rowsOf: <Row extends readonly unknown[]>(
    account: string,
    call: Call<Row>,
  ) => Promise<readonly Row[]>;
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
      const identifiers = own.map(({ unique_identifier }) => unique_identifier);
      return rowsOf(account, call(find, textArray(identifiers), account, null));
    }),
  );
  return { places, rows: new Map(found.flat().map((row) => [row[0], row])) };
}

/** Merges pages: a page of several accounts is a part of the pages of each. */
function pageOf(each: readonly First[], list: ListOfSeveral): Among {
  const places = firstOf(
    each.flatMap((one) => one.places),
    list,
  );
  const shown = shownOf(places, list);
  const rows = shown.flatMap(({ unique_identifier }) => {
    const found = each.map((one) => one.rows.get(unique_identifier));
    return found.filter((row) => row !== undefined);
  });
  return { rows, more: shown.length < places.length };
}

function firstOf(places: readonly Place[], { order, limit }: ListOfSeveral): readonly Place[] {
  return places.toSorted(inOrder(order.ascending)).slice(0, limit);
}

function shownOf(places: readonly Place[], { limit, bytes }: ListOfSeveral): readonly Place[] {
  return places.slice(0, countShown(places, limit - 1, bytes));
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

function countShown(places: readonly Place[], limit: number, most: ListQuery['bytes']): number {
  let bytes = 0;
  let count = 0;
  for (const place of places) {
    bytes += place.bytes;
    if (count === limit || (count > 0 && most !== undefined && bytes > most)) break;
    count += 1;
  }
  return count;
}
