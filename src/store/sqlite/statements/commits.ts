/** The SQL of commits themselves, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './prepare.ts';

export function commitStatements(database: DatabaseSync) {
  return {
    /** Gives the next position of the account of number ?. */
    begin: prepare<readonly [position: number]>(
      database,
      `INSERT INTO last_commit (account, position) VALUES (?, 1)
       ON CONFLICT (account) DO UPDATE SET position = position + 1 RETURNING position`,
    ),
    /** Sets ? numbers aside, and gives the last of them. */
    setAside: prepare<readonly [lastNumber: number]>(
      database,
      'UPDATE number_counter SET last_number = last_number + ? RETURNING last_number',
    ),
    checkWrite: prepare(database, 'UPDATE write_check SET checked_at = ?'),
  };
}
