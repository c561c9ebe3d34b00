/** Reads records: one by its unique identifier, or a page of a list. */
import type { DeclaredKey, RecordShape } from '../../schema/shape.ts';
import { Filling } from '../filling.ts';
import { hourOf, storedKey } from '../indexed.ts';
import { ascends, orderKey } from '../names.ts';
import { parseDocument, toRecord } from '../records.ts';
import type { Filter, ListQuery, Page, Pair, Scope, StoredRecord } from '../store.ts';
import type { Context } from './context.ts';
import { type ListForm, type ListStatements, listStatements } from './statements/lists.ts';
import type { NamedValues } from './statements/prepare.ts';
import { type FoundRow, NUMBER } from './statements/records.ts';

/** Where a walk begins. */
interface WalkStart {
  readonly from: string;
  readonly from_number: number;
  readonly from_key: string | Uint8Array;
}

/** Where a walk without a cursor begins. */
const BEFORE_ALL = { from: '', from_number: 0, from_key: '' };
const BEYOND_ALL = {
  from: '\u{10ffff}',
  from_number: Number.MAX_SAFE_INTEGER,
  // In SQLite every blob sorts after all texts.
  from_key: new Uint8Array(),
};
/** How many rows a list with a range skips before it uses the range's index. */
const WALKED = 2_000;
/** How many lists keep their statements. */
const MAX_LISTS = 500;

export class Reading {
  readonly #context: Context;
  /** By what they are made of, prepared when first asked for. */
  readonly #lists = new Map<string, ListStatements>();

  constructor(context: Context) {
    this.#context = context;
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

  #find(shape: RecordShape, unique_identifier: string, scope: Scope): FoundRow | undefined {
    const { accounts, anchors } = bound(scope);
    const { records } = this.#context.table(shape.resource);
    return records.find.get(unique_identifier, accounts, anchors);
  }

  list(query: ListQuery): Page | undefined {
    const { shape, scope, cursor, limit, where = [] } = query;
    const key = query.order === 'newest' ? undefined : orderKey(shape, query.order.key);
    const forward = cursor?.side !== 'before';
    const ascending = forward === ascends(query.order);
    const end = wantedEnd(key, where, ascending);
    let from: WalkStart = { ...(ascending ? BEFORE_ALL : BEYOND_ALL), ...end };
    if (cursor !== undefined) {
      const row = this.#find(shape, cursor.unique_identifier, scope);
      if (row === undefined) return undefined;
      from = {
        from: cursor.unique_identifier,
        from_number: row[NUMBER],
        from_key: key === undefined ? '' : storedKey(key, parseDocument(toRecord(row).document)),
      };
    }
    // Accounts have no anchor.
    const anchored = scope.anchors !== undefined && shape.parent !== undefined;
    const { parents, records } = this.#context.table(shape.resource);
    const statements = this.#statements({
      shape,
      parents,
      key,
      ascending,
      anchored,
      filters: where,
    });
    const numbers = numbersOf(statements, {
      ...bound(scope),
      ...from,
      ...valuesOf(where),
      limit: limit + 1,
    });
    const filling = new Filling(query);
    const wanted = JSON.stringify(numbers.map(([number]) => number));
    for (const row of records.numbered.iterate(wanted)) if (!filling.take(row)) break;
    return filling.page(forward);
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
      // Lists that are seldom asked for make room again.
      if (this.#lists.size >= MAX_LISTS) this.#lists.clear();
      this.#lists.set(name, statements);
    }
    return statements;
  }
}

/** The bound that a filter sets on the key of the order, lower or, descending, upper: the walk begins there. */
function wantedEnd(
  key: DeclaredKey | undefined,
  where: readonly Filter[],
  ascending: boolean,
): Pick<WalkStart, 'from_key'> | undefined {
  const open = ascending ? '<' : '>';
  const ends = where
    .filter(({ by, is }) => typeof by === 'object' && by.key === key?.name && !is.startsWith(open))
    .map(({ value }) => String(value));
  return ends[0] === undefined || ends.length > 1 ? undefined : { from_key: ends[0] };
}

/** Of `limit` rows, or of all that there are. */
function numbersOf({ page, ranged }: ListStatements, values: NamedValues) {
  const bound = ranged?.bound.get({ ...values, ahead: WALKED });
  if (ranged === undefined || bound === undefined) return page.all(values);
  const [to, to_number, to_key] = bound;
  const near = ranged.near.all({ ...values, to, to_number, to_key });
  return near.length === values.limit ? near : ranged.sorted.all(values);
}

function valuesOf(filters: readonly Filter[]): NamedValues {
  const values: { [name: string]: string | number } = {};
  for (const [at, { value }] of filters.entries()) {
    values[`value${at}`] = value;
    if (typeof value === 'number') values[`hour${at}`] = hourOf(value);
  }
  return values;
}

function bound(scope: Scope): { accounts: string; anchors: string | null } {
  return {
    accounts: JSON.stringify([...scope.accounts]),
    anchors: scope.anchors === undefined ? null : JSON.stringify([...scope.anchors]),
  };
}
