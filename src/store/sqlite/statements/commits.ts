/** The SQL of commits themselves, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './prepare.ts';

export function commitStatements(database: DatabaseSync) {
  return {
    nextMark: prepare<readonly [mark: number]>(
      database,
      'UPDATE commit_counter SET value = value + 1 RETURNING value',
    ),
    checkWrite: prepare(database, 'UPDATE write_check SET checked_at = ?'),
  };
}
