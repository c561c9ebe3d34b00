/** Fills an empty PostgreSQL store in one transaction: others see nothing of it, or all. */
import type { OwnTable } from '../../../core/objects/tables/own-table.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { settling } from '../../books/books.ts';
import type { Loading } from '../../loading.ts';
import { keyColumnName, tableName } from '../../names.ts';
import type { LoggedChange } from '../../promises/log.ts';
import type {
  AccountImage,
  Batches,
  FixedRow,
  ReceiptImage,
  Snapshot,
  TombstoneImage,
} from '../../promises/snapshot.ts';
import { StoreUnavailable, StoreUnusable } from '../../promises/store.ts';
import type { StoredRecord } from '../../promises/stored.ts';
import { purgedAt } from '../../receipt-room.ts';
import { hourOf, storedKeys, UPDATED_HOUR } from '../../records/indexed.ts';
import { parseDocument } from '../../records/records.ts';
import * as statements from '../statements/load.ts';
import { commitWith } from '../turn/transaction.ts';
import { asUnavailable, asUnusable } from '../wire/failure.ts';
import { call, type Session } from '../wire/session.ts';
import { PostgresSnapshot } from './snapshot.ts';

/** The store is there, on a session of the caller's own, which this takes over. Throws `StoreUnusable` where it is not empty or not alone. */
export async function loadPostgres(
  session: Session,
  place: string,
  shapes: readonly RecordShape[],
  isSpread: boolean,
): Promise<Loading> {
  try {
    await session.run(call({ text: 'BEGIN' }));
    await session.run(call({ text: "SET LOCAL lock_timeout = '5s'" }));
    const [[filled] = [true]] = await session.rows<readonly [boolean]>(
      call({ text: statements.lookInside }),
    );
    if (filled) {
      throw new StoreUnusable(
        `The store at ${place} is not empty, and a restore never overwrites a store: name an empty database.`,
      );
    }
    const [[others] = [0]] = await session.rows<readonly [number]>(
      call({ text: isSpread ? statements.lookAroundSpread : statements.lookAround }),
    );
    if (others > 0) {
      throw new StoreUnusable(
        `The store at ${place} is in use: ${others} other ${others === 1 ? 'connection' : 'connections'} of Ledgerstone. Stop whatever serves it first.`,
      );
    }
    await session.run(call({ text: statements.lockTables(shapes) }));
    // The restored store has a name of its own.
    await session.run(call({ text: statements.forgetName }));
    return new PostgresLoading(session, place, shapes, isSpread);
  } catch (error) {
    session.destroy();
    throw asUnusable(error, place);
  }
}

class PostgresLoading implements Loading {
  readonly place: string;
  readonly #session: Session;
  readonly #shapes: readonly RecordShape[];
  readonly #isSpread: boolean;
  #done = false;

  constructor(session: Session, place: string, shapes: readonly RecordShape[], isSpread: boolean) {
    this.#session = session;
    this.place = place;
    this.#shapes = shapes;
    this.#isSpread = isSpread;
  }

  async accounts(rows: Batches<AccountImage>): Promise<void> {
    const [root] = this.#shapes;
    if (root === undefined) throw new TypeError('A store has a root.');
    const insert = statements.insertAccounts(root);
    for await (const batch of rows) {
      const keyed = batch.map((one) => {
        return { ...one, account: one.unique_identifier, ...keysOf(root, one.document) };
      });
      await this.#put(insert, keyed);
      await this.#put(statements.insertCommits, batch);
    }
  }

  async records(shape: RecordShape, rows: Batches<StoredRecord | TombstoneImage>): Promise<void> {
    const insert = statements.insertRecords(shape);
    for await (const batch of rows) {
      const records: object[] = [];
      const gone: object[] = [];
      for (const row of batch) {
        if ('document' in row) {
          const { document, updated_at } = row;
          const keys = keysOf(shape, document);
          records.push({ ...row, ...keys, [UPDATED_HOUR]: hourOf(updated_at) });
        } else {
          const { unique_identifier: record, parent } = row;
          gone.push({ ...row, record, parent: parent ?? '', resource: shape.resource });
        }
      }
      await this.#put(insert, records);
      await this.#put(statements.insertGone, gone);
    }
  }

  async receipts(rows: Batches<ReceiptImage>): Promise<void> {
    for await (const batch of rows) {
      const kept = batch.map((row) => ({ ...row, record: this.#recordOf(row) }));
      await this.#put(statements.insertReceipts, kept);
      for (const shape of this.#shapes) {
        const answered = batch
          .filter(({ resource, record }) => resource === shape.resource && record !== null)
          .map((row) => ({ ...row, expires_at: purgedAt(row.expires_at) }));
        await this.#put(statements.insertAnswered(shape), answered);
      }
    }
    await this.#run(statements.insertRooms);
  }

  async changes(rows: Batches<LoggedChange>): Promise<void> {
    for await (const batch of rows) await this.#put(statements.insertChanges, batch);
  }

  async rows(table: OwnTable, rows: Batches<FixedRow>): Promise<void> {
    const insert = statements.insertRows(table);
    for await (const batch of rows) await this.#put(insert, batch);
  }

  async snapshot(taken_at: number): Promise<Snapshot> {
    const [shapes, isSpread] = [this.#shapes, this.#isSpread];
    return new PostgresSnapshot(this.#session, { shapes, isSpread, taken_at });
  }

  async settle(how: Parameters<Loading['settle']>[0]): Promise<void> {
    for (const [{ postgres }, ...values] of settling(how)) await this.#run(postgres, ...values);
  }

  async finish(): Promise<void> {
    try {
      await commitWith(this.#session, []);
      this.#done = true;
      // The server plans by what it knows of the tables, and knows nothing of them yet.
      const tables = this.#shapes.map((shape) => `"${tableName(shape).replaceAll('"', '""')}"`);
      await this.#session.run(call({ text: `ANALYZE ${tables.join(', ')}` }));
    } catch (error) {
      throw asUnavailable(error);
    } finally {
      await this.#session.close();
    }
  }

  async abandon(): Promise<void> {
    if (this.#done) return;
    this.#done = true;
    await this.#session.run(call({ text: 'ROLLBACK' })).catch(() => undefined);
    await this.#session.close();
  }

  /** A record that is gone goes by the prefix of its resource: none has that for its name. */
  #recordOf({ record, removed, resource }: ReceiptImage): string | null {
    const prefix = this.#shapes.find((shape) => shape.resource === resource)?.prefix;
    return record ?? removed ?? prefix ?? null;
  }

  async #put(text: string, rows: readonly object[]): Promise<void> {
    if (rows.length > 0) await this.#run(text, JSON.stringify(rows));
  }

  async #run(text: string, ...values: unknown[]): Promise<void> {
    if (this.#done) throw new StoreUnavailable('The store is closed.');
    try {
      await this.#session.run(call({ text }, ...values));
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}

function keysOf(shape: RecordShape, document: string): Readonly<Record<string, string>> {
  const values = storedKeys(shape, parseDocument(document));
  return Object.fromEntries(shape.keys.map((key, at) => [keyColumnName(key), values[at] ?? '']));
}
