/** The SQL of commits themselves, each statement by its name. */
import type { DatabaseSync } from 'node:sqlite';
import { preparing } from './prepare.ts';

export function commitStatements(database: DatabaseSync) {
  const sql = preparing(database);
  return {
    /** Gives the next position of the account of number ?. */
    begin: sql<readonly [position: number]>`INSERT INTO counter (account, value) VALUES (?, 1)
      ON CONFLICT (account) DO UPDATE SET value = value + 1 RETURNING value`,
    /** Sets ? numbers aside, and gives the last of them. */
    setAside: sql<readonly [lastNumber: number]>`UPDATE counter SET value = value + ?
      WHERE account = 0 RETURNING value`,
    checkWrite: sql`UPDATE write_check SET checked_at = ?, content = zeroblob(?)`,
  };
}
