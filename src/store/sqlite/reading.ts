/** How records are read: one by its unique identifier, or a page of a list. */
import type { RecordShape } from '../../schema/shape.ts';
import type { ListQuery, Page, Pair, Scope, StoredRecord } from '../store.ts';
import type { Context } from './context.ts';
import { parseDocument, toRecord } from './rows.ts';
import { type ListStatements, listStatements } from './statements/records.ts';
import { storedKey } from './tables.ts';

/** Comes after every unique identifier. */
const BEYOND_ALL = '\u{10ffff}';

export class Reading {
  readonly #context: Context;
  /** By resource and order, prepared when first asked for. */
  readonly #lists = new Map<string, ListStatements>();

  constructor(context: Context) {
    this.#context = context;
  }

  find(shape: RecordShape, unique_identifier: string, scope: Scope): StoredRecord | undefined {
    const { accounts, anchors } = bound(scope);
    const row = this.#context
      .table(shape.resource)
      .records.find.get(unique_identifier, accounts, anchors);
    return row === undefined ? undefined : toRecord(row);
  }

  findPair(shape: RecordShape, pair: Pair): StoredRecord | undefined {
    const row = this.#context
      .table(shape.resource)
      .drafts?.findIdentity.get(pair.account, pair.parent, pair.external_identifier);
    return row === undefined ? undefined : toRecord(row);
  }

  list(query: ListQuery): Page | undefined {
    const { shape, scope, cursor, limit } = query;
    const key = query.order === 'newest' ? undefined : declaredKey(shape, query.order.key);
    const forward = cursor?.side !== 'before';
    const ascending = forward === (key !== undefined);
    let from = { place: '', unique_identifier: ascending ? '' : BEYOND_ALL };
    if (cursor !== undefined) {
      const record = this.find(shape, cursor.unique_identifier, scope);
      if (record === undefined) return undefined;
      from = {
        place: key === undefined ? '' : storedKey(key, parseDocument(record.document)),
        unique_identifier: record.unique_identifier,
      };
    }
    const { accounts, anchors } = bound(scope);
    const statements = this.#statements(query)[ascending ? 'ascending' : 'descending'];
    // Accounts are under no anchor.
    const anchored = anchors !== null && shape.parent !== undefined;
    const rows = statements[anchored ? 'anchored' : 'all'].all(
      accounts,
      anchors,
      from.unique_identifier,
      from.place,
      limit + 1,
    );
    const records = rows.slice(0, limit).map(toRecord);
    return { records: forward ? records : records.reverse(), more: rows.length > limit };
  }

  #statements({ shape, order }: ListQuery): ListStatements {
    const name = JSON.stringify([shape.resource, order]);
    let statements = this.#lists.get(name);
    if (statements === undefined) {
      const key = order === 'newest' ? undefined : declaredKey(shape, order.key);
      statements = listStatements(this.#context.connection.database, shape, key);
      this.#lists.set(name, statements);
    }
    return statements;
  }
}

function bound(scope: Scope): { accounts: string; anchors: string | null } {
  return {
    accounts: JSON.stringify([...scope.accounts]),
    anchors: scope.anchors === undefined ? null : JSON.stringify([...scope.anchors]),
  };
}

function declaredKey(shape: RecordShape, name: string) {
  const key = shape.keys.find((declared) => declared.name === name);
  if (key === undefined) throw new TypeError(`${shape.resource} has no declared key ${name}.`);
  return key;
}
