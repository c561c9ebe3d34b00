/** Reads records: one or several by unique identifier, or a page of a list. */
import type { RecordShape } from '../../core/schema/shape.ts';
import { ascends, declaredKey, orderKey } from '../names.ts';
import { createFilling } from '../pages.ts';
import type { ListQuery, Pair, Scope, Store, StoredRecord } from '../promises/store.ts';
import { type RecordRow, toRecord } from '../records/records.ts';
import { type Context, draftsFor, tableFor } from './context.ts';
import { type Among, inSlices, type ListOfSeveral, listAmong, listAmongInSlices } from './lists.ts';
import { countCall, type List, type ListOrder, listCall, placesCall } from './statements/lists.ts';
import { tookTooLong } from './wire/failure.ts';
import { createLookUp } from './wire/lookups.ts';
import { call } from './wire/session.ts';
import { textArray, textsOf } from './wire/values.ts';

export function createReading(
  context: Context,
): Pick<Store, 'find' | 'findAll' | 'findPair' | 'list' | 'count'> {
  const { placements } = context;

  const findAll: Store['findAll'] = async (shape, unique_identifiers, scope) => {
    if (unique_identifiers.length === 0) return [];
    const { find, findAmong } = tableFor(context, shape.resource).records;
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
    const find = call(draftsFor(context, resource).findPairs, account, ...names);
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
