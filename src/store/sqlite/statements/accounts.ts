/** The SQL that works on accounts as such, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { ACCOUNT_COLUMNS, type AccountRow } from '../../books/accounts.ts';
import { quoteName } from '../../names.ts';
import { keyColumn } from '../schema/tables.ts';
import { preparing } from './prepare.ts';

/** With the number of the account. */
export type NumberedAccount = Required<AccountRow>;

export function accountStatements(database: DatabaseSync, root: RecordShape) {
  const sql = preparing(database);
  const columns = `${ACCOUNT_COLUMNS}, number`;
  const keys = root.keys.map((key) => quoteName(keyColumn(key)));
  return {
    find: sql<NumberedAccount>`SELECT ${columns} FROM account WHERE unique_identifier = ?1`,
    /** The number of account ?, if it is open. */
    findOpen: sql<readonly [number: number]>`SELECT number FROM account WHERE unique_identifier = ?
      AND closed_at IS NULL`,
    /** By name, the root's declared key. */
    list: sql<NumberedAccount>`SELECT ${columns} FROM account
      ORDER BY ${[...keys, 'unique_identifier'].join(', ')}`,
    /** Takes the number, unique_identifier, document, position, the time, livemode, then the declared keys. */
    insert: sql`INSERT INTO account
        (number, account, unique_identifier, document, version, position, inserted_at, updated_at, livemode
          ${keys.map((key) => `, ${key}`).join('')})
      VALUES (?1, ?1, ?2, ?3, 1, ?4, ?5, ?5, ?6 ${keys.map((_, index) => `, ?${index + 7}`).join('')})`,
    /** Takes the number, position, document, closed_at, the time, then the declared keys. */
    update: sql`UPDATE account
      SET position = ?2, document = ?3, closed_at = ?4, version = version + 1,
        updated_at = max(?5, inserted_at) ${keys.map((key, index) => `, ${key} = ?${index + 6}`).join('')}
      WHERE number = ?1`,
    /** Takes number ?1, time ?2, and whether it is to go, ?3. */
    beginEmptying: sql`UPDATE account
      SET closed_at = coalesce(closed_at, ?2), becomes = CASE WHEN ?3 THEN 'gone'
        ELSE coalesce(becomes, iif(closed_at IS NULL, 'open', 'closed')) END
      WHERE number = ?1`,
    /** Takes number ?. */
    endEmptying: sql`UPDATE account
      SET closed_at = iif(becomes = 'open', NULL, closed_at), becomes = NULL
      WHERE number = ?`,
    /** Takes number ?, what stands for it last. */
    remove: [sql`DELETE FROM counter WHERE account = ?`, sql`DELETE FROM account WHERE number = ?`],
  };
}
