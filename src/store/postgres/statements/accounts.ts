/** The SQL that works on accounts as such, each statement by its name. */
import type { RecordShape } from '../../../schema/shape.ts';
import { keyColumn, ROOT_TABLE } from '../tables.ts';
import { prepared } from './prepare.ts';

export type AccountRow = readonly [
  unique_identifier: string,
  document: string,
  livemode: boolean,
  inserted_at: number,
  updated_at: number,
  closed_at: number | null,
];

export function accountStatements(root: RecordShape) {
  const columns = 'unique_identifier, document, livemode, inserted_at, updated_at, closed_at';
  const keys = root.keys.map(keyColumn);
  return {
    /** Of unique identifier $1, until the commit nobody else's to change. */
    take: prepared<AccountRow>(
      `SELECT ${columns} FROM ${ROOT_TABLE}
       WHERE account = $1 AND unique_identifier = $1 FOR NO KEY UPDATE`,
    ),
    /** By name, the root's declared key. */
    list: prepared<AccountRow>(
      `SELECT ${columns} FROM ${ROOT_TABLE} ORDER BY ${[...keys, 'unique_identifier'].join(', ')}`,
    ),
    /** Takes unique_identifier, document, the time, livemode, then the declared keys. */
    insert: prepared<AccountRow>(
      `INSERT INTO ${ROOT_TABLE}
         (account, unique_identifier, document, version, mark, inserted_at, updated_at, livemode
          ${keys.map((key) => `, ${key}`).join('')})
       VALUES ($1, $1, $2, 1, pg_current_xact_id(), $3, $3, $4
          ${keys.map((_, index) => `, $${index + 5}`).join('')})
       RETURNING ${columns}`,
    ),
    /** Takes unique_identifier, document, the time, then the declared keys. */
    rename: prepared<AccountRow>(
      `UPDATE ${ROOT_TABLE} SET document = $2, version = version + 1, mark = pg_current_xact_id(),
         updated_at = greatest($3, inserted_at)
         ${keys.map((key, index) => `, ${key} = $${index + 4}`).join('')}
       WHERE account = $1 AND unique_identifier = $1 RETURNING ${columns}`,
    ),
    /** Takes unique_identifier, closed_at and the time. */
    setClosed: prepared<AccountRow>(
      `UPDATE ${ROOT_TABLE} SET closed_at = $2, version = version + 1, mark = pg_current_xact_id(),
         updated_at = greatest($3, inserted_at)
       WHERE account = $1 AND unique_identifier = $1 RETURNING ${columns}`,
    ),
  };
}
