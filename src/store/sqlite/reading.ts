/** Reads records: one by its unique identifier, or a page of a list. */
import { BoundedMap } from '../../core/bounded.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import { ascends, orderKey } from '../names.ts';
import type { ListQuery, Pair, Scope, StoredRecord } from '../promises/store.ts';
import { storedKey } from '../records/indexed.ts';
import { parseDocument, toRecord } from '../records/records.ts';
import type { Context } from './context.ts';
import { PageWalk } from './page-walk.ts';
import {
  accountNumbers,
  type ListForm,
  type ListStatements,
  listStatements,
} from './statements/lists.ts';
import { NUMBER, type NumberedRow } from './statements/records.ts';

/** The most lists whose statements are cached. */
const MAX_LISTS = 500;

export class Reading {
  readonly #context: Context;
  readonly #accounts: ReturnType<typeof accountNumbers>;
  /** Statements by the form of the list, prepared on first use. */
  readonly #lists = new BoundedMap<string, ListStatements>(MAX_LISTS);

  constructor(context: Context) {
    this.#context = context;
    this.#accounts = accountNumbers(context.connection.database);
  }

  find(shape: RecordShape, unique_identifier: string, scope: Scope): StoredRecord | undefined {
    const row = this.#find(shape, unique_identifier, scope);
    return row === undefined ? undefined : toRecord(row);
  }

  findAll(
    shape: RecordShape,
    unique_identifiers: readonly string[],
    scope: Scope,
  ): readonly StoredRecord[] {
    const { accounts, anchors } = bound(scope);
    return this.#context
      .table(shape.resource)
      .records.findAll.all(JSON.stringify(unique_identifiers), accounts, anchors)
      .map(toRecord);
  }

  findPair(shape: RecordShape, pair: Pair): StoredRecord | undefined {
    const row = this.#context
      .table(shape.resource)
      .drafts?.findPair.get(pair.account, pair.parent, pair.external_identifier);
    return row === undefined ? undefined : toRecord(row);
  }

  #find(shape: RecordShape, unique_identifier: string, scope: Scope): NumberedRow | undefined {
    const { accounts, anchors } = bound(scope);
    const { records } = this.#context.table(shape.resource);
    return records.find.get(unique_identifier, accounts, anchors);
  }

  /** The walk that finds a page; `undefined` if the cursor is not in the scope. */
  list(query: ListQuery): PageWalk | undefined {
    const { shape, scope, cursor, where = [] } = query;
    const key = query.order === 'newest' ? undefined : orderKey(shape, query.order.key);
    const ascending = (cursor?.side !== 'before') === ascends(query.order);
    const row = cursor && this.#find(shape, cursor.unique_identifier, scope);
    if (cursor !== undefined && row === undefined) return undefined;
    // Accounts have no anchor.
    const anchored = scope.anchors !== undefined && shape.parent !== undefined;
    const { parents } = this.#context.table(shape.resource);
    const { accounts, anchors } = bound(scope);
    const values = where.map(({ value }, at) => [`value${at}`, value] as const);
    return new PageWalk({
      query,
      statements: this.#statements({ shape, parents, key, ascending, anchored, filters: where }),
      ascending,
      accounts: this.#accounts.all(accounts).map(([number]) => number),
      cursor: row && [row[NUMBER], row[0], key ? storedKey(key, parseDocument(row[5])) : ''],
      values: { anchors, ...Object.fromEntries(values) },
    });
  }

  #statements(form: ListForm): ListStatements {
    const { shape, key, ascending, anchored, filters } = form;
    const name = JSON.stringify([
      shape.resource,
      key?.name,
      ascending,
      anchored,
      filters.map(({ by, is }) => [by, is]),
    ]);
    let statements = this.#lists.get(name);
    if (statements === undefined) {
      statements = listStatements(this.#context.connection.database, form);
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
