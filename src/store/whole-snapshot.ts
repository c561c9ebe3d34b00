/** Reads a whole store as of one moment: the same on every store, over the statements and rows of its driver. */
import { ownColumns } from '../core/objects/own-object.ts';
import type { OwnTable } from '../core/objects/tables/own-table.ts';
import type { RecordShape } from '../core/schema/shape.ts';
import {
  toAccountImage,
  toFixedRow,
  toInspected,
  toReceiptImage,
  toTombstoneImage,
  weightOf,
} from './images.ts';
import { selectRows } from './own-tables.ts';
import type { LoggedChange } from './promises/log.ts';
import {
  type Batches,
  Batching,
  type InspectedRecord,
  type Snapshot,
} from './promises/snapshot.ts';
import { type Scope, type StoredRecord, StoreUnavailable } from './promises/store.ts';
import { type RecordRow, toRecord } from './records/records.ts';

type ShapeSql = (shape: RecordShape, parent: RecordShape | undefined) => string;

/** The SQL of a store. It takes the shape of the records above, too. */
export interface SnapshotSql
  extends Readonly<Record<'allRecords' | 'recordsOf' | 'recordsNamed' | 'inspection', ShapeSql>>,
    Readonly<Record<'allAccounts' | 'allChanges' | 'changesFrom', string>> {
  readonly store: Parameters<typeof selectRows>[1];
  allGone(shape: RecordShape, parent: RecordShape): string;
  allReceipts(shapes: readonly RecordShape[]): string;
}

export interface SnapshotOf {
  readonly taken_at: number;
  /** Parents before children, the root first. */
  readonly shapes: readonly RecordShape[];
}

type Row = readonly unknown[];

export abstract class WholeSnapshot implements Snapshot {
  readonly taken_at: number;
  readonly #sql: SnapshotSql;
  readonly #shapes: readonly RecordShape[];
  #closed = false;

  constructor(sql: SnapshotSql, { taken_at, shapes }: SnapshotOf) {
    this.#sql = sql;
    this.taken_at = taken_at;
    this.#shapes = shapes;
  }

  /** Reads the rows of a statement, page by page as they are requested. */
  protected abstract pages(sql: string, values: readonly unknown[]): AsyncIterable<Iterable<Row>>;
  /** Reads the few rows of a statement at once. */
  protected abstract few(sql: string, values: readonly unknown[]): Promise<readonly Row[]>;
  /** A list of texts as a value of a statement; `null` where none is given. */
  protected abstract texts(list: Iterable<string> | undefined): unknown;
  /** The changes of a row of the log, which begins with its account. */
  protected abstract toChanges(row: Row): readonly LoggedChange[];
  protected abstract asUnavailable(error: unknown): unknown;
  protected abstract release(): void | Promise<void>;
  abstract changesAt(...of: Parameters<Snapshot['changesAt']>): ReturnType<Snapshot['changesAt']>;
  abstract damage(): Promise<readonly string[]>;

  accounts() {
    return this.read(toAccountImage, this.#sql.allAccounts);
  }

  async *records(shape: RecordShape, scope?: Scope): Batches<StoredRecord> {
    if (scope === undefined) return yield* this.everyRecord(shape);
    const text = this.#sql.recordsOf(shape, this.parentOf(shape));
    for (const account of [...scope.accounts].sort()) {
      yield* this.read<RecordRow, StoredRecord>(toRecord, text, account, this.texts(scope.anchors));
    }
  }

  protected everyRecord(shape: RecordShape): Batches<StoredRecord> {
    return this.read<RecordRow, StoredRecord>(
      toRecord,
      this.#sql.allRecords(shape, this.parentOf(shape)),
    );
  }

  async findAll(shape: RecordShape, unique_identifiers: readonly string[], scope: Scope) {
    const lists = [unique_identifiers, scope.accounts, scope.anchors];
    const text = this.#sql.recordsNamed(shape, this.parentOf(shape));
    const rows = await this.all<RecordRow>(text, ...lists.map((list) => this.texts(list)));
    return rows.map(toRecord);
  }

  gone(shape: RecordShape, among?: readonly string[]) {
    const parent = this.parentOf(shape);
    if (parent === undefined) throw new TypeError('Accounts are not removed.');
    return this.read(toTombstoneImage, this.#sql.allGone(shape, parent), this.texts(among));
  }

  receipts(expiring_after = 0) {
    const text = this.#sql.allReceipts(this.#shapes);
    return this.read(toReceiptImage, text, Math.max(this.taken_at, expiring_after));
  }

  changes() {
    return this.#changes(this.#sql.allChanges);
  }

  changesFrom(account: string, position: number) {
    return this.#changes(this.#sql.changesFrom, account, position);
  }

  rows(table: OwnTable, updated_after?: number) {
    const since = updated_after === undefined ? [] : [updated_after];
    const columns = ownColumns(table);
    return this.read(
      (row: Row) => toFixedRow(columns, row),
      selectRows(table, this.#sql.store, since.length > 0),
      ...since,
    );
  }

  inspect(shape: RecordShape): Batches<InspectedRecord> {
    return this.read(toInspected, this.#sql.inspection(shape, this.parentOf(shape)));
  }

  protected parentOf(shape: RecordShape): RecordShape | undefined {
    return this.#shapes.find(({ resource }) => resource === shape.parent?.resource);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.release();
  }

  async *#changes(sql: string, ...values: unknown[]): Batches<LoggedChange> {
    for await (const batch of this.read((row) => this.toChanges(row), sql, ...values))
      yield batch.flat();
  }

  protected async *read<One extends Row, Image>(
    make: (row: One) => Image,
    sql: string,
    ...values: unknown[]
  ): Batches<Image> {
    const batch = new Batching<Image>();
    try {
      if (this.#closed) throw closed();
      for await (const page of this.pages(sql, values)) {
        for (const row of page) {
          const full = batch.add(make(row as One), weightOf(row));
          if (full !== undefined) yield full;
        }
      }
    } catch (error) {
      throw this.#closed ? closed() : this.asUnavailable(error);
    }
    const rest = batch.take();
    if (rest.length > 0) yield rest;
  }

  protected async all<One extends Row>(sql: string, ...values: unknown[]) {
    try {
      if (this.#closed) throw closed();
      return (await this.few(sql, values)) as readonly One[];
    } catch (error) {
      throw this.#closed ? closed() : this.asUnavailable(error);
    }
  }
}

function closed(): StoreUnavailable {
  return new StoreUnavailable('The snapshot is closed.');
}
