/** The SQL that works on records, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import type { DeclaredKey, RecordShape } from '../../../schema/shape.ts';
import { RECORD_COLUMNS, type RecordRow } from '../rows.ts';
import { keyColumn, tableName } from '../tables.ts';
import { elementsOf, prepare, quoteName } from './prepare.ts';

/** A record, and then where it stands in the table. */
export type FoundRow = readonly [...RecordRow, rowid: number];
export const ROWID = 10;

export type RecordStatements = ReturnType<typeof recordStatements>;
export type DraftStatements = ReturnType<typeof draftStatements>;
export type ListStatements = ReturnType<typeof listStatements>;

/** A closed account is in no answer, and nothing is written under it. */
const ifOpen = (shape: RecordShape): string =>
  shape.parent === undefined ? 'AND closed_at IS NULL' : '';

/** For the table of any resource, the root's included. */
export function recordStatements(database: DatabaseSync, shape: RecordShape) {
  const table = quoteName(tableName(shape));
  const setKeys = shape.keys.map((key) => `, ${quoteName(keyColumn(key))} = ?`).join('');
  return {
    /** Whether there is an account ?, record ?. */
    stands: prepare<readonly [1]>(
      database,
      `SELECT 1 FROM ${table} WHERE account = ? AND unique_identifier = ? ${ifOpen(shape)}`,
    ),
    /** Of unique_identifier ?1, in accounts ?2 and, unless null, under anchors ?3. */
    find: prepare<RecordRow>(
      database,
      `SELECT ${RECORD_COLUMNS} FROM ${table}
       WHERE account IN ${elementsOf('?2')} AND unique_identifier = ?1 ${ifOpen(shape)}
         AND (?3 IS NULL OR anchor IS NULL OR anchor IN ${elementsOf('?3')})`,
    ),
    /** Takes the new values, those of the declared keys last, then the rowid. */
    update: prepare(
      database,
      `UPDATE ${table} SET document = ?, version = ?, mark = ?, updated_at = ?${setKeys}
       WHERE rowid = ?`,
    ),
  };
}

/** For the table of a resource whose records are written by drafts. */
export function draftStatements(database: DatabaseSync, shape: RecordShape) {
  const table = quoteName(tableName(shape));
  const columns = [RECORD_COLUMNS, ...shape.keys.map((key) => quoteName(keyColumn(key)))].join(
    ', ',
  );
  const values = columns.replaceAll(/[^,]+/g, '?');
  return {
    /** Of account ?, parent ?, external_identifier ?. */
    findIdentity: prepare<FoundRow>(
      database,
      `SELECT ${RECORD_COLUMNS}, rowid FROM ${table}
       WHERE account = ? AND parent = ? AND external_identifier = ?`,
    ),
    /** Takes the columns of a record, then the declared keys. */
    insert: prepare(database, `INSERT INTO ${table} (${columns}) VALUES (${values})`),
    /** Everything under account ?. */
    wipe: prepare(database, `DELETE FROM ${table} WHERE account = ?`),
  };
}

/**
 * For one order of a resource's records: ascending by a declared key, or the
 * newest first. All take accounts ?1, anchors ?2, the unique identifier ?3 and
 * the key ?4 to walk on from, and the limit ?5.
 *
 * SQLite walks an index for each account (and anchor) and leaves it as soon as
 * its rows cannot be among the first ones any more, so that a page costs the
 * same however many records there are.
 */
export function listStatements(
  database: DatabaseSync,
  shape: RecordShape,
  key: DeclaredKey | undefined,
) {
  const places = key === undefined ? [] : [quoteName(keyColumn(key))];
  places.push('unique_identifier');
  const from = key === undefined ? '?3' : '(?4, ?3)';
  const walk = (ascending: boolean, anchored: boolean) =>
    prepare<RecordRow>(
      database,
      `SELECT ${RECORD_COLUMNS} FROM ${quoteName(tableName(shape))}
       WHERE account IN ${elementsOf('?1')} ${anchored ? `AND anchor IN ${elementsOf('?2')}` : ''}
         AND (${places.join(', ')}) ${ascending ? '>' : '<'} ${from} ${ifOpen(shape)}
       ORDER BY ${places.map((place) => place + (ascending ? ' ASC' : ' DESC')).join(', ')}
       LIMIT ?5`,
    );
  return {
    ascending: { all: walk(true, false), anchored: walk(true, true) },
    descending: { all: walk(false, false), anchored: walk(false, true) },
  };
}
