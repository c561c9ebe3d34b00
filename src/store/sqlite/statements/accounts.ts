/** The SQL that works on accounts as such, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import type { RecordShape } from '../../../schema/shape.ts';
import { keyColumn } from '../tables.ts';
import { prepare, quoteName } from './prepare.ts';

export type AccountRow = readonly [
  rowid: number,
  version: number,
  document: string,
  unique_identifier: string,
  livemode: 0 | 1,
  inserted_at: number,
  updated_at: number,
  closed_at: number | null,
];

export function accountStatements(database: DatabaseSync, root: RecordShape) {
  const columns =
    'rowid, version, document, unique_identifier, livemode, inserted_at, updated_at, closed_at';
  const keys = root.keys.map((key) => quoteName(keyColumn(key)));
  return {
    find: prepare<AccountRow>(
      database,
      `SELECT ${columns} FROM account WHERE account = ?1 AND unique_identifier = ?1`,
    ),
    /** By name, the root's declared key. */
    list: prepare<AccountRow>(
      database,
      `SELECT ${columns} FROM account ORDER BY ${[...keys, 'unique_identifier'].join(', ')}`,
    ),
    /** Takes unique_identifier, document, mark, the time, livemode, then the declared keys. */
    insert: prepare(
      database,
      `INSERT INTO account
         (account, unique_identifier, document, version, mark, inserted_at, updated_at, livemode
          ${keys.map((key) => `, ${key}`).join('')})
       VALUES (?1, ?1, ?2, 1, ?3, ?4, ?4, ?5 ${keys.map((_, index) => `, ?${index + 6}`).join('')})`,
    ),
    /** Takes closed_at, mark, the time and the rowid. */
    setClosed: prepare(
      database,
      `UPDATE account SET closed_at = ?, version = version + 1, mark = ?, updated_at = ?
       WHERE rowid = ?`,
    ),
  };
}
