/** The SQL of lists. */
import type { DatabaseSync } from 'node:sqlite';
import type { DeclaredKey, RecordShape } from '../../../schema/shape.ts';
import { UPDATED_HOUR } from '../../indexed.ts';
import type { RecordRow } from '../../records.ts';
import type { Filter } from '../../store.ts';
import { identifierIndex, identityIndex, keyIndex, parentIndex, updatedIndex } from '../indexes.ts';
import { COLUMNS } from '../rows.ts';
import { keyColumn, tableName } from '../tables.ts';
import { elementsOf, type NamedStatement, prepareNamed, quoteName } from './prepare.ts';
import { ifRecord } from './records.ts';

/** What a list is made of, apart from the values. */
export interface ListForm {
  readonly shape: RecordShape;
  /** The declared key to sort by; otherwise by unique identifier. */
  readonly key: DeclaredKey | undefined;
  readonly ascending: boolean;
  /** Whether the scope is limited to anchors. */
  readonly anchored: boolean;
  readonly filters: readonly Pick<Filter, 'by' | 'is'>[];
}

/**
 * All take `accounts` and `anchors` (JSON arrays), `from` and `from_key` (the
 * unique identifier and the key to walk on from), `limit`, and the values of
 * the filters as `value0` and so on, with the hours of times as `hour0`.
 */
export interface ListStatements {
  /** Walks the list's order, or finds the few rows that an equality names. */
  readonly page: NamedStatement<RecordRow>;
  /**
   * A walk past rows from another time than the filters ask for could take
   * long, and so could sorting all rows of that time: the walk is tried for
   * some rows, then the rows are found by the filter and sorted.
   */
  readonly ranged?: {
    /** The place of the row that comes `ahead` rows later. */
    readonly bound: NamedStatement<readonly [unique_identifier: string, key: string]>;
    /** The page as far as it lies up to the place `to`, `to_key`. */
    readonly near: NamedStatement<RecordRow>;
    /** The page, found by the filter. */
    readonly sorted: NamedStatement<RecordRow>;
  };
}

/**
 * SQLite walks an index for each account (and anchor) and leaves it as soon as
 * its rows cannot be among the first ones any more, so that a page costs the
 * same however many records there are. Which index is said here: SQLite would
 * have to guess how many rows meet a filter.
 */
export function listStatements(database: DatabaseSync, form: ListForm): ListStatements {
  const { shape, key, ascending } = form;
  const columns = [...(key === undefined ? [] : [quoteName(keyColumn(key))]), 'unique_identifier'];
  const order = columns.map((column) => column + (ascending ? ' ASC' : ' DESC')).join(', ');
  const place = (name: string) => (key === undefined ? `:${name}` : `(:${name}_key, :${name})`);
  const rows = (index: string, filters: readonly string[]) =>
    `FROM ${quoteName(tableName(shape))} INDEXED BY ${quoteName(index)}
     WHERE account IN ${elementsOf(':accounts')}
       ${form.anchored ? `AND anchor IN ${elementsOf(':anchors')}` : ''}
       AND (${columns.join(', ')}) ${ascending ? '>' : '<'} ${place('from')}
       ${ifRecord(shape)} ${filters.map((filter) => `AND ${filter}`).join(' ')}
     ORDER BY ${order}`;
  const filters = form.filters.map((filter, at) =>
    condition(shape, filter, `:value${at}`, `:hour${at}`),
  );
  const page = (index: string, more: readonly string[] = []) =>
    prepareNamed<RecordRow>(
      database,
      `SELECT ${COLUMNS} ${rows(index, [...filters, ...more])} LIMIT :limit`,
    );
  const ordered = (key === undefined ? identifierIndex(shape) : keyIndex(shape, key)).name;
  const exact = exactIndex(form);
  if (exact !== undefined) return { page: page(exact) };
  const ranged = rangedIndex(form);
  if (ranged === undefined) return { page: page(ordered) };
  // The walk passes over other anchors' rows without reading them: those do not count.
  const anchors = filters.filter((_, at) => form.filters[at]?.by === 'anchor');
  const asked = `unique_identifier, ${key === undefined ? "''" : quoteName(keyColumn(key))}`;
  return {
    page: page(ordered),
    ranged: {
      bound: prepareNamed(
        database,
        `SELECT ${asked} ${rows(ordered, anchors)} LIMIT 1 OFFSET :ahead`,
      ),
      near: page(ordered, [`(${columns.join(', ')}) ${ascending ? '<=' : '>='} ${place('to')}`]),
      sorted: page(ranged),
    },
  };
}

/** The declared key of that name, which is there. */
export function declaredKey(shape: RecordShape, name: string): DeclaredKey {
  const key = shape.keys.find((declared) => declared.name === name);
  if (key === undefined) throw new TypeError(`${shape.resource} has no declared key ${name}.`);
  return key;
}

function condition(
  shape: RecordShape,
  { by, is }: ListForm['filters'][number],
  value: string,
  hour: string,
): string {
  if (isKeyFilter(by)) {
    const column = quoteName(keyColumn(declaredKey(shape, by.key)));
    return `${column} ${is} ${value} AND ${column} <> ''`;
  }
  const exactly = `${by} ${is} ${value}`;
  const timed = by === 'updated_at' || (by === 'inserted_at' && isFrom(is));
  if (!timed || shape.parent === undefined) return exactly;
  // What was inserted since then was updated since then, or in the same hour.
  const hours = is === '=' && by === 'updated_at' ? '=' : isFrom(is) ? '>=' : '<=';
  return `${exactly} AND ${UPDATED_HOUR} ${hours} ${hour}`;
}

function isKeyFilter(by: Filter['by']): by is { readonly key: string } {
  return typeof by === 'object';
}

/** Whether it sets a lower end. */
function isFrom(is: Filter['is']): boolean {
  return is === '=' || is === '>=' || is === '>';
}

/** The index that finds the rows of an equality: few, or in the order of the newest first. */
function exactIndex({ shape, filters }: ListForm): string | undefined {
  const equal = filters.filter(({ is }) => is === '=').map(({ by }) => by);
  if (shape.parent === undefined) return undefined;
  if (equal.includes('external_identifier')) return identityIndex(shape).name;
  const key = equal.find(isKeyFilter);
  if (key !== undefined) return keyIndex(shape, declaredKey(shape, key.key)).name;
  return equal.includes('parent') ? parentIndex(shape).name : undefined;
}

/** The index that finds the rows of a range of times or keys. */
function rangedIndex({ shape, filters }: ListForm): string | undefined {
  if (shape.parent === undefined) return undefined;
  const key = filters.map(({ by }) => by).find(isKeyFilter);
  if (key !== undefined) return keyIndex(shape, declaredKey(shape, key.key)).name;
  const timed = filters.some(
    ({ by, is }) => by === 'updated_at' || (by === 'inserted_at' && isFrom(is)),
  );
  return timed ? updatedIndex(shape).name : undefined;
}
