/** The SQL that works on erased records. */
import { type LogRow, ROW_COLUMNS } from '../commit/change-rows.ts';
import { prepare } from './prepare.ts';

/** The planner takes the primary key for as good as an index: those that are read in commits name it. */
export function erasingStatements(database: Parameters<typeof prepare>[0]) {
  const rows = `SELECT ${ROW_COLUMNS} FROM change
     WHERE account = ? AND position = ? AND instr(changes, ?)`;
  return {
    some: prepare<readonly [1]>(database, 'SELECT 1 FROM erased WHERE account = ? LIMIT 1'),
    known: prepare<readonly [1]>(
      database,
      "SELECT 1 FROM erased WHERE account = ? AND record = ? AND key <> ''",
    ),
    /** Turns a removal by a rule into an erasure for a person: the journal gets a line about it. */
    adopt: prepare(
      database,
      'UPDATE erased SET erasure = ?, erased_at = ?, line = 0 WHERE account = ? AND record = ? AND line = ?',
    ),
    byProbe: prepare<readonly [mark: string, erasure: string]>(
      database,
      'SELECT mark, erasure FROM erased INDEXED BY erased_probe WHERE account = ? AND probe = ?',
    ),
    /** Takes account ?, with a mark from ? on and before ?. */
    beside: prepare<readonly [1]>(
      database,
      `SELECT 1 FROM erased INDEXED BY erased_mark
       WHERE account = ? AND mark >= ? AND mark < ? LIMIT 1`,
    ),
    insert: prepare(
      database,
      `INSERT INTO erased (account, record, resource, anchor, parent, erasure, erased_at, key, probe,
         mark, unforgotten, line, position, number)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (account, record) DO UPDATE SET unforgotten = excluded.unforgotten,
         position = excluded.position, number = excluded.number`,
    ),
    /** Takes account ?, unique identifier ?, of resource ?. */
    gone: prepare<readonly [number, parent: number, external_identifier: string, position: number]>(
      database,
      `SELECT number, parent, external_identifier, position FROM gone
       WHERE account = ? AND record = ? AND resource = ?`,
    ),
    goneNumber: prepare<
      readonly [parent: number, external_identifier: string, unique_identifier: string]
    >(
      database,
      `SELECT parent, external_identifier, record FROM gone INDEXED BY gone_number
       WHERE account = ? AND number = ?`,
    ),
    removalAt: prepare<LogRow>(database, rows),
    changesAt: prepare<LogRow>(database, `${rows} ORDER BY place DESC`),
    /** Gives the row of account ?, position ?, place ? other contents and their sum. */
    empty: prepare(
      database,
      'UPDATE change SET contents = ?, sum = ? WHERE account = ? AND position = ? AND place = ?',
    ),
    unforgotten: prepare<
      readonly [account: string, record: string, position: number, number: number]
    >(
      database,
      `SELECT erased.account, record, unforgotten, account.number FROM erased
       JOIN account ON account.unique_identifier = erased.account
       WHERE unforgotten > 0 ORDER BY erased.account, record LIMIT 1`,
    ),
    forgotten: prepare(
      database,
      'UPDATE erased SET unforgotten = ? WHERE account = ? AND record = ?',
    ),
    unmarked: prepare(database, "DELETE FROM erased WHERE account = ? AND record = ? AND key = ''"),
  };
}
