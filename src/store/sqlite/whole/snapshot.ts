/** A SQLite store at one moment: a read transaction on a connection of its own, concurrent with writes. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type InspectedRow, toInspected } from '../../images.ts';
import type { LoggedChange } from '../../promises/log.ts';
import type { InspectedRecord, Snapshot } from '../../promises/snapshot.ts';
import { type SnapshotOf, wholeSnapshot } from '../../whole-snapshot.ts';
import { changesOf, type LogRow } from '../commit/change-rows.ts';
import { openDatabase } from '../file/connection.ts';
import { asUnavailable } from '../file/failure.ts';
import { recordSum } from '../schema/tables.ts';
import { prepare } from '../statements/prepare.ts';
import * as statements from '../statements/snapshot.ts';

type ChangesRow = readonly [account: string, ...row: LogRow];

export interface SnapshotOptions extends Pick<SnapshotOf, 'shapes'> {
  readonly path: string;
  readonly now: () => number;
}

export function takeSnapshot({ path, shapes, now }: SnapshotOptions): Snapshot {
  const database = begin(path);
  return sqliteSnapshot(database, { taken_at: now(), shapes }, () => database.close());
}

function begin(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(path);
    // Other connections checkpoint the log, so this one need not. Most pages are read once, so a larger cache costs
    // memory without making exports and backups faster.
    database.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -8192');
    database.exec('BEGIN; SELECT count(*) FROM counter');
    return database;
  } catch (error) {
    database?.close();
    throw asUnavailable(error);
  }
}

/** Reads on a connection that is in a transaction. */
export function sqliteSnapshot(
  database: DatabaseSync,
  of: SnapshotOf,
  release?: () => void,
): Snapshot {
  const { snapshot, read, few, parentOf } = wholeSnapshot(statements, of, {
    async *pages(sql, values) {
      yield prepare<readonly unknown[]>(database, sql).iterate(...(values as SQLInputValue[]));
    },
    few: async (sql, values) =>
      prepare<readonly unknown[]>(database, sql).all(...(values as SQLInputValue[])),
    texts: (list) => (list === undefined ? null : JSON.stringify([...list])),
    toChanges: (row) => toChanges(row as ChangesRow),
    asUnavailable,
    ...(release && { release }),
  });
  return {
    ...snapshot,
    async changesAt(records) {
      const changes: LoggedChange[] = [];
      const commit = prepare<ChangesRow>(database, statements.changesAt);
      const byCommit = Map.groupBy(records, ({ account, position }) => `${account} ${position}`);
      for (const some of byCommit.values()) {
        const { account, position } = some[0] as (typeof records)[number];
        const names = new Set(some.map(({ unique_identifier }) => unique_identifier));
        for (const row of commit.iterate(account, position)) {
          changes.push(...toChanges(row).filter(({ record }) => names.has(record)));
        }
      }
      return changes;
    },
    inspect(shape) {
      const sql = statements.inspection(shape, parentOf(shape));
      type Row = readonly [inserted_at: number, sum: number | null, ...InspectedRow];
      return read<Row, InspectedRecord>(([inserted_at, sum, ...row]) => {
        const record = toInspected(row);
        const damaged = sum !== null && sum !== recordSum({ ...record, inserted_at });
        return { ...record, damaged };
      }, sql);
    },
    /** Finds damage of the pages of the file, and of indexes against their tables. */
    async damage() {
      const lines = await few<readonly [text: string]>('PRAGMA integrity_check(20)');
      return lines.map(([text]) => text).filter((text) => text !== 'ok');
    },
  };
}

function toChanges([account, ...row]: ChangesRow): readonly LoggedChange[] {
  return changesOf(account, row);
}
