/** Reads records: one by its unique identifier, or a page of a list. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { BoundedMap } from '../../core/bounded.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import { ascends, orderKey } from '../names.ts';
import type { ListPlace, ListQuery, Scope, Store } from '../promises/store.ts';
import { toRecord } from '../records/records.ts';
import type { Context } from './context.ts';
import { createPageWalk, type PageWalk } from './page-walk.ts';
import {
  accountNumbers,
  type ListedRow,
  type ListForm,
  type ListStatements,
  listStatements,
} from './statements/lists.ts';
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
    const { parents } = context.table(shape.resource);
    const { accounts, anchors } = bound(scope);
    const values = where.map(({ value }, at) => [`value${at}`, value] as const);
    return createPageWalk({
      query,
      statements: statementsOf({ shape, parents, key, ascending, anchored, filters: where }),
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
  const { connection, table } = context;
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
      const { accounts, anchors } = bound(scope);
      const { findAll } = table(shape.resource).records;
      const wanted = JSON.stringify(unique_identifiers);
      return connection.read(() => findAll.all(wanted, accounts, anchors)).map(toRecord);
    },
    async findPair(shape, { account, parent, external_identifier }) {
      const { drafts } = table(shape.resource);
      const row = connection.read(() => drafts?.findPair.get(account, parent, external_identifier));
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
  const { accounts, anchors } = bound(scope);
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
  const numberBelow = () => below.get(unique_identifier, bound(scope).accounts)?.[0] ?? 0;
  return [row?.[NUMBER] ?? numberBelow() + 0.5, unique_identifier, key];
}

function bound(scope: Scope): { accounts: string; anchors: string | null } {
  return {
    accounts: JSON.stringify([...scope.accounts]),
    anchors: scope.anchors === undefined ? null : JSON.stringify([...scope.anchors]),
  };
}
