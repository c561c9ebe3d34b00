/** The SQL that works on records, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import type { RecordShape } from '../../../schema/shape.ts';
import type { RecordRow } from '../../records.ts';
import { COLUMNS } from '../rows.ts';
import { indexedColumns, tableName } from '../tables.ts';
import { elementsOf, prepare, quoteName } from './prepare.ts';

/** A record, and then where it stands in the table. */
export type FoundRow = readonly [...RecordRow, rowid: number];
export const ROWID = 10;

export type RecordStatements = ReturnType<typeof recordStatements>;
export type DraftStatements = ReturnType<typeof draftStatements>;
export type RemovalStatements = ReturnType<typeof removalStatements>;

/** A closed account is in no answer, and nothing is written under it. */
const ifOpen = 'AND closed_at IS NULL';
/** What is below a removed record is not either, though its rows go a little later. */
const ifNotBelowRemoved = 'AND parent NOT IN (SELECT unique_identifier FROM removed_parent)';

/** What a row of the table must meet to be a record. */
export function ifRecord(shape: RecordShape): string {
  return shape.parent === undefined ? ifOpen : ifNotBelowRemoved;
}

/** For the table of any resource, the root's included. */
export function recordStatements(database: DatabaseSync, shape: RecordShape) {
  const table = quoteName(tableName(shape));
  const setIndexed = indexedColumns(shape).map((column) => `, ${quoteName(column)} = ?`);
  return {
    /** Whether there is an account ?, record ?. */
    stands: prepare<readonly [1]>(
      database,
      `SELECT 1 FROM ${table} WHERE account = ? AND unique_identifier = ? ${ifRecord(shape)}`,
    ),
    /** Of unique_identifier ?1, in accounts ?2 and, unless null, under anchors ?3. */
    find: prepare<RecordRow>(
      database,
      `SELECT ${COLUMNS} FROM ${table}
       WHERE account IN ${elementsOf('?2')} AND unique_identifier = ?1 ${ifRecord(shape)}
         AND (?3 IS NULL OR anchor IS NULL OR anchor IN ${elementsOf('?3')})`,
    ),
    /** Of the unique identifiers ?1, as `find`. */
    findAll: prepare<RecordRow>(
      database,
      `SELECT ${COLUMNS} FROM ${table}
       WHERE account IN ${elementsOf('?2')} AND unique_identifier IN ${elementsOf('?1')}
         ${ifRecord(shape)}
         AND (?3 IS NULL OR anchor IS NULL OR anchor IN ${elementsOf('?3')})`,
    ),
    /** Takes the new values, those of the indexed columns last, then the rowid. */
    update: prepare(
      database,
      `UPDATE ${table} SET document = ?, version = ?, mark = ?, updated_at = ?${setIndexed.join('')}
       WHERE rowid = ?`,
    ),
    /** As `update`, where the indexed columns stay as they are: SQLite then leaves the indexes alone. */
    updateUnindexed: prepare(
      database,
      `UPDATE ${table} SET document = ?, version = ?, mark = ?, updated_at = ? WHERE rowid = ?`,
    ),
  };
}

/** For the table of a resource whose records are written by drafts. */
export function draftStatements(database: DatabaseSync, shape: RecordShape) {
  const table = quoteName(tableName(shape));
  const columns = [COLUMNS, ...indexedColumns(shape).map(quoteName)].join(', ');
  const values = columns.replaceAll(/[^,]+/g, '?');
  return {
    /** Of account ?, parent ?, external_identifier ?. */
    findIdentity: prepare<FoundRow>(
      database,
      `SELECT ${COLUMNS}, rowid FROM ${table}
       WHERE account = ? AND parent = ? AND external_identifier = ? ${ifRecord(shape)}`,
    ),
    /** Takes the columns of a record, then the indexed columns. */
    insert: prepare(database, `INSERT INTO ${table} (${columns}) VALUES (${values})`),
    /** Everything under account ?. */
    wipe: prepare(database, `DELETE FROM ${table} WHERE account = ?`),
  };
}

/** For the table of a resource whose records can be removed, and have or had parents. */
export function removalStatements(database: DatabaseSync, shape: RecordShape) {
  const table = quoteName(tableName(shape));
  const below = `FROM removed_parent CROSS JOIN ${table} AS below
     ON below.account = removed_parent.account AND below.parent = removed_parent.unique_identifier
     WHERE removed_parent.removal = ?1 AND removed_parent.resource = ?2`;
  return {
    /** Of account ?, unique_identifier ?. */
    find: prepare<FoundRow>(
      database,
      `SELECT ${COLUMNS}, rowid FROM ${table}
       WHERE account = ? AND unique_identifier = ? ${ifRecord(shape)}`,
    ),
    /** Takes the rowid. */
    remove: prepare(database, `DELETE FROM ${table} WHERE rowid = ?`),
    /** Whether there are any with account ?, parent ?. */
    someUnder: prepare<readonly [1]>(
      database,
      `SELECT 1 FROM ${table} WHERE account = ? AND parent = ? LIMIT 1`,
    ),
    /** How many are under the removed parents of removal ?1 that are of resource ?2; no further than ?3. */
    countBelow: prepare<readonly [number]>(
      database,
      `SELECT count(*) FROM (SELECT 1 ${below} LIMIT ?3) AS counted`,
    ),
    /** Makes removed parents of those, of resource ?3. */
    noteBelow: prepare(
      database,
      `INSERT INTO removed_parent (unique_identifier, account, resource, removal)
       SELECT below.unique_identifier, below.account, ?3, ?1 ${below}`,
    ),
    /** Removes up to ?3 rows with account ?1, parent ?2. */
    sweep: prepare(
      database,
      `DELETE FROM ${table} WHERE rowid IN
         (SELECT rowid FROM ${table} WHERE account = ?1 AND parent = ?2 LIMIT ?3)`,
    ),
  };
}
