/** A SQLite store at one moment: a read transaction on a connection of its own, concurrent with writes. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { ownColumns } from '../../../core/objects/own-object.ts';
import type { OwnTable } from '../../../core/objects/tables/own-table.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import {
  type AccountImageRow,
  type InspectedRow,
  toAccountImage,
  toFixedRow,
  toInspected,
  toReceiptImage,
  toTombstoneImage,
  weightOf,
} from '../../images.ts';
import { selectRows } from '../../own-tables.ts';
import type { LoggedChange } from '../../promises/log.ts';
import {
  type Batches,
  Batching,
  type InspectedRecord,
  type Snapshot,
} from '../../promises/snapshot.ts';
import { type Scope, type StoredRecord, StoreUnavailable } from '../../promises/store.ts';
import { type RecordRow, toRecord } from '../../records/records.ts';
import { changesOf, type LogRow } from '../commit/change-rows.ts';
import { openDatabase } from '../file/connection.ts';
import { asUnavailable } from '../file/failure.ts';
import { recordSum } from '../schema/tables.ts';
import { prepare } from '../statements/prepare.ts';
import * as statements from '../statements/snapshot.ts';

type ChangesRow = readonly [account: string, ...row: LogRow];

export interface SnapshotOptions {
  readonly path: string;
  /** Parents before children, the root first. */
  readonly shapes: readonly RecordShape[];
  readonly now: () => number;
}

export function takeSnapshot({ path, shapes, now }: SnapshotOptions): Snapshot {
  const database = begin(path);
  return new SqliteSnapshot(database, { taken_at: now(), shapes, close: () => database.close() });
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
export class SqliteSnapshot implements Snapshot {
  readonly taken_at: number;
  readonly #database: DatabaseSync;
  readonly #shapes: readonly RecordShape[];
  readonly #root: RecordShape;

  readonly #close: () => void;

  constructor(
    database: DatabaseSync,
    {
      taken_at,
      shapes,
      close,
    }: Pick<Snapshot, 'taken_at'> &
      Pick<SnapshotOptions, 'shapes'> & { readonly close: () => void },
  ) {
    this.#database = database;
    this.taken_at = taken_at;
    this.#shapes = shapes;
    const [root] = shapes;
    if (root === undefined) throw new TypeError('A store has a root.');
    this.#root = root;
    this.#close = close;
  }

  accounts() {
    return this.#read<AccountImageRow, ReturnType<typeof toAccountImage>>(
      statements.allAccounts,
      toAccountImage,
    );
  }

  async *records(shape: RecordShape, scope?: Scope): Batches<StoredRecord> {
    const root = this.#root;
    if (scope === undefined) {
      yield* this.#read<RecordRow, StoredRecord>(statements.allRecords(shape, root), toRecord);
      return;
    }
    const anchors = scope.anchors === undefined ? null : JSON.stringify([...scope.anchors]);
    const sql = statements.recordsOf(shape, root);
    for (const account of [...scope.accounts].sort()) {
      yield* this.#read<RecordRow, StoredRecord>(sql, toRecord, account, anchors);
    }
  }

  async findAll(
    shape: RecordShape,
    unique_identifiers: readonly string[],
    { accounts, anchors }: Scope,
  ): Promise<readonly StoredRecord[]> {
    const found = this.#read<RecordRow, StoredRecord>(
      statements.recordsNamed(shape, this.#root),
      toRecord,
      JSON.stringify(unique_identifiers),
      JSON.stringify([...accounts]),
      anchors === undefined ? null : JSON.stringify([...anchors]),
    );
    return (await Array.fromAsync(found)).flat();
  }

  gone(shape: RecordShape, among?: readonly string[]) {
    const sql = statements.allGone(shape, this.#root);
    const named = among === undefined ? null : JSON.stringify(among);
    return this.#read(sql, toTombstoneImage, named);
  }

  receipts(expiring_after = 0) {
    const sql = statements.allReceipts(this.#shapes);
    return this.#read(sql, toReceiptImage, Math.max(this.taken_at, expiring_after));
  }

  async *changes(): Batches<LoggedChange> {
    const rows = this.#read<ChangesRow, readonly LoggedChange[]>(
      statements.allChanges,
      ([account, ...row]) => changesOf(account, row),
    );
    for await (const batch of rows) yield batch.flat();
  }

  async *changesFrom(account: string, position: number): Batches<LoggedChange> {
    const rows = this.#read<LogRow, readonly LoggedChange[]>(
      statements.changesFrom,
      (row) => changesOf(account, row),
      account,
      position,
    );
    for await (const batch of rows) yield batch.flat();
  }

  async changesAt(records: Parameters<Snapshot['changesAt']>[0]) {
    const changes: LoggedChange[] = [];
    const commit = prepare<LogRow>(this.#database, statements.changesAt);
    const byCommit = Map.groupBy(records, ({ account, position }) => `${account} ${position}`);
    for (const some of byCommit.values()) {
      const { account, position } = some[0] as (typeof records)[number];
      const names = new Set(some.map(({ unique_identifier }) => unique_identifier));
      for (const row of commit.iterate(account, position)) {
        changes.push(...changesOf(account, row).filter(({ record }) => names.has(record)));
      }
    }
    return changes;
  }

  rows(table: OwnTable, updated_after?: number) {
    const since = updated_after === undefined ? [] : [updated_after];
    const columns = ownColumns(table);
    return this.#read(
      selectRows(table, 'sqlite', since.length > 0),
      (row: readonly unknown[]) => toFixedRow(columns, row),
      ...since,
    );
  }

  inspect(shape: RecordShape) {
    const sql = statements.inspection(shape, this.#root);
    type Row = readonly [inserted_at: number, sum: number | null, ...InspectedRow];
    return this.#read<Row, InspectedRecord>(sql, ([inserted_at, sum, ...row]) => {
      const record = toInspected(row);
      return { ...record, damaged: sum !== null && sum !== recordSum({ ...record, inserted_at }) };
    });
  }

  /** Of the pages of the file, and of indexes against their tables. */
  async damage(): Promise<readonly string[]> {
    try {
      const sql = 'PRAGMA integrity_check(20)';
      const lines = prepare<readonly [text: string]>(this.#database, sql).all();
      return lines.map(([text]) => text).filter((text) => text !== 'ok');
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#close();
  }

  async *#read<Row extends readonly unknown[], Image>(
    sql: string,
    make: (row: Row) => Image,
    ...values: SQLInputValue[]
  ): Batches<Image> {
    try {
      const batch = new Batching<Image>();
      for (const row of prepare<Row>(this.#database, sql).iterate(...values)) {
        const full = batch.add(make(row), weightOf(row));
        if (full !== undefined) yield full;
      }
      const rest = batch.take();
      if (rest.length > 0) yield rest;
    } catch (error) {
      if (!this.#database.isOpen) throw new StoreUnavailable('The snapshot is closed.');
      throw asUnavailable(error);
    }
  }
}
