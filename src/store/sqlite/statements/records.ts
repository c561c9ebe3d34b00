/** The SQL that works on records, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { selectAges } from '../../books/erasing/keepers.ts';
import { keyColumn, quoteName, ROOT_TABLE, tableOf } from '../../names.ts';
import type { Age } from '../../records/aged.ts';
import { RECORD_COLUMNS, type RecordRow, type ValuesOf } from '../../records/records.ts';
import { indexedColumns } from '../schema/tables.ts';
import { bounded, elementsOf, prepare, preparing, type Statement } from './prepare.ts';

/** A record, and then its number. */
export type NumberedRow = readonly [...RecordRow, number: number];

export const NUMBER = 12;

/** The stored columns that a draft needs. */
const IDENTITY_COLUMNS = [
  ...(['unique_identifier', 'anchor', 'document', 'version', 'position'] as const),
  ...(['inserted_at', 'updated_at', 'created_by', 'changed_by'] as const),
] as const;

/** The number and those columns, followed by its declared keys. */
export type IdentityRow = readonly [
  ...[number: number, ...stored: ValuesOf<typeof IDENTITY_COLUMNS>],
  ...keys: string[],
];

/** The stored columns that an erasure needs. */
export type ErasableRow = readonly [
  ...[number: number, parent: number, external_identifier: string, anchor: string | null],
  ...[position: number, version: number, document: string, inserted_at: number],
];

export type DraftStatements = ReturnType<typeof draftStatements>;

/** The condition that excludes closed accounts: they are in no answer, and nothing is written under them. */
export function ifRecord(shape: RecordShape): string {
  return shape.parent === undefined ? 'AND closed_at IS NULL' : '';
}

/** The numbers of the accounts in a bound JSON array, as the right side of IN. */
export function accountsOf(parameter: string): string {
  return `(SELECT number FROM ${ROOT_TABLE} WHERE unique_identifier IN ${elementsOf(parameter)})`;
}

/** For the table of any resource, the root's included. */
export function recordStatements(
  database: DatabaseSync,
  shape: RecordShape,
  parent: RecordShape | undefined,
) {
  const sql = preparing(database);
  const table = tableOf(shape);
  const columns = recordColumns(shape, parent);
  const setSum = parent === undefined ? '' : ', sum = ?';
  const setIndexed = indexedColumns(shape).map((column) => `, ${quoteName(column)} = ?`);
  return {
    /** The number of account ?, unique_identifier ?, if that is a record. */
    stands: sql<readonly [number: number]>`SELECT number FROM ${table} WHERE account = ?
      AND unique_identifier = ? ${ifRecord(shape)}`,
    /** The greatest unique identifier. */
    latest: sql<readonly [unique_identifier: string]>`SELECT unique_identifier FROM ${table}
      WHERE number = (SELECT max(number) FROM ${table})`,
    /** Takes unique_identifier ?1, in accounts ?2 and, unless null, under anchors ?3. */
    find: sql<NumberedRow>`SELECT ${columns}, number FROM ${table}
      WHERE account IN ${accountsOf('?2')} AND unique_identifier = ?1 ${ifRecord(shape)}
        AND (?3 IS NULL OR anchor IS NULL OR anchor IN ${elementsOf('?3')})`,
    /** The greatest number of those below unique_identifier ?1, in accounts ?2. */
    below: sql<readonly [number: number | null]>`SELECT max((SELECT one.number FROM ${table} AS one
        WHERE one.account = own.number AND one.unique_identifier < ?1
        ORDER BY one.unique_identifier DESC LIMIT 1))
      FROM ${ROOT_TABLE} AS own WHERE own.unique_identifier IN ${elementsOf('?2')}`,
    /** Takes number ?. */
    byNumber: sql<RecordRow>`SELECT ${columns} FROM ${table} WHERE number = ? ${ifRecord(shape)}`,
    /** Takes the unique identifiers ?1, as `find`. */
    findAll: sql<RecordRow>`SELECT ${columns} FROM ${table}
      WHERE account IN ${accountsOf('?2')} AND unique_identifier IN ${elementsOf('?1')}
        ${ifRecord(shape)}
        AND (?3 IS NULL OR anchor IS NULL OR anchor IN ${elementsOf('?3')})`,
    /** Takes the new values, those of the indexed columns last, then the number. */
    update: sql`UPDATE ${table}
      SET document = ?, version = ?, position = ?, updated_at = ?, changed_by = ?${setSum}${setIndexed.join('')}
      WHERE number = ?`,
    /** As `update`, where the indexed columns stay as they are: SQLite then leaves the indexes alone. */
    updateUnindexed: sql`UPDATE ${table}
      SET document = ?, version = ?, position = ?, updated_at = ?, changed_by = ?${setSum}
      WHERE number = ?`,
  };
}

