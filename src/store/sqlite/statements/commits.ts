/** The SQL of commits themselves, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './prepare.ts';

export function commitStatements(database: DatabaseSync) {
  return {
    /** Raises the mark by one, and sets ? numbers aside: the last of them comes back. */
    begin: prepare<readonly [mark: number, lastNumber: number]>(
      database,
      `UPDATE commit_counter SET value = value + 1, last_number = last_number + ?
       RETURNING value, last_number`,
    ),
    checkWrite: prepare(database, 'UPDATE write_check SET checked_at = ?'),
  };
}
