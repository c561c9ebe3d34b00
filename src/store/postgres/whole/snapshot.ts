/** A moment of a PostgreSQL store: one transaction that only reads, on a connection of its own. */
import { ownColumns } from '../../../core/objects/own-object.ts';
import type { OwnTable } from '../../../core/objects/tables/own-table.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import {
  type AccountImageRow,
  type ChangeImageRow,
  type InspectedRow,
  toAccountImage,
  toChangeImage,
  toFixedRow,
  toInspected,
  toReceiptImage,
  toTombstoneImage,
  weightOf,
} from '../../images.ts';
import { selectRows } from '../../own-tables.ts';
import {
  type AccountImage,
  type Batches,
  Batching,
  type Snapshot,
} from '../../promises/snapshot.ts';
import { type Scope, type StoredRecord, StoreUnavailable } from '../../promises/store.ts';
import { type RecordRow, toRecord } from '../../records/records.ts';
import * as statements from '../statements/snapshot.ts';
import { asUnavailable } from '../wire/failure.ts';
import { call, type Session } from '../wire/session.ts';
import { numberArray, textArray } from '../wire/values.ts';

/** How many rows are fetched at a time: of the largest documents, some megabytes. */
const FETCHED = 200;
/** Accounts whose records the server merges: it holds a page of each. With more, it sorts all records. */
const MERGED = 100;

/** `shapes` are parents before children, the root first. */
export async function takeSnapshot(
  open: () => Promise<Session>,
  shapes: readonly RecordShape[],
  now: () => number,
  isSpread: boolean,
): Promise<Snapshot> {
  let session: Session | undefined;
  try {
    session = await open();
    const { beginSnapshot, beginRead, beginReadSpread } = statements;
    for (const text of [...beginSnapshot, ...(isSpread ? beginReadSpread : beginRead)]) {
      await session.run(call({ text }));
    }
    const own = session;
    return new PostgresSnapshot(session, {
      ...{ shapes, isSpread, taken_at: now() },
      close: () => own.close(),
    });
  } catch (error) {
    session?.destroy();
    throw asUnavailable(error);
  }
}

export interface ReadMoment {
  /** Parents before children, the root first. */
  readonly shapes: readonly RecordShape[];
  /** Whether tables are spread over several servers. */
  readonly isSpread: boolean;
  readonly taken_at: number;
  readonly close: () => Promise<void>;
}

/** Reads in the transaction of a session. */
export class PostgresSnapshot implements Snapshot {
  readonly taken_at: number;
  readonly #session: Session;
  readonly #shapes: readonly RecordShape[];
  readonly #isSpread: boolean;
  #cursors = 0;
  #closed = false;

  readonly #close: () => Promise<void>;

  constructor(session: Session, { shapes, isSpread, taken_at, close }: ReadMoment) {
    this.#session = session;
    this.#shapes = shapes;
    this.#isSpread = isSpread;
    this.taken_at = taken_at;
    this.#close = close;
  }

  accounts() {
    return this.#read<AccountImageRow, AccountImage>(statements.allAccounts, toAccountImage);
  }

  async *records(shape: RecordShape, scope?: Scope): Batches<StoredRecord> {
    if (scope === undefined) {
      const few = await this.#fewAccounts();
      const text =
        few.length > 0 ? statements.recordsOfEach(shape, few.length) : statements.allRecords(shape);
      yield* this.#read<RecordRow, StoredRecord>(text, toRecord, ...few);
      return;
    }
    const anchors = scope.anchors === undefined ? null : textArray([...scope.anchors]);
    const text = statements.recordsOf(shape);
    for (const account of [...scope.accounts].sort()) {
      yield* this.#read<RecordRow, StoredRecord>(text, toRecord, account, anchors);
    }
  }

