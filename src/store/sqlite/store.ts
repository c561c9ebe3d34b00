/** A store in a SQLite file: one connection, in the thread that calls. */
import type { DatabaseSync } from 'node:sqlite';
import { eachNoted } from '../../core/each-account.ts';
import { accountsOver } from '../books/accounts.ts';
import { type Books, booksOver } from '../books/books.ts';
import { DIALECTS } from '../books/dialects.ts';
import { ErasedRows, type ErasingBook } from '../books/erasures.ts';
import { judgeKey, type KeyRow, keyColumns, type NoKeyRow, toKey } from '../books/sql/key-sql.ts';
import { createErasedFingerprints } from '../erased-fingerprints.ts';
import { followed } from '../follow.ts';
import type { ErasedDraft, EraseRequest } from '../promises/erasing/book.ts';
import type { KeyFinder } from '../promises/keys.ts';
import type { Store, StoreOptions } from '../promises/store.ts';
import { storeWorks } from '../promises/works.ts';
import { commitApart } from '../records/apart.ts';
import { createAccounts } from './accounts.ts';
import { createBookRows, type PerformWrites } from './book-rows.ts';
import { writeBatch } from './commit/batch.ts';
import { createKeeping } from './commit/keeping.ts';
import { createReceipts } from './commit/receipts.ts';
import { createRemoving } from './commit/removal.ts';
import type { Context } from './context.ts';
import { takeSnapshot } from './dump/snapshot.ts';
import { createErasing } from './erasing.ts';
import { createLog } from './log.ts';
import { createReading } from './reading.ts';
import { preparing } from './statements/prepare.ts';

/** Limits on the data next to records. */
export type Retention = Pick<StoreOptions, 'receiptBytes' | 'historyDays' | 'erasureKeys'>;

/** The functions that erase, in this thread or another one. */
type Erases = Pick<ErasingBook, 'erase' | 'forget' | 'dropHistory'>;

const LARGE_COMMIT_BYTES = 1_048_576;

type Records = Omit<Store, keyof Books | 'erasing' | 'search'>;
/** A SQLite store without its books. */
export type SqliteStore = ReturnType<typeof sqliteStore>;

