/** The SQL of commits themselves, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './prepare.ts';

export function commitStatements(database: DatabaseSync) {
  return {
    /** Gives the next position of the account of number ?. */
    begin: prepare<readonly [position: number]>(
      database,
      `INSERT INTO counter (account, value) VALUES (?, 1)
       ON CONFLICT (account) DO UPDATE SET value = value + 1 RETURNING value`,
    ),
    /** Sets ? numbers aside, and gives the last of them. */
    setAside: prepare<readonly [lastNumber: number]>(
      database,
      'UPDATE counter SET value = value + ? WHERE account = 0 RETURNING value',
    ),
    checkWrite: prepare(database, 'UPDATE write_check SET checked_at = ?, content = zeroblob(?)'),
  };
}
