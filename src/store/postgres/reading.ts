/** Reads records: one or several by unique identifier, or a page of a list. */
import type { RecordShape } from '../../schema/shape.ts';
import { Filling } from '../filling.ts';
import { storedKey } from '../indexed.ts';
import { ascends, declaredKey, orderKey } from '../names.ts';
import { parseDocument, toRecord } from '../records.ts';
import type { ListQuery, Page, Pair, Scope, StoredRecord } from '../store.ts';
import { listAmong } from './among.ts';
import { type Context, draftsFor, tableFor } from './context.ts';
import { type ListOrder, listCall } from './statements/lists.ts';
import { call } from './wire/session.ts';
import { textArray } from './wire/values.ts';

export class Reading {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async findAll(
    shape: RecordShape,
    unique_identifiers: readonly string[],
    scope: Scope,
  ): Promise<readonly StoredRecord[]> {
    if (unique_identifiers.length === 0) return [];
    const { find, findAmong } = tableFor(this.#context, shape.resource).records;
    const only = onlyOf(scope.accounts);
    const anchors = scope.anchors === undefined ? null : textArray([...scope.anchors]);
    const wanted = textArray(unique_identifiers);
    const rows = await this.#context.sessions.rows(
      only === undefined
        ? call(findAmong, wanted, textArray([...scope.accounts]), anchors)
        : call(find, wanted, only, anchors),
    );
    return rows.map(toRecord);
  }

  async findPair(shape: RecordShape, pair: Pair): Promise<StoredRecord | undefined> {
    const { account, parent, external_identifier } = pair;
    const { findPair } = draftsFor(this.#context, shape.resource);
    const [row] = await this.#context.sessions.rows(
      call(findPair, account, parent, external_identifier),
    );
    return row === undefined ? undefined : toRecord(row);
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
    const filters = (query.where ?? []).map(({ by, is, value }) => ({
      by: typeof by === 'string' ? by : declaredKey(shape, by.key),
      is,
      value,
    }));
    const { accounts, anchors } = scope;
    const list = { shape, anchors, order, filters, limit: limit + 1, bytes: query.bytes };
    const only = onlyOf(accounts);
    const { rows, more } = await this.#context.sessions.use(async (session) =>
      only === undefined
        ? listAmong(session, this.#context, { ...list, accounts })
        : { rows: await session.rows(listCall({ ...list, account: only })), more: false },
    );
    const filling = new Filling(query);
    for (const row of rows) if (!filling.take(row)) break;
    const page = filling.page(forward);
    return { ...page, more: page.more || more };
  }
}

/** A statement for one account goes to one server. */
function onlyOf(accounts: Scope['accounts']): string | undefined {
  const [first] = accounts;
  return accounts.size === 1 ? first : undefined;
}
