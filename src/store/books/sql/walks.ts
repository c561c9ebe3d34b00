/**
 * Lists by filters that no index has together: along an index that has some, a bounded number of rows is looked at before
 * others have their turn.
 */
import { setImmediate as giveWay } from 'node:timers/promises';
import type { BookTables, BookValue } from '../tables.ts';
import { beyond, list, type Predicate } from './lists.ts';

/** Some milliseconds of work on SQLite, where others wait for it. */
export const LOOKED_AT = 1_000;

export interface OwnWalk {
  readonly table: string;
  /** The columns by which an index goes on behind those of `lead`; the last one identifies a row. */
  readonly order: readonly string[];
  readonly descending?: boolean;
  /** The conditions that the index meets. */
  readonly lead: readonly Predicate[];
  /** The others. */
  readonly rest: readonly Predicate[];
  /** The place after which it begins. */
  readonly after?: Place | undefined;
  readonly limit: number;
}

/** The values by which a row is in its place. */
type Place = readonly BookValue[];

export const orderOf = ({ order, descending = false }: Pick<OwnWalk, 'order' | 'descending'>) =>
  order.map((column) => (descending ? `${column} DESC` : column)).join(', ');

/** The statements of one turn: how far it goes, and what meets all conditions up to there. */
function turnOf({ table, lead, rest, after, limit, ...ordered }: OwnWalk) {
  const columns = ordered.order.join(', ');
  const select = `SELECT ${columns} FROM ${table}`;
  const [later, upTo] = ordered.descending ? (['<', '>='] as const) : (['>', '<='] as const);
  const from = [...lead, ...(after ? [beyond(columns, later, after)] : [])];
  const order = orderOf(ordered);
  return {
    end: list(select, from, { order, limit: 1, offset: LOOKED_AT - 1 }),
    foundUpTo: (until: Place | undefined) =>
      list(select, [...from, ...(until ? [beyond(columns, upTo, until)] : []), ...rest], {
        order,
        limit,
      }),
  };
}

/** Gives the places of rows that meet all conditions, up to the limit. */
async function placesAlong(tables: BookTables, walk: OwnWalk): Promise<readonly Place[]> {
  const places: Place[] = [];
  for (let { after } = walk; ; ) {
    const { end, foundUpTo } = turnOf({ ...walk, after, limit: walk.limit - places.length });
    const [until] =
      walk.rest.length === 0 ? [] : await tables.rows<Place>(end.statement, ...end.values);
    const found = foundUpTo(until);
    places.push(...(await tables.rows<Place>(found.statement, ...found.values)));
    if (until === undefined || places.length >= walk.limit) return places;
    after = until;
    await giveWay();
  }
}

/** Gives what identifies the first rows of several walks in one order. */
export async function firstAlong(
  tables: BookTables,
  walks: readonly OwnWalk[],
): Promise<readonly string[]> {
  const places: Place[] = [];
  for (const walk of walks) places.push(...(await placesAlong(tables, walk)));
  const [{ limit = 0, descending = false } = {}] = walks;
  const side = descending ? -1 : 1;
  return places
    .sort((one, other) => side * compare(one, other))
    .slice(0, limit)
    .map((place) => String(place.at(-1)));
}

function compare(one: Place, other: Place): number {
  for (const [at, value] of one.entries()) {
    const its = other[at] ?? null;
    if (value === its || value === null || its === null) continue;
    return value < its ? -1 : 1;
  }
  return 0;
}
