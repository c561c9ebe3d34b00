/** Fills a new SQLite file next to the store's place, and moves it there when it is complete. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { ColumnKind } from '../../../core/objects/kinds.ts';
import { ownColumns } from '../../../core/objects/own-object.ts';
import type { OwnTable } from '../../../core/objects/tables/own-table.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { settling } from '../../books/books.ts';
import type { Loading } from '../../loading.ts';
import { quoteName, tableName } from '../../names.ts';
import type { LoggedChange } from '../../promises/log.ts';
import type {
  AccountImage,
  Batches,
  FixedRow,
  FixedValue,
  ReceiptImage,
  Snapshot,
  TombstoneImage,
} from '../../promises/snapshot.ts';
import { StoreUnavailable } from '../../promises/store.ts';
import type { StoredRecord } from '../../promises/stored.ts';
import { purgedAt } from '../../receipt-room.ts';
import { storedKeys } from '../../records/indexed.ts';
import { parseDocument } from '../../records/records.ts';
import { FillingRow } from '../commit/change-rows.ts';
import { ReceiptNumbers } from '../commit/receipts.ts';
import { asUnavailable } from '../file/failure.ts';
import { APPLICATION_ID } from '../file/identity.ts';
import { type TargetFile, takeTarget } from '../file/target.ts';
import { migrate } from '../schema/migrate.ts';
import { indexedValues, parentTable, recordSum } from '../schema/tables.ts';
import { changeStatements } from '../statements/changes.ts';
import * as statements from '../statements/load.ts';
import { prepare, type Statement } from '../statements/prepare.ts';
import { receiptStatements } from '../statements/receipts.ts';
import { SqliteSnapshot } from './snapshot.ts';

/** Throws `StoreUnusable` if nothing can be restored to that path. */
export async function loadSqlite(given: string, shapes: readonly RecordShape[]): Promise<Loading> {
  const target = await takeTarget(given);
  try {
    return new SqliteLoading(target, shapes);
  } catch (error) {
    target.release();
    throw asUnavailable(error);
  }
}

class SqliteLoading implements Loading {
  readonly place: string;
  readonly #target: TargetFile;
  readonly #shapes: readonly RecordShape[];
  readonly #root: RecordShape;
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof statements.loadStatements>;
  /** The last number that was given to a record. */
  #number = 0;

