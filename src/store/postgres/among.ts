/**
 * Pages of lists over several accounts, which may lie on several servers: each server gives the places of its own first
 * records, and the first of all are read, both as of one moment of their account: a page misses nothing that was
 * committed before what it shows.
 */
import { Buffer } from 'node:buffer';
import type { ListQuery, Scope } from '../promises/store.ts';
import type { RecordRow } from '../records/records.ts';
import type { Context } from './context.ts';
import { tableFor } from './context.ts';
import { beginReading, commit, overOneConnection } from './statements/commits.ts';
import { type List, type PlaceRow, placesCall } from './statements/lists.ts';
import { inSlices, type SliceReading } from './whole/in-slices.ts';
import { call, type Session } from './wire/session.ts';
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
  /** In the order of the walk, without records that were removed in the meantime. */
  readonly rows: readonly RecordRow[];
  /** Whether there are more records after these. */
  readonly more: boolean;
}

export type ListOfSeveral = Omit<List, 'account'> & { readonly accounts: Scope['accounts'] };

export async function listAmong(
  session: Session,
  context: Context,
  list: ListOfSeveral,
): Promise<Among> {
  const begun = [session.run(call(beginReading))];
  if (context.distribution !== undefined) begun.push(session.run(call(overOneConnection)));
  try {
    const rows: SliceReading<PlaceRow>['rows'] = (one) => session.rows(one);
    const reading = {
      rows,
      placesOf: (one: List) => session.rows(placesCall(one)),
      atOnce: AT_ONCE,
    };
    const [among] = await Promise.all([readAmong(reading, context, list), ...begun]);
    return among;
  } finally {
    // Nothing to commit: if this fails, the connection is dropped.
    await session.run(call(commit)).catch(() => undefined);
  }
}

/** The same where that takes the server too long, account by account, each as of a moment of its own. */
export function listAmongInSlices(
  context: Context,
  list: ListOfSeveral,
  giveWay: ListQuery['giveWay'],
): Promise<Among> {
  const rows: SliceReading<PlaceRow>['rows'] = (one) => context.sessions.rows(one);
  const placesOf = (one: List) => inSlices(one, { rows, callOf: placesCall, giveWay });
  return readAmong({ rows, placesOf, atOnce: 1 }, context, list);
}

interface AmongReading extends Pick<SliceReading<PlaceRow>, 'rows'> {
  readonly placesOf: (list: List) => Promise<readonly PlaceRow[]>;
  /** How many accounts are queried at a time. */
  readonly atOnce: number;
}

async function readAmong(
  { rows, placesOf, atOnce }: AmongReading,
  context: Context,
  list: ListOfSeveral,
): Promise<Among> {
  const { accounts, shape, order, limit, bytes } = list;
  let places: readonly Place[] = [];
  const left = [...accounts];
  while (left.length > 0) {
    const told = await Promise.all(
      left.splice(0, atOnce).map(async (account) => {
        const own = await placesOf({ ...list, account, bytes: undefined });
        return own.map((row) => toPlace(account, row));
      }),
    );
    places = [...places, ...told.flat()].sort(inOrder(order.ascending)).slice(0, limit);
  }
  const shown = places.slice(0, countShown(places, limit - 1, bytes));
  const byIdentifier = new Map<string, RecordRow>();
  const { find } = tableFor(context, shape.resource).records;
  const found = await Promise.all(
    [...Map.groupBy(shown, ({ account }) => account)].map(([account, ofAccount]) => {
      const identifiers = ofAccount.map(({ unique_identifier }) => unique_identifier);
      return rows(call(find, textArray(identifiers), account, null));
    }),
  );
  for (const row of found.flat()) byIdentifier.set(row[0], row);
  const shownRows = shown.flatMap(({ unique_identifier }) => {
    const row = byIdentifier.get(unique_identifier);
    return row === undefined ? [] : [row];
  });
  return { rows: shownRows, more: shown.length < places.length };
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