/** For the table of a resource whose records are written by drafts, and have parents. */
export function draftStatements(database: DatabaseSync, shape: RecordShape, parent: RecordShape) {
  const sql = preparing(database);
  const table = tableOf(shape);
  const keys = shape.keys.map((key) => `, ${keyColumn(key)}`).join('');
  const account = `(SELECT number FROM ${ROOT_TABLE} WHERE unique_identifier = ?1)`;
  return {
    /** Takes account ?1, parent ?2, external_identifier ?3, as they are named outside. */
    findPair: sql<RecordRow>`SELECT ${recordColumns(shape, parent)} FROM ${table}
      WHERE account = ${account} AND external_identifier = ?3
        AND parent = (SELECT above.number FROM ${tableOf(parent)} AS above
                      WHERE above.account = ${account} AND above.unique_identifier = ?2)`,
    /** Takes account ?, parent ?, external_identifier ?, by their numbers; the parent stands. */
    findIdentity: sql<IdentityRow>`SELECT number, ${IDENTITY_COLUMNS.join(', ')} ${keys}
      FROM ${table} WHERE account = ? AND parent = ? AND external_identifier = ?`,
    insert: insertRecord(database, shape),
    /** The columns that an erasure needs of account ?, unique_identifier ?. */
    erasable: sql<ErasableRow>`SELECT number, parent, external_identifier, anchor, position, version,
      document, inserted_at FROM ${table} WHERE account = ? AND unique_identifier = ?`,
    /** The pair of number ?. */
    pair: sql<readonly [parent: number, external_identifier: string]>`SELECT parent,
      external_identifier FROM ${table} WHERE number = ?`,
    /** Whether something in account ? is below number ?. */
    someBelow: sql<readonly [1]>`SELECT 1 FROM ${table} WHERE account = ? AND parent = ? LIMIT 1`,
    /** Takes the external_identifier, then the number. */
    rename: sql`UPDATE ${table} SET external_identifier = ? WHERE number = ?`,
    /** Removes records by a JSON array of numbers. */
    removeSome: sql`DELETE FROM ${table} WHERE number IN ${elementsOf('?')}`,
    removal: removalStatements(database, shape, parent),
  };
}

/** Takes the columns in the order in which they stand here. */
export function insertRecord(database: DatabaseSync, shape: RecordShape): Statement {
  const columns = [
    'number, account, parent, unique_identifier, anchor, external_identifier',
    'document, version, position, inserted_at, updated_at, created_by, changed_by, sum',
    ...indexedColumns(shape).map(quoteName),
  ].join(', ');
  const values = columns.replaceAll(/[^,]+/g, '?');
  const table = tableOf(shape);
  return prepare(database, `INSERT INTO ${table} (${columns}) VALUES (${values})`);
}

function removalStatements(database: DatabaseSync, shape: RecordShape, parent: RecordShape) {
  const sql = preparing(database);
  const table = tableOf(shape);
  const select = selectAges(
    [shape, parent],
    `JOIN ${tableOf(parent)} AS above ON above.number = below.parent`,
  );
  const under = `FROM ${table} WHERE account = ?1 AND parent IN ${elementsOf('?2')}`;
  return {
    /** The ages of a JSON array of numbers, and of all in account ?. */
    ages: sql<Age>`${select} WHERE below.number IN ${elementsOf('?')} GROUP BY below.anchor`,
    allAges: sql<Age>`${select} WHERE below.account = ? GROUP BY below.anchor`,
    /** Takes account ?, unique_identifier ?. */
    find: sql<NumberedRow>`SELECT ${recordColumns(shape, parent)}, number FROM ${table}
      WHERE account = ? AND unique_identifier = ?`,
    /** Takes account ?1, the numbers of those with one of the parents ?2, a JSON array of numbers; no more than ?3. */
    under: sql<readonly [number: number]>`SELECT number ${under} LIMIT ${bounded('?3')}`,
    /** Whether one of them is from none of the sources ?3, a JSON array, or was changed after position ?4 or time ?5. */
    someOthers: sql<readonly [1]>`SELECT 1 ${under}
      AND (coalesce(created_by, 0) NOT IN ${elementsOf('?3')}
        OR coalesce(changed_by, 0) NOT IN ${elementsOf('?3')}
        OR position > ?4 OR updated_at > ?5) LIMIT 1`,
    /** Rows of a JSON array of numbers. */
    rows: sql<
      ValuesOf<['unique_identifier', 'anchor', 'version', 'position', 'document']>
    >`SELECT unique_identifier, anchor, version, position, document FROM ${table}
      WHERE number IN ${elementsOf('?')} ORDER BY number`,
    /** Keeps where the changes of records ?3, a JSON array of numbers, are, which are removed at position ?1, one of them with ?2 others. */
    keep: sql`INSERT INTO gone
        (account, record, position, resource, number, parent, external_identifier, inserted_at,
          removal, below, created_by)
      SELECT account, unique_identifier, ?1, '${shape.resource}', number, parent,
        external_identifier, inserted_at, ?1, ?2, created_by FROM ${table}
      WHERE number IN ${elementsOf('?3')}`,
  };
}

/** A record as SQL where it stands in the table of its resource: account and parent are looked up by their numbers. */
export function recordColumns(shape: RecordShape, parent: RecordShape | undefined): string {
  const table = tableOf(shape);
  const named = (of: string, column: string) =>
    `(SELECT above.unique_identifier FROM ${of} AS above WHERE above.number = ${table}.${column})`;
  return RECORD_COLUMNS.map((column) => {
    if (column === 'account') return named(ROOT_TABLE, 'account');
    if (column === 'parent' && parent !== undefined) return named(tableOf(parent), 'parent');
    return column;
  }).join(', ');
}
