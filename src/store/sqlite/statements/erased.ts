/** The SQL that works on erased records. */
import type { DatabaseSync } from 'node:sqlite';
import { type LogRow, ROW_COLUMNS } from '../commit/change-rows.ts';
import { preparing } from './prepare.ts';

/** The planner takes the primary key for as good as an index: those that are read in commits name it. */
export function erasingStatements(database: DatabaseSync) {
  const sql = preparing(database);
  const rows = `SELECT ${ROW_COLUMNS} FROM change
     WHERE account = ? AND position = ? AND instr(changes, ?)`;
  return {
    some: sql<readonly [1]>`SELECT 1 FROM erased WHERE account = ? LIMIT 1`,
    known: sql<readonly [1]>`SELECT 1 FROM erased WHERE account = ? AND record = ? AND key <> ''`,
    /** Turns a removal by a rule into an erasure for a person: the journal gets a line about it. */
    adopt: sql`UPDATE erased SET erasure = ?, erased_at = ?, line = 0 WHERE account = ?
      AND record = ? AND line = ?`,
    byProbe: sql<readonly [mark: string, erasure: string]>`SELECT mark, erasure
      FROM erased INDEXED BY erased_probe WHERE account = ? AND probe = ?`,
    /** Takes account ?, with a mark from ? on and before ?. */
    beside: sql<readonly [1]>`SELECT 1 FROM erased INDEXED BY erased_mark
      WHERE account = ? AND mark >= ? AND mark < ? LIMIT 1`,
    insert: sql`INSERT INTO erased (account, record, resource, anchor, parent, erasure, erased_at,
      key, probe,
        mark, unforgotten, line, position, number)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (account, record) DO UPDATE SET unforgotten = excluded.unforgotten,
        position = excluded.position, number = excluded.number`,
    /** Takes account ?, unique identifier ?, of resource ?. */
    gone: sql<
      readonly [number, parent: number, external_identifier: string, position: number]
    >`SELECT number, parent, external_identifier, position FROM gone
      WHERE account = ? AND record = ? AND resource = ?`,
    goneNumber: sql<
      readonly [parent: number, external_identifier: string, unique_identifier: string]
    >`SELECT parent, external_identifier, record FROM gone INDEXED BY gone_number
      WHERE account = ? AND number = ?`,
    removalAt: sql<LogRow>`${rows}`,
    changesAt: sql<LogRow>`${rows} ORDER BY place DESC`,
    /** Gives the row of account ?, position ?, place ? other contents and their sum. */
    empty: sql`UPDATE change SET contents = ?, sum = ? WHERE account = ? AND position = ?
      AND place = ?`,
    unforgotten: sql<
      readonly [account: string, record: string, position: number, number: number]
    >`SELECT erased.account, record, unforgotten, account.number FROM erased
      JOIN account ON account.unique_identifier = erased.account
      WHERE unforgotten > 0 ORDER BY erased.account, record LIMIT 1`,
    forgotten: sql`UPDATE erased SET unforgotten = ? WHERE account = ? AND record = ?`,
    unmarked: sql`DELETE FROM erased WHERE account = ? AND record = ? AND key = ''`,
  };
}
