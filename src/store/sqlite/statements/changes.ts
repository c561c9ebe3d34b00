/** The SQL of the log of changes, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './prepare.ts';

/** The columns of the log, in the order in which `append` takes them. */
export const CHANGE_COLUMNS =
  'account, position, place, token, resource, record, anchor, outcome, version, before, "by", occurred_at, content';

export function changeStatements(database: DatabaseSync) {
  return {
    append: prepare(
      database,
      `INSERT INTO change (${CHANGE_COLUMNS}) VALUES (${CHANGE_COLUMNS.replaceAll(/[^,]+/g, '?')})`,
    ),
    /** Leaves nothing of what was logged of account ? but that it was. */
    forgetContent: prepare(
      database,
      'UPDATE change SET content = NULL WHERE account = ? AND content IS NOT NULL',
    ),
    /** Of account ?. */
    forgetGone: prepare(database, 'DELETE FROM gone WHERE account = ?'),
  };
}
