/** The SQL of lists. */
import type { DatabaseSync } from 'node:sqlite';
import type { DeclaredKey, RecordShape } from '../../../schema/shape.ts';
import { UPDATED_HOUR } from '../../indexed.ts';
import { declaredKey, quoteName } from '../../names.ts';
import type { Filter } from '../../store.ts';
import {
  type Index,
  identifierIndex,
  identityIndex,
  keyIndex,
  parentIndex,
  updatedIndex,
} from '../schema/indexes.ts';
import { keyColumn, tableName } from '../schema/tables.ts';
import { bounded, elementsOf, type NamedStatement, prepareNamed } from './prepare.ts';
import { accountsOf, ifRecord } from './records.ts';

/** What determines a list's statements; the values are bound. */
export interface ListForm {
  readonly shape: RecordShape;
  /** The table of the records above. */
  readonly parents: string | undefined;
  /** The declared key to sort by; by default the unique identifier. */
  readonly key: DeclaredKey | undefined;
  readonly ascending: boolean;
  /** Whether the scope is limited to anchors. */
  readonly anchored: boolean;
  readonly filters: readonly Pick<Filter, 'by' | 'is'>[];
}

/** The number of a row. */
type NumberRow = readonly [number: number];

/**
 * All take `accounts` and `anchors` (JSON arrays), `from`, `from_number` and
 * `from_key` (the unique identifier, the number and the key to walk on from),
 * `limit`, and the values of the filters as `value0` and so on, with the hours
 * of times as `hour0`. They give numbers alone: SQLite may sort what it finds,
 * and would hold all documents of a page to do so.
 */
export interface ListStatements {
  /** Walks the list's order, or finds the few rows that an equality names. */
  readonly page: NamedStatement<NumberRow>;
  /**
   * A walk past rows from another time than the filters ask for could take
   * long, and so could sorting all rows of that time: the walk is tried for
   * some rows, then the rows are found by the filter and sorted.
   */
  readonly ranged?: {
    /** The place of the row `ahead` rows later. */
    readonly bound: NamedStatement<
      readonly [unique_identifier: string, number: number, key: string]
    >;
    /** The page as far as it lies up to the place `to`, `to_number`, `to_key`. */
    readonly near: NamedStatement<NumberRow>;
    /** The page, found by the filter. */
    readonly sorted: NamedStatement<NumberRow>;
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
  const keys = key === undefined ? [] : [quoteName(keyColumn(key))];
  const walked = key === undefined ? identifierIndex(shape) : keyIndex(shape, key);
  /** What an index sorts its rows by: unique identifiers, or numbers, which have the same order. */
  const orderOf = (index: Index) =>
    index.name === identifierIndex(shape).name
      ? { columns: [...keys, 'unique_identifier'], suffix: '' }
      : { columns: [...keys, 'number'], suffix: '_number' };
  const compared = (index: Index, is: string, to: string) => {
    const { columns, suffix } = orderOf(index);
    const place = key === undefined ? [] : [`:${to}_key`];
    return `(${columns.join(', ')}) ${is} (${[...place, `:${to}${suffix}`].join(', ')})`;
  };
  const rows = (index: Index, filters: readonly string[]) =>
    `FROM ${quoteName(tableName(shape))} INDEXED BY ${quoteName(index.name)}
     WHERE account IN ${accountsOf(':accounts')}
       ${form.anchored ? `AND anchor IN ${elementsOf(':anchors')}` : ''}
       AND ${compared(index, ascending ? '>' : '<', 'from')}
       ${ifRecord(shape)} ${filters.map((filter) => `AND ${filter}`).join(' ')}
     ORDER BY ${orderOf(index)
       .columns.map((column) => column + (ascending ? ' ASC' : ' DESC'))
       .join(', ')}`;
  const filters = form.filters.map((filter, at) =>
    condition(form, filter, `:value${at}`, `:hour${at}`),
  );
  const page = (index: Index, more: readonly string[] = []) =>
    prepareNamed<NumberRow>(
      database,
      `SELECT number ${rows(index, [...filters, ...more])} LIMIT ${bounded(':limit')}`,
    );
  const exact = exactIndex(form);
  if (exact !== undefined) return { page: page(exact) };
  const ranged = rangedIndex(form);
  if (ranged === undefined || ranged.name === walked.name) return { page: page(walked) };
  // The walk skips other anchors' rows without reading them: they do not count.
  const anchors = filters.filter((_, at) => form.filters[at]?.by === 'anchor');
  const asked = ['unique_identifier', 'number', ...(keys.length === 0 ? ["''"] : keys)].join(', ');
  return {
    page: page(walked),
    ranged: {
      bound: prepareNamed(
        database,
        `SELECT ${asked} ${rows(walked, anchors)} LIMIT 1 OFFSET ${bounded(':ahead')}`,
      ),
      near: page(walked, [compared(walked, ascending ? '<=' : '>=', 'to')]),
      sorted: page(ranged),
    },
  };
}

/** The number of the record that is named as a parent, one by which no row is found where there is none. */
function parentOf(parents: string | undefined, value: string): string {
  if (parents === undefined) throw new TypeError('The root has no parent.');
  return `(SELECT above.number FROM ${quoteName(parents)} AS above
     WHERE above.account IN ${accountsOf(':accounts')} AND above.unique_identifier = ${value})`;
}

function condition(
  { shape, parents }: ListForm,
  { by, is }: ListForm['filters'][number],
  value: string,
  hour: string,
): string {
  if (isKeyFilter(by)) {
    const column = quoteName(keyColumn(declaredKey(shape, by.key)));
    return `${column} ${is} ${value} AND ${column} <> ''`;
  }
  if (by === 'parent') {
    if (is !== '=') throw new TypeError('A parent is a record, and comes before or after none.');
    return `parent = ${parentOf(parents, value)}`;
  }
  const exactly = `${by} ${is} ${value}`;
  const timed = by === 'updated_at' || (by === 'inserted_at' && isFrom(is));
  if (!timed || shape.parent === undefined) return exactly;
  // A record inserted since then was updated since then, or in the same hour.
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
function exactIndex({ shape, filters }: ListForm): Index | undefined {
  const equal = filters.filter(({ is }) => is === '=').map(({ by }) => by);
  if (shape.parent === undefined) return undefined;
  if (equal.includes('external_identifier')) return identityIndex(shape);
  const keys = equal.filter(isKeyFilter).map(({ key }) => declaredKey(shape, key));
  const key = keys.find(({ as }) => as !== 'true');
  if (key !== undefined) return keyIndex(shape, key);
  // Fewer rows belong to one record than meet a yes-or-no condition.
  if (equal.includes('parent')) return parentIndex(shape);
  return keys[0] === undefined ? undefined : keyIndex(shape, keys[0]);
}

/** The index that finds the rows of a range of times or keys. */
function rangedIndex({ shape, filters }: ListForm): Index | undefined {
  if (shape.parent === undefined) return undefined;
  const key = filters.map(({ by }) => by).find(isKeyFilter);
  if (key !== undefined) return keyIndex(shape, declaredKey(shape, key.key));
  const timed = filters.some(
    ({ by, is }) => by === 'updated_at' || (by === 'inserted_at' && isFrom(is)),
  );
  return timed ? updatedIndex(shape) : undefined;
}
