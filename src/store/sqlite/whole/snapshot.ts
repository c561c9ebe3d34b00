/** A SQLite store at one moment: a read transaction on a connection of its own, concurrent with writes. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { type InspectedRow, toInspected } from '../../images.ts';
import type { LoggedChange } from '../../promises/log.ts';
import type { InspectedRecord, Snapshot } from '../../promises/snapshot.ts';
import { type SnapshotOf, WholeSnapshot } from '../../whole-snapshot.ts';
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
  return new SqliteSnapshot(database, { taken_at: now(), shapes }, () => database.close());
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
export class SqliteSnapshot extends WholeSnapshot {
  readonly #database: DatabaseSync;
  protected readonly release: () => void;

  constructor(database: DatabaseSync, of: SnapshotOf, release: () => void = () => {}) {
    super(statements, of);
    this.#database = database;
    this.release = release;
  }

  protected async *pages(sql: string, values: readonly SQLInputValue[]) {
    yield prepare<readonly unknown[]>(this.#database, sql).iterate(...values);
  }

  protected async few(sql: string, values: readonly SQLInputValue[]) {
    return prepare<readonly unknown[]>(this.#database, sql).all(...values);
  }

  protected texts(list: Iterable<string> | undefined) {
    return list === undefined ? null : JSON.stringify([...list]);
  }

  protected toChanges([account, ...row]: ChangesRow) {
    return changesOf(account, row);
  }

  protected asUnavailable(error: unknown): unknown {
    return asUnavailable(error);
  }

  async changesAt(records: Parameters<Snapshot['changesAt']>[0]) {
    const changes: LoggedChange[] = [];
    const commit = prepare<ChangesRow>(this.#database, statements.changesAt);
    const byCommit = Map.groupBy(records, ({ account, position }) => `${account} ${position}`);
    for (const some of byCommit.values()) {
      const { account, position } = some[0] as (typeof records)[number];
      const names = new Set(some.map(({ unique_identifier }) => unique_identifier));
      for (const row of commit.iterate(account, position)) {
        changes.push(...this.toChanges(row).filter(({ record }) => names.has(record)));
      }
    }
    return changes;
  }

  override inspect(shape: RecordShape) {
    const sql = statements.inspection(shape, this.parentOf(shape));
    type Row = readonly [inserted_at: number, sum: number | null, ...InspectedRow];
    return this.read<Row, InspectedRecord>(([inserted_at, sum, ...row]) => {
      const record = toInspected(row);
      return { ...record, damaged: sum !== null && sum !== recordSum({ ...record, inserted_at }) };
    }, sql);
  }

  /** Finds damage of the pages of the file, and of indexes against their tables. */
  async damage(): Promise<readonly string[]> {
    const lines = await this.all<readonly [text: string]>('PRAGMA integrity_check(20)');
    return lines.map(([text]) => text).filter((text) => text !== 'ok');
  }
}
