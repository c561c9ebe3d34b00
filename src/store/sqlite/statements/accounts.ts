/** The SQL that works on accounts as such, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import type { RecordShape } from '../../../schema/shape.ts';
import { quoteName } from '../../names.ts';
import { keyColumn } from '../schema/tables.ts';
import { prepare } from './prepare.ts';

export type AccountRow = readonly [
  number: number,
  version: number,
  document: string,
  unique_identifier: string,
  livemode: 0 | 1,
  inserted_at: number,
  updated_at: number,
  closed_at: number | null,
  position: number,
  becomes: 'gone' | 'open' | 'closed' | null,
];
export const POSITION = 8;
export const BECOMES = 9;

export function accountStatements(database: DatabaseSync, root: RecordShape) {
  const columns =
    'number, version, document, unique_identifier, livemode, inserted_at, updated_at, closed_at, position, becomes';
  const keys = root.keys.map((key) => quoteName(keyColumn(key)));
  return {
    find: prepare<AccountRow>(
      database,
      `SELECT ${columns} FROM account WHERE unique_identifier = ?1`,
    ),
    /** The number of account ?, if it is open. */
    findOpen: prepare<readonly [number: number]>(
      database,
      'SELECT number FROM account WHERE unique_identifier = ? AND closed_at IS NULL',
    ),
    /** By name, the root's declared key. */
    list: prepare<AccountRow>(
      database,
      `SELECT ${columns} FROM account ORDER BY ${[...keys, 'unique_identifier'].join(', ')}`,
    ),
    /** Takes the number, unique_identifier, document, position, the time, livemode, then the declared keys. */
    insert: prepare(
      database,
      `INSERT INTO account
         (number, account, unique_identifier, document, version, position, inserted_at, updated_at, livemode
          ${keys.map((key) => `, ${key}`).join('')})
       VALUES (?1, ?1, ?2, ?3, 1, ?4, ?5, ?5, ?6 ${keys.map((_, index) => `, ?${index + 7}`).join('')})`,
    ),
    /** Takes closed_at, position, the time and the number. */
    setClosed: prepare(
      database,
      `UPDATE account SET closed_at = ?, version = version + 1, position = ?, updated_at = ?
       WHERE number = ?`,
    ),
    /** Of number ?1, at ?2; whether it is to go: ?3. */
    beginEmptying: prepare(
      database,
      `UPDATE account SET closed_at = coalesce(closed_at, ?2), becomes = CASE WHEN ?3 THEN 'gone'
         ELSE coalesce(becomes, iif(closed_at IS NULL, 'open', 'closed')) END
       WHERE number = ?1`,
    ),
    /** Of number ?. */
    endEmptying: prepare(
      database,
      `UPDATE account SET closed_at = iif(becomes = 'open', NULL, closed_at), becomes = NULL
       WHERE number = ?`,
    ),
  };
}
