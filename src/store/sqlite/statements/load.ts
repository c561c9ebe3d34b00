/** The SQL that fills a new store, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import { ownColumns } from '../../../core/objects/own-object.ts';
import type { OwnTable } from '../../../core/objects/tables/own-table.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { quoteName, ROOT_TABLE } from '../../names.ts';
import { indexedColumns } from '../schema/tables.ts';
import { prepare, preparing } from './prepare.ts';

export function loadStatements(database: DatabaseSync, root: RecordShape) {
  const sql = preparing(database);
  return {
    /** Takes the columns as they stand here, then those of declared keys. */
    account: insert(database, ROOT_TABLE, [
      ...['number', 'account', 'unique_identifier', 'document', 'version', 'position'],
      ...['inserted_at', 'updated_at', 'livemode', 'closed_at'],
      ...indexedColumns(root),
    ]),
    /** Takes account ?, position ?. */
    committed: sql`INSERT INTO counter (account, value) VALUES (?, ?)`,
    numbers: sql`UPDATE counter SET value = ? WHERE account = 0`,
    findAccount: sql<readonly [number: number]>`SELECT number FROM ${ROOT_TABLE}
      WHERE unique_identifier = ?`,
    gone: insert(database, 'gone', [
      ...['account', 'record', 'position', 'resource', 'number', 'parent'],
      ...['external_identifier', 'inserted_at', 'removal', 'below', 'created_by'],
    ]),
    /** The removed record of account ?, unique identifier ?. */
    findGone: sql<readonly [number: number]>`SELECT number FROM gone WHERE account = ?
      AND record = ?`,
    answered: sql`INSERT INTO answered (record, version, document, updated_at, expires_at)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (record, version) DO UPDATE SET expires_at = max(expires_at, excluded.expires_at)`,
    rooms: sql`INSERT INTO receipt_room (owner, bytes) SELECT owner, sum(size)
      FROM receipt GROUP BY owner`,
  };
}

/** The number of the record of account ?, unique identifier ?. */
export function findNumber(database: DatabaseSync, table: string) {
  return prepare<readonly [number: number]>(
    database,
    `SELECT number FROM ${quoteName(table)} WHERE account = ? AND unique_identifier = ?`,
  );
}

export function insertRow(database: DatabaseSync, table: OwnTable) {
  const columns = ownColumns(table).map(({ name }) => name);
  return insert(database, table.table, columns);
}

/** The indexes of a table that can be created again, with their SQL. */
export function indexesOf(database: DatabaseSync, table: string) {
  return prepare<readonly [name: string, create: string]>(
    database,
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
  ).all(table);
}

function insert(database: DatabaseSync, table: string, columns: readonly string[]) {
  const names = columns.map(quoteName).join(', ');
  const values = columns.map(() => '?').join(', ');
  return prepare(database, `INSERT INTO ${quoteName(table)} (${names}) VALUES (${values})`);
}