  constructor(target: TargetFile, shapes: readonly RecordShape[]) {
    const [root] = shapes;
    if (root === undefined) throw new TypeError('A store has a root.');
    this.place = `sqlite:${target.path}`;
    this.#target = target;
    this.#shapes = shapes;
    this.#root = root;
    this.#database = new DatabaseSync(target.beside);
    // It has no readers until it is complete: it is synced once, at the end.
    this.#database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16384;
      PRAGMA application_id = ${APPLICATION_ID}; BEGIN`);
    migrate(this.#database, shapes);
    this.#statements = statements.loadStatements(this.#database, root);
  }

  accounts(rows: Batches<AccountImage>): Promise<void> {
    return this.#each(rows, (account) => {
      const { unique_identifier, document, version, position } = account;
      const { inserted_at, updated_at, livemode, closed_at, committed } = account;
      const number = this.#next();
      this.#statements.account.run(
        ...[number, number, unique_identifier, document, version, position],
        ...[inserted_at, updated_at, livemode ? 1 : 0, closed_at],
        ...storedKeys(this.#root, parseDocument(document)),
      );
      this.#statements.committed.run(number, committed);
    });
  }

  async records(shape: RecordShape, rows: Batches<StoredRecord | TombstoneImage>): Promise<void> {
    const table = tableName(shape);
    const indexes = statements.indexesOf(this.#database, table);
    for (const [name] of indexes) this.#database.exec(`DROP INDEX ${quoteName(name)}`);
    const insert = statements.insertRecord(this.#database, shape);
    const parents = this.#numbersIn(parentTable(shape, this.#root) ?? '');
    await this.#each(rows, (row) => {
      const account = this.#account(row.account);
      const number = this.#next();
      const { unique_identifier, position, external_identifier, inserted_at } = row;
      const created_by = row.created_by ?? null;
      if (!('document' in row)) {
        const parent = row.parent === null ? 0 : (parents(account, row.parent) ?? 0);
        const who = [shape.resource, number, parent, external_identifier, inserted_at] as const;
        const with_ = [row.removal, row.below, created_by] as const;
        this.#statements.gone.run(account, unique_identifier, position, ...who, ...with_);
        return;
      }
      const { parent, anchor, document, version, updated_at } = row;
      insert.run(
        ...[number, account, parents(account, parent ?? '') ?? missing(unique_identifier)],
        ...[unique_identifier, anchor, external_identifier],
        ...[document, version, position, inserted_at, updated_at],
        ...[created_by, row.changed_by ?? null, recordSum(row)],
        ...indexedValues(row, storedKeys(shape, parseDocument(document))),
      );
    });
    // Building indexes at the end takes a fraction of the time that it takes row by row.
    for (const [, create] of indexes) this.#database.exec(create);
  }

  async receipts(rows: Batches<ReceiptImage>): Promise<void> {
    const receiptNumbers = new ReceiptNumbers(receiptStatements(this.#database));
    const numbers = new Map(
      this.#shapes.map((shape) => [shape.resource, this.#numbersIn(tableName(shape))]),
    );
    const { receipt, answered } = this.#statements;
    await this.#each(rows, (row) => {
      const { owner, idempotency_key, expires_at, size, outcome, resource, version } = row;
      const account = this.#account(row.account);
      const until = purgedAt(expires_at);
      const record =
        row.record === null || resource === null
          ? undefined
          : numbers.get(resource)?.(account, row.record);
      // The receipt of a removed record names none: no record has number 0.
      const named = resource === null ? null : (record ?? 0);
      receipt.run(
        ...[receiptNumbers.until(until), owner, idempotency_key, account],
        ...[Uint8Array.fromHex(row.fingerprint), expires_at, size, outcome, resource, named],
        ...[version, row.removed, row.below, row.drafts],
      );
      if (record === undefined || version === null) return;
      answered.run(record, version, row.document, row.updated_at, until);
    });
    this.#statements.rooms.run();
  }

  async changes(rows: Batches<LoggedChange>): Promise<void> {
    const { append } = changeStatements(this.#database);
    let first: LoggedChange | undefined;
    let row = new FillingRow();
    const put = (): void => {
      if (first === undefined) return;
      append.run(this.#account(first.account), ...row.at(first));
      row = new FillingRow();
      first = undefined;
    };
    await this.#each(rows, (change) => {
      const { account, position, place } = change;
      // PostgreSQL leaves a gap in places if a later commit wrote the row.
      const isNext =
        first?.account === account &&
        first.position === position &&
        first.place + row.count === place;
      if (!isNext || row.full) put();
      first ??= change;
      row.add({ ...change, by: change.by ?? undefined });
    });
    put();
  }

  rows(table: OwnTable, rows: Batches<FixedRow>): Promise<void> {
    const insert = statements.insertRow(this.#database, table);
    const columns = ownColumns(table);
    return this.#each(rows, (row) => {
      insert.run(...columns.map(({ name, kind }) => toColumn(kind, row[name] ?? null)));
    });
  }

  async snapshot(taken_at: number): Promise<Snapshot> {
    return new SqliteSnapshot(this.#database, { taken_at, shapes: this.#shapes });
  }

  async settle(how: Parameters<Loading['settle']>[0]): Promise<void> {
    for (const [{ sqlite }, ...values] of settling(how)) {
      prepare(this.#database, sqlite).run(...values);
    }
  }

  async finish(): Promise<void> {
    try {
      this.#statements.numbers.run(this.#number);
      this.#database.exec('COMMIT');
      this.#database.close();
      this.#target.exchange();
      this.#target.release();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  async abandon(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
    this.#target.release();
  }

  #next(): number {
    this.#number += 1;
    return this.#number;
  }

  #accountNamed = '';
  #accountNumber = 0;

  #account(unique_identifier: string): number {
    if (this.#accountNamed === unique_identifier) return this.#accountNumber;
    const [number] = this.#statements.findAccount.get(unique_identifier) ?? [];
    this.#accountNumber = number ?? missing(unique_identifier);
    this.#accountNamed = unique_identifier;
    return this.#accountNumber;
  }

  /** Finds records of a table by account and unique identifier, those that were removed included. */
  #numbersIn(table: string): (account: number, unique_identifier: string) => number | undefined {
    const find: Statement<readonly [number]> = statements.findNumber(this.#database, table);
    return (account, unique_identifier) =>
      (find.get(account, unique_identifier) ??
        this.#statements.findGone.get(account, unique_identifier))?.[0];
  }

  async #each<Row>(rows: Batches<Row>, load: (row: Row) => void): Promise<void> {
    for await (const batch of rows) {
      try {
        for (const row of batch) load(row);
      } catch (error) {
        throw asUnavailable(error);
      }
    }
  }
}

function missing(unique_identifier: string): never {
  throw new StoreUnavailable(
    `The store cannot be filled: what ${unique_identifier} belongs to is not there.`,
  );
}

function toColumn(kind: ColumnKind, value: FixedValue): SQLInputValue {
  if (value === null || typeof value === 'number') return value;
  if (kind === 'bytes') return Uint8Array.fromHex(String(value));
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
