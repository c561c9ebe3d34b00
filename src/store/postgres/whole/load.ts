import type { RecordShape } from '../../../core/schema/shape.ts';
import { settling } from '../../books/books.ts';
import type { Loading } from '../../loading.ts';
import { keyColumnName } from '../../names.ts';
import type { ReceiptImage } from '../../promises/snapshot.ts';
import { StoreUnavailable, StoreUnusable } from '../../promises/store.ts';
import { purgedAt } from '../../receipt-room.ts';
import { hourOf, parseDocument, storedKeys, UPDATED_HOUR } from '../../records/records.ts';
import { commitWith } from '../lock/transaction.ts';
import { tableOf } from '../schema/tables.ts';
import * as statements from '../statements/load.ts';
import { asUnavailable, asUnusable } from '../wire/failure.ts';
import type { Session } from '../wire/session.ts';
import { postgresSnapshot } from './snapshot.ts';

/** The store is there, on a session of the caller's own, which this takes over. Throws `StoreUnusable` where it is not empty or not alone. */
export async function loadPostgres(
  session: Session,
  place: string,
  shapes: readonly RecordShape[],
  isSpread: boolean,
): Promise<Loading> {
  try {
    await session.query('BEGIN');
    await session.query("SET LOCAL lock_timeout = '5s'");
    if ((await session.value<boolean>(statements.lookInside)) !== false) {
      throw new StoreUnusable(
        `The store at ${place} is not empty, and a restore never overwrites a store: name an empty database.`,
      );
    }
    const { lookAround, lookAroundSpread } = statements;
    const others = (await session.value<number>(isSpread ? lookAroundSpread : lookAround)) ?? 0;
    if (others > 0) {
      throw new StoreUnusable(
        `The store at ${place} is in use: ${others} other ${others === 1 ? 'connection' : 'connections'} of Ledgerstone. Stop whatever serves it first.`,
      );
    }
    await session.query(statements.lockTables(shapes));
    // The restored store has a name of its own.
    await session.query(statements.forgetName);
    return createLoading(session, place, shapes, isSpread);
  } catch (error) {
    session.destroy();
    throw asUnusable(error, place);
  }
}

function createLoading(
  session: Session,
  place: string,
  shapes: readonly RecordShape[],
  isSpread: boolean,
): Loading {
  let done = false;

  /** A record that is gone goes by the prefix of its resource: none has that for its name. */
  function recordOf({ record, removed, resource }: ReceiptImage): string | null {
    const prefix = shapes.find((shape) => shape.resource === resource)?.prefix;
    return record ?? removed ?? prefix ?? null;
  }

  async function put(text: string, rows: readonly object[]): Promise<void> {
    if (rows.length > 0) await run(text, JSON.stringify(rows));
  }

  async function run(text: string, ...values: unknown[]): Promise<void> {
    if (done) throw new StoreUnavailable('The store is closed.');
    try {
      await session.query(text, ...values);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  return {
    place,
    async accounts(rows) {
      const [root] = shapes;
      if (root === undefined) throw new TypeError('A store has a root.');
      const insert = statements.insertAccounts(root);
      for await (const batch of rows) {
        const keyed = batch.map((one) => {
          return { ...one, account: one.unique_identifier, ...keysOf(root, one.document) };
        });
        await put(insert, keyed);
        await put(statements.insertCommits, batch);
      }
    },
    async records(shape, rows) {
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
        await put(insert, records);
        await put(statements.insertGone, gone);
      }
    },
    async receipts(rows) {
      for await (const batch of rows) {
        const named = batch.map((row) => ({ ...row, record: recordOf(row) }));
        await put(statements.insertReceipts, named);
        for (const shape of shapes) {
          const answered = batch
            .filter(({ resource, record }) => resource === shape.resource && record !== null)
            .map((row) => ({ ...row, expires_at: purgedAt(row.expires_at) }));
          await put(statements.insertAnswered(shape), answered);
        }
      }
      await run(statements.insertRooms);
    },
    async changes(rows) {
      for await (const batch of rows) await put(statements.insertChanges, batch);
    },
    async rows(table, rows) {
      const insert = statements.insertRows(table);
      for await (const batch of rows) await put(insert, batch);
    },
    snapshot: async (taken_at) => postgresSnapshot(session, { shapes, isSpread, taken_at }),
    async settle(how) {
      for (const [{ postgres }, ...values] of settling(how)) await run(postgres, ...values);
    },
    async finish() {
      try {
        await commitWith(session, []);
        done = true;
        // The server plans by what it knows of the tables, and knows nothing of them yet.
        const tables = shapes.map(tableOf);
        await session.query(`ANALYZE ${tables.join(', ')}`);
      } catch (error) {
        throw asUnavailable(error);
      } finally {
        await session.close();
      }
    },
    async abandon() {
      if (done) return;
      done = true;
      await session.query('ROLLBACK').catch(() => undefined);
      await session.close();
    },
  };
}

function keysOf(shape: RecordShape, document: string): Readonly<Record<string, string>> {
  const values = storedKeys(shape, parseDocument(document));
  return Object.fromEntries(shape.keys.map((key, at) => [keyColumnName(key), values[at] ?? '']));
}
