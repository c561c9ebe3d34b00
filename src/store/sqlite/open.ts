/** Opens a SQLite store, and creates and migrates it on request. */

import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { telling } from '../../core/each-account.ts';
import { ApiError } from '../../core/errors.ts';
import { syncPath } from '../../core/owners.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import { accountsOver } from '../books/accounts.ts';
import { createDamageReporter } from '../damage.ts';
import { refuseUnknown } from '../own-tables.ts';
import type { SearchIndex } from '../promises/search.ts';
import {
  type Removed,
  type Repeated,
  type Store,
  type StoreOptions,
  StoreUnusable,
} from '../promises/store.ts';
import { createContext } from './context.ts';
import { createCheckpointer } from './file/checkpointer.ts';
import { createConnection, openDatabase } from './file/connection.ts';
import { asUnusable, BUSY, DISK_FULL, resultCode } from './file/failure.ts';
import { createFilePlaces, openedFiles, watch } from './file/file-places.ts';
import { checkFile, codeOf, createFile, locate } from './file/files.ts';
import { APPLICATION_ID, checkIdentity, checkVersion, holdFile } from './file/open-file.ts';
import { refuseHalfRestored, takeServingLock } from './file/target.ts';
import { declaredTables, migrate, pendingSteps } from './schema/migrate.ts';
import { searchFile } from './search/file.ts';
import { createSearcher } from './search/searcher.ts';
import { prepare } from './statements/prepare.ts';
import { type SqliteStore, sqliteStore } from './store.ts';
import { createThread, type Thread } from './threads/thread.ts';
import { packDrafts, unpackOutcomes } from './threads/wire.ts';
import type { PackedRemoval, WriterData, WriterMessage } from './threads/writer-thread.ts';

interface SqliteOptions extends StoreOptions {
  readonly path: string;
  /** Whether a thread of its own writes. By default like `serve`. */
  readonly threads?: boolean;
  /** How long a statement waits for other processes' writes. */
  readonly patienceMs?: number;
}

/** How long opening waits for other processes, which may be migrating. */
const OPENING_PATIENCE_MS = 60_000;

export async function openSqlite({ path: given, ...options }: SqliteOptions): Promise<Store> {
  const {
    shapes,
    now,
    machine = now,
    patienceMs,
    observer,
    notices,
    create,
    serve,
    threads = serve,
  } = options;
  const { historyDays, receiptBytes = Number.POSITIVE_INFINITY, erasureKeys } = options;
  const retention = { receiptBytes, historyDays, erasureKeys };
  const path = locate(given);
  const found = checkFile(path);
  if (found !== 'present') refuseHalfRestored(path);
  if (found !== 'present' && !create) throw noStore(path);
  if (found === 'missing') createFile(path);
  const file = holdFile(path);
  let release = file.release;
  let database: DatabaseSync | undefined;
  try {
    const isBlank = found === 'present' && checkIdentity(path, file.header) === 'blank';
    if (isBlank) refuseHalfRestored(path);
    if (isBlank && !create) throw noStore(path);
    if (serve) {
      const unlock = await takeServingLock(path, file.inode, patienceMs);
      release = () => {
        unlock();
        file.release();
      };
    }
    database = openDatabase(path, OPENING_PATIENCE_MS);
    await prepareFile(database, path, shapes);
    if (serve) moveLog(database);
    const filePlaces = createFilePlaces(openedFiles(path));
    if (filePlaces.files[0]?.inode !== file.inode) {
      throw new StoreUnusable(
        `The store at ${path} was replaced while it was opened: start again.`,
      );
    }
    if (found !== 'present' || isBlank) notices?.made(`sqlite:${path}`);
    const connection = createConnection(database, { filePlaces, patienceMs, checkpoints: !serve });
    const context = createContext(connection, shapes, {
      ...{ now, machine, historyDays },
      reportDamage: createDamageReporter(notices?.damaged),
    });
    observer?.show({ store_size_bytes: () => sizeOf(path) });
    const searched = { path, files: filePlaces.files, shapes, historyDays };
    // What this very connection writes does not change its data_version.
    const search = createSearcher(searched, threads ? { version: versionOf(database) } : {});
    const store = sqliteStore(path, context, retention);
    const close = async (): Promise<void> => {
      await search.close();
      await store.close();
      release();
    };
    if (!threads) return { ...store, ...store.books(), search, close };
    const unwatch = watch(filePlaces, notices);
    const { files } = filePlaces;
    const data: WriterData = { path, files, shapes, patienceMs, retention, serves: serve };
    const onMessage = (message: WriterMessage) =>
      message === 'written' ? checkpointer?.noteCommits() : checkpointer?.noteRemoval();
    const module = new URL('./threads/writer-thread.ts', import.meta.url);
    const writer = createThread(module, data, { now, machine, onMessage });
    writer.start();
    const restart = (empty: boolean): Promise<boolean> => writer.call('restartLog', empty);
    const onCheckpoint = (durationMs: number): void => observer?.checkpointed(durationMs);
    const checkpointer = serve
      ? createCheckpointer({ path, files, onCheckpoint, restart })
      : undefined;
    return {
      ...servingStore(store, search, writer),
      async close() {
        await writer.close();
        await checkpointer?.close();
        unwatch();
        await close();
      },
    };
  } catch (error) {
    database?.close();
    release();
    throw asUnusable(error, path);
  }
}