  async findAll(
    shape: RecordShape,
    unique_identifiers: readonly string[],
    { accounts, anchors }: Scope,
  ): Promise<readonly StoredRecord[]> {
    const rows = await this.#run<RecordRow>(
      { text: statements.recordsNamed(shape) },
      textArray(unique_identifiers),
      textArray([...accounts]),
      anchors === undefined ? null : textArray([...anchors]),
    );
    return rows.map(toRecord);
  }

  gone(shape: RecordShape, among?: readonly string[]) {
    const parent = this.#parentOf(shape);
    if (parent === undefined) throw new TypeError('Accounts are not removed.');
    const named = among === undefined ? null : textArray(among);
    return this.#read(statements.allGone(shape, parent), toTombstoneImage, named);
  }

  receipts(expiring_after = 0) {
    const text = statements.allReceipts(this.#shapes);
    return this.#read(text, toReceiptImage, Math.max(this.taken_at, expiring_after));
  }

  changes() {
    return this.#read<ChangeImageRow, ReturnType<typeof toChangeImage>>(
      statements.allChanges,
      toChangeImage,
    );
  }

  changesFrom(account: string, position: number) {
    return this.#read<ChangeImageRow, ReturnType<typeof toChangeImage>>(
      statements.changesFrom,
      toChangeImage,
      account,
      position,
    );
  }

  async changesAt(records: Parameters<Snapshot['changesAt']>[0]) {
    const rows = await this.#run<ChangeImageRow>(
      { text: statements.changesAt },
      textArray(records.map(({ account }) => account)),
      numberArray(records.map(({ position }) => position)),
      textArray(records.map(({ unique_identifier }) => unique_identifier)),
    );
    const wanted = new Set(
      records.map(({ account, position, unique_identifier }) =>
        JSON.stringify([account, position, unique_identifier]),
      ),
    );
    return rows
      .map(toChangeImage)
      .filter(({ account, position, record }) =>
        wanted.has(JSON.stringify([account, position, record])),
      );
  }

  /** All accounts, closed ones too; none where there are too many to be merged. */
  async #fewAccounts(): Promise<readonly string[]> {
    if (this.#isSpread) return [];
    const text = statements.someAccounts;
    const rows = await this.#run<readonly [account: string]>({ text }, MERGED + 1);
    return rows.length > MERGED ? [] : rows.map(([account]) => account);
  }

  #parentOf(shape: RecordShape): RecordShape | undefined {
    return this.#shapes.find(({ resource }) => resource === shape.parent?.resource);
  }

  rows(table: OwnTable, updated_after?: number) {
    const since = updated_after === undefined ? [] : [updated_after];
    const columns = ownColumns(table);
    return this.#read(
      selectRows(table, 'postgres', since.length > 0),
      (row: readonly unknown[]) => toFixedRow(columns, row),
      ...since,
    );
  }

  inspect(shape: RecordShape) {
    const text = statements.inspection(shape, this.#parentOf(shape));
    return this.#read<InspectedRow, ReturnType<typeof toInspected>>(text, toInspected);
  }

  async damage(): Promise<readonly string[]> {
    const rows = await this.#run<readonly [name: string]>({ text: statements.invalidIndexes });
    return rows.map(([name]) => `the index ${name} is not valid: rebuild it with REINDEX`);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#close();
  }

  async *#read<Row extends readonly unknown[], Image>(
    text: string,
    make: (row: Row) => Image,
    ...values: unknown[]
  ): Batches<Image> {
    this.#cursors += 1;
    const cursor = `read_${this.#cursors}`;
    try {
      await this.#run({ text: `DECLARE ${cursor} NO SCROLL CURSOR FOR ${text}` }, ...values);
      const batch = new Batching<Image>();
      for (;;) {
        const rows = await this.#run<Row>({ text: `FETCH ${FETCHED} FROM ${cursor}` });
        for (const row of rows) {
          const full = batch.add(make(row), weightOf(row));
          if (full !== undefined) yield full;
        }
        if (rows.length < FETCHED) break;
      }
      const rest = batch.take();
      if (rest.length > 0) yield rest;
    } finally {
      if (!this.#closed && this.#session.usable) {
        await this.#session.run(call({ text: `CLOSE ${cursor}` })).catch(() => undefined);
      }
    }
  }

  async #run<Row extends readonly unknown[]>(
    statement: { readonly text: string },
    ...values: unknown[]
  ): Promise<readonly Row[]> {
    if (this.#closed) throw new StoreUnavailable('The snapshot is closed.');
    try {
      return await this.#session.rows<Row>(call(statement, ...values));
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}
