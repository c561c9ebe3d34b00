/** Reads records: one or several by unique identifier, or a page of a list. */
import type { RecordShape } from '../../core/schema/shape.ts';
import { ascends, declaredKey, orderKey } from '../names.ts';
import type { CountQuery, ListQuery, Page, Pair, Scope, StoredRecord } from '../promises/store.ts';
import { Filling } from '../records/filling.ts';
import { storedKey } from '../records/indexed.ts';
import { parseDocument, toRecord } from '../records/records.ts';
import { type Among, type ListOfSeveral, listAmong, listAmongInSlices } from './among.ts';
import { Gathering } from './commit/gathering.ts';
import { type Context, draftsFor, tableFor } from './context.ts';
import { countCall, type List, type ListOrder, listCall, placesCall } from './statements/lists.ts';
import { inSlices } from './whole/in-slices.ts';
import { tookTooLong } from './wire/failure.ts';
import { call } from './wire/session.ts';
import { textArray } from './wire/values.ts';

export class Reading {
  readonly #context: Context;
  /** By resource. */
  readonly #finding = new Map<string, Gathering<Scope, string, StoredRecord>>();
  readonly #findingPairs = new Map<string, Gathering<string, Pair, StoredRecord>>();

  constructor(context: Context) {
    this.#context = context;
  }

  async find(
    shape: RecordShape,
    unique_identifier: string,
    scope: Scope,
  ): Promise<StoredRecord | undefined> {
    // PostgreSQL cannot save a NUL, nor search for it.
    if (unique_identifier.includes('\0')) return undefined;
    const finding = this.#finding.getOrInsertComputed(shape.resource, () => {
      return new Gathering(async (scope, wanted) => {
        const found = await this.findAll(shape, wanted, scope);
        return new Map(found.map((record) => [record.unique_identifier, record]));
      });
    });
    return finding.find(scope, unique_identifier, unique_identifier);
  }

  async findAll(
    shape: RecordShape,
    unique_identifiers: readonly string[],
    scope: Scope,
  ): Promise<readonly StoredRecord[]> {
    if (unique_identifiers.length === 0) return [];
    const { find, findAmong } = tableFor(this.#context, shape.resource).records;
    const { placements } = this.#context;
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
  }

  findPair(shape: RecordShape, pair: Pair): Promise<StoredRecord | undefined> {
    const finding = this.#findingPairs.getOrInsertComputed(shape.resource, () => {
      return new Gathering((account, wanted) => this.#findPairs(shape, account, wanted));
    });
    return finding.find(pair.account, nameOf(pair), pair);
  }

  async #findPairs(
    { resource }: RecordShape,
    account: string,
    wanted: readonly Pair[],
  ): Promise<ReadonlyMap<string, StoredRecord>> {
    const rows = await this.#context.placements
      .at([account], 'read')
      .rows(
        call(
          draftsFor(this.#context, resource).findPairs,
          account,
          textArray(wanted.map(({ parent }) => parent)),
          textArray(wanted.map(({ external_identifier }) => external_identifier)),
        ),
      );
    return new Map(rows.map(toRecord).map((record) => [nameOf(record), record]));
  }

  async list(query: ListQuery): Promise<Page | undefined> {
    const { shape, scope, cursor, limit } = query;
    const key = query.order === 'newest' ? undefined : orderKey(shape, query.order.key);
    const forward = cursor?.side !== 'before';
    let from: ListOrder['from'];
    if (cursor !== undefined) {
      const [record] = await this.findAll(shape, [cursor.unique_identifier], scope);
      if (record === undefined) return undefined;
      const { unique_identifier, document } = record;
      from = {
        unique_identifier,
        key: key === undefined ? '' : storedKey(key, parseDocument(document)),
      };
    }
    const order: ListOrder = { key, ascending: forward === ascends(query.order), from };
    const { accounts, anchors } = scope;
    const filters = filtersOf(query);
    const list = { shape, anchors, order, filters, limit: limit + 1, bytes: query.bytes };
    const { rows, more } = await this.#rowsOf({ ...list, accounts }, query.giveWay);
    const filling = new Filling(query);
    for (const row of rows) if (!filling.take(row)) break;
    const page = filling.page(forward);
    return { ...page, more: page.more || more };
  }

  async count({ giveWay, ...query }: CountQuery): Promise<number> {
    const { shape, scope, limit } = query;
    const { anchors } = scope;
    const order: ListOrder = { key: undefined, ascending: false, from: undefined };
    const filters = filtersOf(query);
    let count = 0;
    for (const account of scope.accounts) {
      const list = { shape, account, anchors, order, filters, limit: limit + 1 - count };
      count += await this.#countOf(list, giveWay);
      if (count > limit) break;
    }
    return count;
  }

  async #countOf(list: List, giveWay: ListQuery['giveWay']): Promise<number> {
    const there = this.#context.placements.at([list.account], 'read');
    try {
      const [row] = await there.rows(countCall(list));
      return row?.[0] ?? 0;
    } catch (error) {
      if (!tookTooLong(error)) throw error;
      await giveWay?.();
      const reading = { rows: there.rows.bind(there), callOf: placesCall, giveWay };
      return (await inSlices(list, reading)).length;
    }
  }

  async #rowsOf(list: ListOfSeveral, giveWay: ListQuery['giveWay']): Promise<Among> {
    const context = this.#context;
    const account = onlyOf(list.accounts);
    if (account === undefined) {
      try {
        return await listAmong(context, list);
      } catch (error) {
        if (!tookTooLong(error)) throw error;
        await giveWay?.();
        return listAmongInSlices(context, list, giveWay);
      }
    }
    const there = context.placements.at([account], 'read');
    try {
      return { rows: await there.rows(listCall({ ...list, account })), more: false };
    } catch (error) {
      if (!tookTooLong(error)) throw error;
      await giveWay?.();
      const reading = { rows: there.rows.bind(there), callOf: listCall, giveWay };
      return { rows: await inSlices({ ...list, account }, reading), more: false };
    }
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
