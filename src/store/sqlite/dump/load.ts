/** Fills a new SQLite file next to the store's place, and moves it there when it is complete. */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { ColumnKind } from '../../../core/objects/kinds.ts';
import { ownColumns } from '../../../core/objects/own-object.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { settling } from '../../books/books.ts';
import { quoteName, ROOT_TABLE, tableName } from '../../names.ts';
import type { LoggedChange } from '../../promises/log.ts';
import type { Batches, FixedValue, Loading } from '../../promises/snapshot.ts';
import { StoreUnavailable } from '../../promises/store.ts';
import { parseDocument, storedKeys } from '../../records/records.ts';
import { parentOf } from '../../tables.ts';
import { FillingRow } from '../commit/change-rows.ts';
import { createReceiptNumbers } from '../commit/receipts.ts';
import { asUnavailable } from '../file/failure.ts';
import { APPLICATION_ID } from '../file/open-file.ts';
import { type TargetFile, takeTarget } from '../file/target.ts';
import { migrate } from '../schema/migrate.ts';
import { indexedColumns, indexedValues, recordSum } from '../schema/tables.ts';
import { changeStatements } from '../statements/changes.ts';
import { prepare, preparing } from '../statements/prepare.ts';
import { receiptStatements } from '../statements/receipts.ts';
import { insertRecord } from '../statements/records.ts';
import { sqliteSnapshot } from './snapshot.ts';

/** Throws `StoreUnusable` if nothing can be restored to that path. */
export async function loadSqlite(given: string, shapes: readonly RecordShape[]): Promise<Loading> {
  const target = await takeTarget(given);
  try {
    return createLoading(target, shapes);
  } catch (error) {
    target.release();
    throw asUnavailable(error);
  }
}