/** `receiptBytes` limits the receipts of an API key, and `historyDays` the log of changes. */
export function sqliteStore(
  path: string,
  context: Context,
  { receiptBytes = Number.POSITIVE_INFINITY, historyDays, erasureKeys = [] }: Retention,
) {
  const { connection, tables, keepsContent, openAccount, table, now } = context;
  const receipts = createReceipts(context, receiptBytes);
  const { rooms } = receipts;
  const keeping = createKeeping(context);
  const marks = createErasedFingerprints(erasureKeys);
  const erasing = createErasing(context, keeping, marks);
  const remove = createRemoving(context, receipts, keeping);
  const accountTables = createAccounts(context, receipts, keeping);

  const records: Records = {
    ...createReading(context),
    processes: 'one',
    place: `sqlite:${path}`,
    file: path,
    accounts: accountsOver(accountTables),
    log: followed(createLog(context, historyDays, keeping)),

    commit: (drafts, options = {}) =>
      commitApart(drafts, options, async (some) => {
        const { outcomes, taken } = await connection.write(
          () => writeBatch(context, { receipts, erasing }, some, options),
          ({ keep }) => keep,
        );
        rooms.take(taken);
        // Earlier values are only in the log of changes, as long as it stores them.
        if (!keepsContent && outcomes.some(({ outcome }) => outcome === 'updated')) {
          connection.noteRemoved();
        }
        return outcomes;
      }),
    async remove(removal) {
      const isDone = (outcome: string) => outcome === 'deleted' && removal.rehearse !== true;
      const { done, taken } = await connection.write(
        () => remove(removal),
        ({ done: { outcome } }) => isDone(outcome),
      );
      rooms.take(taken);
      if (isDone(done.outcome)) connection.noteRemoved();
      return done;
    },
    async receipt(query) {
      return connection.read(() => receipts.find(query, now()));
    },
    async purgeReceipts() {
      const isDue = () => connection.read(() => receipts.isDue(now()));
      if (isDue()) {
        rooms.take(await connection.write(() => receipts.purge(now())));
        connection.noteRemoved();
      }
      await receipts.settleRooms();
      return isDue();
    },
    async snapshot() {
      // Throws unless the path leads to the file that this store has open.
      connection.read(() => undefined);
      const shapes = [...tables.values()].map(({ shape }) => shape);
      return takeSnapshot({ path, shapes, now: context.machine });
    },
    async checkWritable() {
      const bytes = connection.wasFull ? LARGE_COMMIT_BYTES : 0;
      await connection.write(() => context.checkWrite(bytes));
      connection.wasFull = false;
    },
    async close() {
      await receipts.settleRooms().catch(() => undefined);
      connection.close();
    },
  };

  const { each, tell } = eachNoted(storeWorks.forgetting);
  const erases: Erases = {
    async erase(requests) {
      const outcomes = await connection.write(() => erasing.erase(requests));
      if (outcomes.includes('erased')) connection.noteRemoved();
      return outcomes;
    },
    async forget(watch) {
      const account = connection.read(() => erasing.unforgotten(each.resting));
      if (account === undefined) return false;
      await each.one(account, () => connection.write(() => erasing.forget(account)));
      tell(watch);
      connection.noteRemoved();
      return true;
    },
    async dropHistory(dropped) {
      const next = await connection.write(() => erasing.dropHistory(dropped));
      connection.noteRemoved();
      return next;
    },
  };

  return {
    ...records,
    erases,
    /** The tables of the book of accounts, for another thread. */
    accountTables,
    /** The books, read here, and written here or by `performs`. */
    books(performs?: PerformWrites, by = erases): Books & Pick<Store, 'erasing'> {
      const rows = createBookRows(context, performs);
      const parts = { ...context, keys: erasureKeys };
      const erasingBook = Object.assign(new ErasedRows(rows, parts, marks), {
        ...by,
        refuses: async (draft: ErasedDraft) => connection.read(() => erasing.refuses(draft)),
        async keeperOf({ account, resource, record }: EraseRequest) {
          return connection.read(() => {
            const owner = openAccount(account) ?? 0;
            const [number] = table(resource).records.stands.get(owner, record) ?? [];
            if (number === undefined) return undefined;
            return keeping.young(keeping.keepersIn(account), [{ resource, numbers: [number] }]);
          });
        },
      });
      return { ...booksOver(rows, createKeyFinder(context), parts), erasing: erasingBook };
    },
  };
}

function createKeyFinder({ connection, now }: Context): KeyFinder {
  const { hash, unique_identifier } = keyFinding(connection.database);

  async function judge(find: typeof hash, wanted: string | Uint8Array) {
    const row = connection.read(() => find.get(wanted));
    if (row === undefined) throw new TypeError('There is a row for every key.');
    const [open, ...found] = row;
    const isOpen = new Set(JSON.parse(open) as string[]);
    const key = found[0] === null ? undefined : toKey(found);
    return judgeKey(key, (account) => isOpen.has(account), now());
  }

  return {
    authenticate: (wanted) => judge(hash, wanted),
    find: (wanted) => judge(unique_identifier, wanted),
  };
}

/**
 * Each takes a value of its column: one row in any case, with those accounts of the key that are open before it; all
 * null when the key does not exist.
 */
export function keyFinding(database: DatabaseSync) {
  const sql = preparing(database);
  const by = (column: string) =>
    sql<readonly [open: string, ...key: KeyRow | NoKeyRow]>`SELECT (
        SELECT json_group_array(account.unique_identifier)
        FROM json_each(coalesce(accounts, '["no account"]')) AS granted
        CROSS JOIN account ON account.unique_identifier = granted.value AND closed_at IS NULL),
        ${keyColumns(DIALECTS.sqlite)}
      FROM (SELECT ?1 AS wanted) AS shown LEFT JOIN api_key ON api_key.${column} = wanted`;
  return { hash: by('hash'), unique_identifier: by('unique_identifier') };
}
