/** Fills a new store. Rows go to the server as arrays: as many as there are in one statement. */
import { type OwnTable, ownColumns } from '../../../core/objects/own-object.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { settling } from '../../books/books.ts';
import { FIXED_TABLES, keyColumn, quoteName, ROOT_TABLE, tableName, tableOf } from '../../names.ts';
import type { Loading, ReceiptImage } from '../../promises/snapshot.ts';
import { StoreUnavailable, StoreUnusable } from '../../promises/store.ts';
import { hourOf, parseDocument, storedKeys, UPDATED_HOUR } from '../../records/records.ts';
import { commitWith } from '../lock/transaction.ts';
import { CHANGE, log } from '../statements/changes.ts';
import { begin } from '../statements/commits.ts';
import {
  arraysOf,
  type ColumnTypes,
  columns,
  insertEach,
  prepared,
  unnest,
} from '../statements/prepare.ts';
import { insert as insertReceipts, RECEIPT } from '../statements/receipts.ts';
import { RECORD } from '../statements/records.ts';
import { asUnavailable, asUnusable } from '../wire/failure.ts';
import { call, type Session, type Statement } from '../wire/session.ts';
import { postgresSnapshot } from './snapshot.ts';

/** The store is there, on a session of the caller's own, which this takes over. Throws `StoreUnusable` where it is not empty or not alone. */
export async function loadPostgres(
  session: Session,
  place: string,
  shapes: readonly RecordShape[],
  isSpread: boolean,
): Promise<Loading> {
  try {
    await session.run(call(begin));
    await session.query("SET LOCAL lock_timeout = '5s'");
    if ((await session.value<boolean>(lookInside)) !== false) {
      throw new StoreUnusable(
        `The store at ${place} is not empty, and a restore never overwrites a store: name an empty database.`,
      );
    }
    const others = (await session.value<number>(isSpread ? lookAroundSpread : lookAround)) ?? 0;
    if (others > 0) {
      throw new StoreUnusable(
        `The store at ${place} is in use: ${others} other ${others === 1 ? 'connection' : 'connections'} of Ledgerstone. Stop whatever serves it first.`,
      );
    }
    await session.query(lockTables(shapes));
    // The restored store has a name of its own.
    await session.query(forgetName);
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

  async function put<Name extends string>(
    { text }: Statement,
    columns: ColumnTypes<Name>,
    rows: readonly { readonly [name in Name]?: unknown }[],
  ): Promise<void> {
    if (rows.length > 0) await run(text, ...arraysOf(columns, rows));
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
      const own = withKeys(ACCOUNT, root);
      const insert = insertEach(`"${ROOT_TABLE}"`, own);
      for await (const batch of rows) {
        const keyed = batch.map((one) => {
          return { ...one, account: one.unique_identifier, ...keysOf(root, one.document) };
        });
        await put(insert, own, keyed);
        await put(insertCommits, LEFT_AT, batch);
      }
    },
    async records(shape, rows) {
      const own = withKeys(RECORD, shape);
      const insert = insertEach(tableOf(shape), own);
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
        await put(insert, own, records);
        await put(insertGone, GONE, gone);
      }
    },
    async receipts(rows) {
      for await (const batch of rows) {
        const named = batch.map((row) => {
          const fingerprint = Uint8Array.fromHex(row.fingerprint);
          return { ...row, fingerprint, record: recordOf(row) };
        });
        await put(insertReceipts, RECEIPT, named);
      }
      await run(insertRooms);
    },
    async changes(rows) {
      for await (const batch of rows) await put(log, CHANGE, batch);
    },
    async rows(table, rows) {
      const insert = insertRows(table);
      for await (const batch of rows) await run(insert, JSON.stringify(batch));
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

/** Columns, and then those of declared keys. */
function withKeys<Name extends string>(
  columns: ColumnTypes<Name>,
  shape: RecordShape,
): ColumnTypes {
  return [...columns, ...shape.keys.map((key) => [keyColumn(key), 'text'] as const)];
}

function keysOf(shape: RecordShape, document: string): Readonly<Record<string, string>> {
  const values = storedKeys(shape, parseDocument(document));
  return Object.fromEntries(shape.keys.map((key, at) => [keyColumn(key), values[at] ?? '']));
}

/** No other connection reads or writes the tables until the commit. */
function lockTables(shapes: readonly RecordShape[]): string {
  const tables = new Set([...FIXED_TABLES.postgres, ...shapes.map(tableName)]);
  return `LOCK TABLE ${[...tables].map(quoteName).join(', ')} IN ACCESS EXCLUSIVE MODE`;
}

/** Whether the store has anything in it. With a column each: Citus cannot look into a table for none. */
const lookInside = `SELECT
  EXISTS (SELECT account FROM ${ROOT_TABLE}) OR EXISTS (SELECT unique_identifier FROM api_key)`;

/** The journal of a store that was served while it was empty. */
const forgetName = 'DELETE FROM erasure_journal';

const OF_STORE = `datname = current_database() AND application_name = current_setting('application_name')`;

/** How many other sessions work on this store. */
const lookAround = `SELECT count(*)::int FROM pg_stat_activity
  WHERE ${OF_STORE} AND pid <> pg_backend_pid()`;
/** Looks for others at any server of a cluster. */
const lookAroundSpread = `SELECT count(*)::int FROM citus_stat_activity
  WHERE ${OF_STORE} AND NOT is_worker_query AND global_pid <> citus_backend_gpid()`;

const ACCOUNT = columns({
  text: ['account', 'unique_identifier', 'document'],
  bigint: ['version', 'position', 'inserted_at', 'updated_at', 'closed_at'],
  boolean: ['livemode'],
});

/** The commit that an account was left at is not queried any more: its token is new. */
const LEFT_AT = columns({
  text: ['unique_identifier'],
  bigint: ['committed', 'updated_at'],
});
const insertCommits = prepared`INSERT INTO commit (account, position, token, committed_at)
  SELECT unique_identifier, committed, (random() * 281474976710655)::bigint, updated_at
  FROM ${unnest('given', LEFT_AT)}`;

const GONE = columns({
  text: ['account', 'record', 'resource', 'parent', 'external_identifier'],
  bigint: ['position', 'inserted_at', 'removal', 'below', 'created_by'],
});
const insertGone = insertEach('gone', GONE);

const insertRooms =
  'INSERT INTO receipt_room (owner, bytes) SELECT owner, sum(size)::bigint FROM receipt GROUP BY owner';

const KINDS = { text: 'text', number: 'numeric', bytes: 'text', flag: 'boolean', texts: 'text[]' };

/** Takes rows as one JSON array: some have lists in them. */
function insertRows(table: OwnTable): string {
  const all = ownColumns(table).map(({ name, kind }) => [quoteName(name), kind] as const);
  const values = all.map(([name, kind]) => (kind === 'bytes' ? `decode(${name}, 'hex')` : name));
  const given = all.map(([name, kind]) => `${name} ${KINDS[kind]}`);
  return `INSERT INTO ${quoteName(table.table)} (${all.map(([name]) => name)})
    SELECT ${values} FROM json_to_recordset($1::json) AS given (${given})`;
}
