/** The book of doubts: requests of open syncs of which something was not taken. */
import {
  DOUBTS_KEPT,
  type DoubtedRequest,
  syncDoubt,
} from '../../../core/objects/transfer/sync.ts';
import type { SyncName } from '../../promises/account-book.ts';
import { Book } from '../book.ts';
import type { Dialect } from '../dialects.ts';
import { newRow, rowReader, selected } from '../rows/own-rows.ts';
import { type BookWrite, statements } from '../tables.ts';

const ONE = 'account = $1 AND unique_identifier = $2';
const OF = 'account = $1 AND sync = $2';
/** A sync that takes rows: after a restore none does. */
const TAKES = "sync.status = 'open' AND sync.marked = 1";
const FOUND = `SELECT ${selected(syncDoubt)} FROM sync_doubt`;
/** How many doubts a request is: its rows, and itself if it was not taken. */
const NUMBER = "unnamed + CASE WHEN reason = 'taken' THEN 0 ELSE 1 END";
/** Takes what `newRow` gives. Kept while the sync takes rows, and where there is room. */
const noted = ({ as }: Dialect): string => `
  INSERT INTO sync_doubt (account, sync, request, name, at, reason, status, code, rows, unnamed, lines)
  SELECT account, unique_identifier, ${as('$3', 'text')}, ${as('$4', 'text')}, ${as('$5', 'bigint')}, ${as('$6', 'text')},
    ${as('$7', 'bigint')}, ${as('$8', 'text')}, ${as('$9', 'bigint')}, ${as('$10', 'bigint')}, ${as('$11', 'text')}
  FROM sync WHERE ${ONE} AND ${TAKES}
    AND ((SELECT count(*) FROM sync_doubt WHERE ${OF}) < ${DOUBTS_KEPT}
      OR EXISTS (SELECT 1 FROM sync_doubt WHERE ${OF} AND request = ${as('$3', 'text')}))
  ON CONFLICT (account, sync, request) DO UPDATE SET name = excluded.name, at = excluded.at, reason = excluded.reason, status = excluded.status,
    code = excluded.code, rows = excluded.rows, unnamed = excluded.unnamed, lines = excluded.lines`;

export const sql = statements({
  /** The step of the sync rises, so that none is finished without the doubt. */
  openForDoubt: `UPDATE sync SET step = step + 1 WHERE ${ONE} AND ${TAKES}`,
  noteDoubt: noted,
  countBeyond: `UPDATE sync SET beyond = coalesce(beyond, 0) + $4 WHERE ${ONE} AND ${TAKES}
    AND NOT EXISTS (SELECT 1 FROM sync_doubt WHERE ${OF} AND request = $3)`,
  endDoubts: ({ among }) =>
    `DELETE FROM sync_doubt WHERE ${OF} AND request <> $3 AND (${among('request', '$4')} OR (name <> '' AND ${among('name', '$5')}))`,
  endDoubt: `DELETE FROM sync_doubt WHERE ${OF} AND request = $3`,
  doubtsOf: `${FOUND} WHERE ${OF} ORDER BY at, request`,
  anyDoubt: `SELECT 1 FROM sync_doubt WHERE ${OF} LIMIT 1`,
  doubtCounts: ({ among }) =>
    `SELECT sync, sum(${NUMBER}) FROM sync_doubt WHERE ${among('account', '$1')} AND ${among('sync', '$2')} GROUP BY sync`,
});

const toDoubt = rowReader(syncDoubt) as (row: readonly unknown[]) => DoubtedRequest;

/** A request answers others: requests before it, by their identifiers or by names that their caller gave them. */
export interface Answering {
  readonly requests: readonly string[];
  readonly names: readonly string[];
}

/** A request that has ended, and which ones it answers. */
export type SettledRequest = DoubtedRequest & { readonly answers: Answering };

export class SyncDoubtBook extends Book {
  /**
   * Notes requests of a sync: on disk when it resolves. One that left no doubt takes its own away, and those that it
   * answers. Nothing is noted where the sync is no longer open. `more` doubts are counted alone.
   */
  async note(
    { account, unique_identifier }: SyncName,
    some: readonly SettledRequest[],
    more = 0,
  ): Promise<void> {
    const name = [account, unique_identifier] as const;
    const writes = some.flatMap(({ answers, ...one }): readonly BookWrite[] => {
      const isTaken = one.reason === 'taken';
      const answered: readonly BookWrite[] =
        isTaken && answers.requests.length + answers.names.length > 0
          ? [[sql.endDoubts, ...name, one.request, answers.requests, answers.names]]
          : [];
      if (isTaken && one.unnamed === 0)
        return [...answered, [sql.endDoubt, ...name, one.request] as const];
      const count = one.unnamed + (isTaken ? 0 : 1);
      const beyond: readonly BookWrite[] =
        one.reason === 'under_way' ? [] : [[sql.countBeyond, ...name, one.request, count]];
      return [...answered, [sql.noteDoubt, ...newRow(syncDoubt, one)], ...beyond];
    });
    const counted: readonly BookWrite[] = more > 0 ? [[sql.countBeyond, ...name, '', more]] : [];
    await this.tables.write([[sql.openForDoubt, ...name], ...writes, ...counted]);
  }

  /** All that are kept, in the order in which they came. */
  readonly of = ({ account, unique_identifier }: SyncName) =>
    this.all(toDoubt, sql.doubtsOf, account, unique_identifier);

  readonly any = async ({ account, unique_identifier }: SyncName) =>
    (await this.tables.rows(sql.anyDoubt, account, unique_identifier)).length > 0;

  /** How many doubts are kept, by sync; syncs without any are left out. */
  async counts(accounts: readonly string[], syncs: readonly string[]) {
    const rows = await this.tables.rows<readonly [string, number]>(
      sql.doubtCounts,
      accounts,
      syncs,
    );
    return new Map(rows.map(([sync, count]) => [sync, Number(count)]));
  }
}