function createLoading(target: TargetFile, shapes: readonly RecordShape[]): Loading {
  let lastNumber = 0;
  let account = { name: '', number: 0 };
  const [root] = shapes;
  if (root === undefined) throw new TypeError('A store has a root.');
  const database = new DatabaseSync(target.beside);
  // It has no readers until it is complete: it is synced once, at the end. A journal in memory has what was there before
  // the one transaction, which is nothing; SQLite refuses to have none.
  database.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -16384;
      PRAGMA application_id = ${APPLICATION_ID}; BEGIN`);
  migrate(database, shapes);
  const sql = preparing(database);
  const insertInto = (table: string, columns: readonly string[]) => {
    const names = columns.map(quoteName).join(', ');
    const values = columns.map(() => '?').join(', ');
    return prepare(database, `INSERT INTO ${quoteName(table)} (${names}) VALUES (${values})`);
  };
  const inserts = {
    account: insertInto(ROOT_TABLE, [
      ...['number', 'account', 'unique_identifier', 'document', 'version', 'position'],
      ...['inserted_at', 'updated_at', 'livemode', 'closed_at', ...indexedColumns(root)],
    ]),
    committed: sql`INSERT INTO counter (account, value) VALUES (?, ?)`,
    gone: insertInto('gone', [
      ...['account', 'record', 'position', 'resource', 'number', 'parent'],
      ...['external_identifier', 'inserted_at', 'removal', 'below', 'created_by'],
    ]),
  };
  type Found = readonly [number: number];
  const findAccount = sql<Found>`SELECT number FROM ${ROOT_TABLE} WHERE unique_identifier = ?`;
  const findGone = sql<Found>`SELECT number FROM gone WHERE account = ? AND record = ?`;

  function accountOf(name: string): number {
    if (account.name !== name) {
      account = { name, number: findAccount.get(name)?.[0] ?? missing(name) };
    }
    return account.number;
  }

  /** Finds records of a table by account and unique identifier, those that were removed included. */
  function numbersIn(table: string) {
    const find = sql<Found>`SELECT number FROM ${quoteName(table)}
      WHERE account = ? AND unique_identifier = ?`;
    return (...name: [account: number, unique_identifier: string]): number | undefined =>
      (find.get(...name) ?? findGone.get(...name))?.[0];
  }

  async function each<Row>(rows: Batches<Row>, load: (row: Row) => void): Promise<void> {
    for await (const batch of rows) {
      try {
        for (const row of batch) load(row);
      } catch (error) {
        throw asUnavailable(error);
      }
    }
  }

  return {
    place: `sqlite:${target.path}`,
    accounts(rows) {
      return each(rows, (account) => {
        const { unique_identifier, document, version, position } = account;
        const { inserted_at, updated_at, livemode, closed_at, committed } = account;
        const number = ++lastNumber;
        inserts.account.run(
          ...[number, number, unique_identifier, document, version, position],
          ...[inserted_at, updated_at, livemode ? 1 : 0, closed_at],
          ...storedKeys(root, parseDocument(document)),
        );
        inserts.committed.run(number, committed);
      });
    },
    async records(shape, rows) {
      const table = tableName(shape);
      const indexes = sql<readonly [name: string, create: string]>`SELECT name, sql
        FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`.all(table);
      for (const [name] of indexes) database.exec(`DROP INDEX ${quoteName(name)}`);
      const insert = insertRecord(database, shape);
      const parents = numbersIn(tableName(parentOf(shape, shapes) ?? root));
      await each(rows, (row) => {
        const account = accountOf(row.account);
        const number = ++lastNumber;
        const { unique_identifier, position, external_identifier, inserted_at } = row;
        const created_by = row.created_by ?? null;
        if (!('document' in row)) {
          const parent = row.parent === null ? 0 : (parents(account, row.parent) ?? 0);
          const who = [shape.resource, number, parent, external_identifier, inserted_at] as const;
          const with_ = [row.removal, row.below, created_by] as const;
          inserts.gone.run(account, unique_identifier, position, ...who, ...with_);
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
      for (const [, create] of indexes) database.exec(create);
    },
    async receipts(rows) {
      const receipts = receiptStatements(database);
      const numberFor = createReceiptNumbers(receipts);
      const numbers = new Map(shapes.map((shape) => [shape.resource, numbersIn(tableName(shape))]));
      await each(rows, (row) => {
        const { owner, idempotency_key, expires_at, size, outcome, resource, version } = row;
        const account = accountOf(row.account);
        const record =
          row.record === null || resource === null
            ? undefined
            : numbers.get(resource)?.(account, row.record);
        // The receipt of a removed record names none: no record has number 0.
        const named = resource === null ? null : (record ?? 0);
        receipts.keep.run(
          ...[numberFor(expires_at), owner, idempotency_key, account],
          ...[Uint8Array.fromHex(row.fingerprint), expires_at, size, outcome, resource, named],
          ...[version, row.removed, row.below, row.drafts],
        );
      });
      sql`INSERT INTO receipt_room (owner, bytes) SELECT owner, sum(size)
        FROM receipt GROUP BY owner`.run();
    },
    async changes(rows) {
      const { append } = changeStatements(database);
      let first: LoggedChange | undefined;
      let row = new FillingRow();
      const put = (): void => {
        if (first === undefined) return;
        append.run(accountOf(first.account), ...row.at(first));
        row = new FillingRow();
        first = undefined;
      };
      await each(rows, (change) => {
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
    },
    rows(table, rows) {
      const columns = ownColumns(table);
      const names = columns.map(({ name }) => name);
      const insert = insertInto(table.table, names);
      return each(rows, (row) => {
        insert.run(...columns.map(({ name, kind }) => toColumn(kind, row[name] ?? null)));
      });
    },
    async snapshot(taken_at) {
      return sqliteSnapshot(database, { taken_at, shapes });
    },
    async settle(how) {
      for (const [{ sqlite }, ...values] of settling(how)) prepare(database, sqlite).run(...values);
    },
    async finish() {
      try {
        sql`UPDATE counter SET value = ? WHERE account = 0`.run(lastNumber);
        database.exec('COMMIT');
        database.close();
        target.exchange();
        target.release();
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async abandon() {
      if (database.isOpen) database.close();
      target.release();
    },
  };
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