/** The changes to its schema that opening the store would make, in words; the whole schema when no store exists yet. */
export function pendingSqlite(given: string, shapes: readonly RecordShape[]) {
  const path = locate(given);
  using file = checkFile(path) === 'present' ? holdFile(path) : undefined;
  try {
    if (file !== undefined) checkIdentity(path, file.header);
    using database =
      file !== undefined ? openDatabase(path, OPENING_PATIENCE_MS) : new DatabaseSync(':memory:');
    return pendingSteps(database, shapes);
  } catch (error) {
    throw asUnusable(error, path);
  }
}

/** Brings a file to the wanted schema, even if several processes do so at once. */
async function prepareFile(database: DatabaseSync, path: string, shapes: readonly RecordShape[]) {
  const [application] = prepare<readonly [number]>(database, 'PRAGMA application_id').get() ?? [];
  if (application !== APPLICATION_ID) {
    database.exec(`BEGIN IMMEDIATE; PRAGMA application_id = ${APPLICATION_ID}; COMMIT`);
  }
  await useLog(database);
  checkVersion(path, database);
  syncLog(path);
  const tables = declaredTables(database);
  await refuseUnknown(path, tables, shapes, (sql) => database.prepare(sql).get());
  if (pendingSteps(database, shapes).steps.length === 0) return;
  database.exec('BEGIN IMMEDIATE');
  checkVersion(path, database);
  migrate(database, shapes);
  database.exec('COMMIT');
}

/** A killed process may have left a log that was read here before it and its name were on disk. */
function syncLog(path: string): void {
  try {
    syncPath(`${path}-wal`);
    syncPath(dirname(path));
  } catch (error) {
    throw new StoreUnusable(
      `The store at ${path} cannot be opened: the disk gave an error (${codeOf(error)}) when its log was synced.`,
      { cause: error },
    );
  }
}

/**
 * Moves the log of the process before into the file. A sync that failed there may have lost pages that are still in
 * memory, which this writes again. Stays while a reader is in the way, and where the disk is full.
 */
function moveLog(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (resultCode(error) !== DISK_FULL) throw error;
  }
}

/** A text that changes with each change of a record that another connection commits. */
function versionOf(database: DatabaseSync): () => string | undefined {
  const commits = prepare<readonly [number]>(database, 'PRAGMA data_version');
  const counts = prepare<readonly [last: number, accounts: number]>(
    database,
    'SELECT total(value), count(*) FROM counter',
  );
  let commit: number | undefined;
  let version: string | undefined;
  return () => {
    if (!database.isOpen) return undefined;
    const [last] = commits.get() ?? [];
    if (commit !== last) version = counts.get()?.join();
    commit = last;
    return version;
  };
}

/** Changing to a write-ahead log needs exclusive access, and SQLite does not wait for it by itself. */
async function useLog(database: DatabaseSync): Promise<void> {
  for (const until = Date.now() + OPENING_PATIENCE_MS; ; await pause(5)) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (resultCode(error) !== BUSY || Date.now() > until) throw error;
    }
  }
}

export function noStore(path: string): StoreUnusable {
  return new StoreUnusable(
    `There is no Ledgerstone store at ${path}: check the path and that its disk is mounted, or make one with "ledgerstone serve" without --existing, "ledgerstone dev", "ledgerstone migrate" or "ledgerstone accounts create".`,
  );
}

/** The bytes of a store's files, by part. A clean end leaves no log. */
async function sizeOf(path: string): Promise<ReadonlyMap<string, number>> {
  const bytesOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const index = searchFile(path);
  const search = bytesOf(index) + bytesOf(`${index}-wal`);
  return new Map(Object.entries({ records: bytesOf(path), log: bytesOf(`${path}-wal`), search }));
}

/** Has everything that writes done by `writer`, and everything else by `reader`. */
function servingStore(
  { books, accountTables, erases: _, ...reader }: SqliteStore,
  search: SearchIndex,
  writer: Thread,
): Store {
  const does =
    (method: string) =>
    <Result>(...values: readonly unknown[]) =>
      writer.call<Result>(method, ...values);
  return {
    ...reader,
    async commit(drafts, options = {}) {
      const sent = packDrafts(drafts);
      const outcomes = await writer.call<unknown[]>('commit', sent, options);
      return unpackOutcomes(outcomes, drafts, sent);
    },
    poll: writer.poll,
    async remove({ shape, ...removal }) {
      const packed: PackedRemoval = { ...removal, resource: shape.resource };
      return writer.call<Removed | Repeated>('remove', packed).catch((error: unknown) => {
        if (error instanceof ApiError) return { outcome: 'refused', error };
        throw error;
      });
    },
    purgeReceipts: does('purgeReceipts'),
    checkWritable: does('checkWritable'),
    accounts: accountsOver({
      find: accountTables.find,
      list: accountTables.list,
      create: does('accounts.create'),
      change: does('accounts.change'),
      beginEmptying: does('accounts.beginEmptying'),
      contents: accountTables.contents,
      emptySome: does('accounts.emptySome'),
    }),
    log: { ...reader.log, sweep: telling(does('log.sweep')) },
    ...books(does('books'), {
      erase: does('erase'),
      forget: telling(does('forget')),
      dropHistory: does('dropHistory'),
    }),
    search,
  };
}
