/** The SQL that works on accounts as such, each statement by its name. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { ACCOUNT_COLUMNS, type AccountRow } from '../../books/accounts.ts';
import { keyColumn, ROOT_TABLE } from '../../names.ts';
import { prepared } from './prepare.ts';

export function accountStatements(root: RecordShape) {
  const keys = root.keys.map(keyColumn);
  return {
    find: prepared<AccountRow>`SELECT ${ACCOUNT_COLUMNS} FROM "${ROOT_TABLE}" WHERE account = $1
      AND unique_identifier = $1`,
    /** The next ones after unique identifier $1, in the order of these; no more than $2. */
    next: prepared<readonly [unique_identifier: string]>`SELECT unique_identifier
      FROM "${ROOT_TABLE}" WHERE unique_identifier > $1
      ORDER BY unique_identifier LIMIT $2`,
    /** By name, the root's declared key. */
    list: prepared<AccountRow>`SELECT ${ACCOUNT_COLUMNS} FROM "${ROOT_TABLE}"
      ORDER BY ${[...keys, 'unique_identifier'].join(', ')}`,
    /** By its first commit. Takes unique_identifier, document, the time, livemode, then the declared keys. */
    insert: prepared<AccountRow>`INSERT INTO "${ROOT_TABLE}"
        (account, unique_identifier, document, version, position, inserted_at, updated_at, livemode
          ${keys.map((key) => `, ${key}`).join('')})
      VALUES ($1, $1, $2, 1, 1, $3, $3, $4
          ${keys.map((_, index) => `, $${index + 5}`).join('')})
      RETURNING ${ACCOUNT_COLUMNS}`,
    /** Takes unique_identifier, the position, document, closed_at, the time, then the declared keys. */
    update: prepared`UPDATE "${ROOT_TABLE}"
      SET position = $2, document = $3, closed_at = $4, version = version + 1,
        updated_at = $5
        ${keys.map((key, index) => `, ${key} = $${index + 6}`).join('')}
      WHERE account = $1 AND unique_identifier = $1`,
    /** Takes unique_identifier, the time and whether it is to go. */
    beginEmptying: prepared`UPDATE "${ROOT_TABLE}" SET closed_at = coalesce(closed_at, $2::bigint),
        becomes = CASE WHEN $3::boolean THEN 'gone'
          ELSE coalesce(becomes, CASE WHEN closed_at IS NULL THEN 'open' ELSE 'closed' END) END
      WHERE account = $1 AND unique_identifier = $1`,
    /** Takes unique_identifier $1. */
    endEmptying: prepared`UPDATE "${ROOT_TABLE}"
      SET closed_at = CASE WHEN becomes <> 'open' THEN closed_at END, becomes = NULL
      WHERE account = $1 AND unique_identifier = $1`,
    /** Takes unique_identifier $1, what stands for it last: its own row first, so that no commit follows. */
    remove: [
      `DELETE FROM "${ROOT_TABLE}" WHERE account = $1 AND unique_identifier = $1`,
      'DELETE FROM "commit" WHERE account = $1',
      'DELETE FROM "search_mark" WHERE account = $1',
    ].map((text) => prepared`${text}`),
  };
}
