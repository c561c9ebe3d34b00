/** Reads a whole store as of one moment: the same on every store, over the statements and rows of its driver. */
import type { ColumnKind } from '../core/objects/kinds.ts';
import { type OwnColumn, ownColumns } from '../core/objects/own-object.ts';
import type { RecordShape } from '../core/schema/shape.ts';
import { named, weightOf } from './images.ts';
import { selectRows } from './own-tables.ts';
import type { LoggedChange } from './promises/log.ts';
import {
  type AccountImage,
  type Batches,
  Batching,
  type FixedRow,
  type FixedValue,
  type InspectedRecord,
  type ReceiptImage,
  type Snapshot,
  type TombstoneImage,
} from './promises/snapshot.ts';
import { type StoredRecord, StoreUnavailable } from './promises/store.ts';
import { type RecordRow, toRecord } from './records/records.ts';
import { parentOf } from './tables.ts';

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

/** Reads as a store does. */
export interface SnapshotDriver {
  /** Reads the rows of a statement, page by page as they are requested. */
  pages(sql: string, values: readonly unknown[], few: FewRows): AsyncIterable<Iterable<Row>>;
  /** Reads the few rows of a statement at once. */
  few(sql: string, values: readonly unknown[]): Promise<readonly Row[]>;
  /** A list of texts as a value of a statement; `null` where none is given. */
  texts(list: Iterable<string> | undefined): unknown;
  /** The changes of a row of the log, which begins with its account. */
  toChanges(row: Row): readonly LoggedChange[];
  asUnavailable(error: unknown): unknown;
  release?(): void | Promise<void>;
}

export type FewRows = <One extends Row>(
  sql: string,
  ...values: unknown[]
) => Promise<readonly One[]>;

/** The reads that are the same on every store, and what its own are made of. */
export function wholeSnapshot(
  sql: SnapshotSql,
  { taken_at, shapes }: SnapshotOf,
  driver: SnapshotDriver,
) {
  let isClosed = false;

  const failed = (error: unknown) => (isClosed ? closed() : driver.asUnavailable(error));

  async function* read<One extends Row, Image>(
    make: (row: One) => Image,
    text: string,
    ...values: unknown[]
  ): Batches<Image> {
    const batch = new Batching<Image>();
    try {
      if (isClosed) throw closed();
      for await (const page of driver.pages(text, values, few)) {
        for (const row of page) {
          const full = batch.add(make(row as One), weightOf(row));
          if (full !== undefined) yield full;
        }
      }
    } catch (error) {
      throw failed(error);
    }
    const rest = batch.take();
    if (rest.length > 0) yield rest;
  }

  const few: FewRows = async <One extends Row>(text: string, ...values: unknown[]) => {
    try {
      if (isClosed) throw closed();
      return (await driver.few(text, values)) as readonly One[];
    } catch (error) {
      throw failed(error);
    }
  };

  async function* changesIn(text: string, ...values: unknown[]): Batches<LoggedChange> {
    for await (const batch of read((row) => driver.toChanges(row), text, ...values))
      yield batch.flat();
  }

  const recordsIn = (text: string, ...values: unknown[]): Batches<StoredRecord> =>
    read<RecordRow, StoredRecord>(toRecord, text, ...values);

  const snapshot: Omit<Snapshot, 'changesAt' | 'damage'> = {
    taken_at,
    accounts: () => read(toAccountImage, sql.allAccounts),
    async *records(shape, scope) {
      if (scope === undefined)
        return yield* recordsIn(sql.allRecords(shape, parentOf(shape, shapes)));
      const text = sql.recordsOf(shape, parentOf(shape, shapes));
      for (const account of [...scope.accounts].sort()) {
        yield* recordsIn(text, account, driver.texts(scope.anchors));
      }
    },
    async findAll(shape, unique_identifiers, { accounts, anchors }) {
      const lists = [unique_identifiers, accounts, anchors].map(driver.texts);
      const text = sql.recordsNamed(shape, parentOf(shape, shapes));
      return (await few<RecordRow>(text, ...lists)).map(toRecord);
    },
    gone(shape, among) {
      const parent = parentOf(shape, shapes);
      if (parent === undefined) throw new TypeError('Accounts are not removed.');
      return read(toTombstoneImage, sql.allGone(shape, parent), driver.texts(among));
    },
    receipts(expiring_after = 0) {
      const text = sql.allReceipts(shapes);
      return read(toReceiptImage, text, Math.max(taken_at, expiring_after));
    },
    changes: () => changesIn(sql.allChanges),
    changesFrom: (account, position) => changesIn(sql.changesFrom, account, position),
    rows(table, updated_after) {
      const since = updated_after === undefined ? [] : [updated_after];
      const columns = ownColumns(table);
      const text = selectRows(table, sql.store, since.length > 0);
      return read((row: Row) => toFixedRow(columns, row), text, ...since);
    },
    inspect: (shape) => read(toInspected, sql.inspection(shape, parentOf(shape, shapes))),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await driver.release?.();
    },
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
  return { snapshot, read, recordsIn, few };
}

function closed(): StoreUnavailable {
  return new StoreUnavailable('The snapshot is closed.');
}

const toStoredInspection = named<Omit<InspectedRecord, 'keys'>>(
  ...(['unique_identifier', 'account', 'document', 'version', 'position', 'updated_at'] as const),
  ...(['under', 'timed'] as const),
);

export function toInspected(row: readonly unknown[]): InspectedRecord {
  const { under, timed, ...record } = toStoredInspection(row);
  const keys = row.slice(8) as string[];
  return { ...record, under: Boolean(under), timed: Boolean(timed), keys };
}

const toStoredAccount = named<AccountImage>(
  ...(['unique_identifier', 'livemode', 'document', 'version', 'position'] as const),
  ...(['inserted_at', 'updated_at', 'closed_at', 'committed'] as const),
);

function toAccountImage(row: readonly unknown[]): AccountImage {
  const account = toStoredAccount(row);
  return { ...account, livemode: Boolean(account.livemode) };
}

const toTombstoneImage = named<TombstoneImage>(
  ...(['unique_identifier', 'account', 'position', 'parent', 'external_identifier'] as const),
  ...(['inserted_at', 'removal', 'below', 'created_by'] as const),
);

const toReceiptImage = named<ReceiptImage>(
  ...(['account', 'owner', 'idempotency_key', 'fingerprint', 'expires_at', 'size'] as const),
  ...(['outcome', 'resource', 'record', 'version', 'removed', 'below', 'drafts'] as const),
);

/** `values` are the columns as the store has them: lists as JSON, bytes as digits. */
function toFixedRow(columns: readonly OwnColumn[], values: readonly unknown[]): FixedRow {
  return Object.fromEntries(columns.map(({ name, kind }, at) => [name, toValue(kind, values[at])]));
}

function toValue(kind: ColumnKind, value: unknown): FixedValue {
  if (value === null) return null;
  if (kind === 'flag') return Boolean(value);
  return kind === 'texts' ? toList(String(value)) : (value as FixedValue);
}

/** The text itself if it is damaged: `verify` reports it. */
function toList(text: string): FixedValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
