/** Opens a store that is a SQLite file, making and migrating it where that is wanted. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { StoreObserver } from '../../observe/observers.ts';
import { createIdentifiers } from '../../schema/id.ts';
import type { RecordShape } from '../../schema/shape.ts';
import { type Store, StoreUnusable } from '../store.ts';
import { Checkpointer } from './checkpointer.ts';
import { Connection, openDatabase } from './connection.ts';
import { createContext } from './context.ts';
import { asUnusable, BUSY, resultCode } from './failure.ts';
import { checkFile, createFile, locate, syncPath } from './files.ts';
import { APPLICATION_ID, checkIdentity, checkVersion, isOurs } from './identity.ts';
import { migrate, pendingSteps } from './migrate.ts';
import { takeServingLock } from './serving-lock.ts';
import { servingStore } from './serving-store.ts';
import { sizeOf } from './size.ts';
import { SqliteStore } from './store.ts';
import { Writer } from './writer.ts';

export interface SqliteOptions {
  readonly path: string;
  readonly shapes: readonly RecordShape[];
  readonly now: () => number;
  readonly create: boolean;
  readonly serve: boolean;
  /** How long a statement waits for other processes' writes. */
  readonly patienceMs?: number;
  /** How many bytes the receipts of an API key may take. */
  readonly receiptBytes?: number;
  readonly observer?: StoreObserver | undefined;
}

/** How long opening waits for other processes, which may be migrating. */
const OPENING_PATIENCE_MS = 60_000;

export async function openSqlite({ path: given, ...options }: SqliteOptions): Promise<Store> {
  const path = locate(given);
  const found = checkFile(path);
  if (found === 'present') checkIdentity(path);
  else if (!options.create) throw noStore(path);
  if (found === 'missing') createFile(path);
  const release = options.serve ? takeServingLock(path) : () => {};
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(path, OPENING_PATIENCE_MS);
    await prepareFile(database, path, options.shapes);
    const { shapes, now, patienceMs, receiptBytes = Number.POSITIVE_INFINITY, observer } = options;
    const connection = new Connection(database, { patienceMs, checkpoints: !options.serve });
    const context = createContext(connection, shapes, now, createIdentifiers(now));
    const store = new SqliteStore(path, context, receiptBytes, release);
    observer?.size(() => sizeOf(path));
    if (!options.serve) return store;
    const writer = new Writer({ path, shapes, patienceMs, receiptBytes }, now, () =>
      checkpointer.noteCommit(),
    );
    const checkpointer = new Checkpointer(
      path,
      (durationMs) => observer?.checkpointed(durationMs),
      () => writer.call('beginLogAnew'),
    );
    return servingStore(store, writer, checkpointer);
  } catch (error) {
    database?.close();
    release();
    throw asUnusable(error, path);
  }
}

/** What opening the store would change in its schema, in words; all of it where there is no store yet. */
export function pendingSqlite(given: string, shapes: readonly RecordShape[]): readonly string[] {
  const path = locate(given);
  const present = checkFile(path) === 'present';
  if (present) checkIdentity(path);
  let database: DatabaseSync | undefined;
  try {
    database = present ? openDatabase(path, OPENING_PATIENCE_MS) : new DatabaseSync(':memory:');
    return pendingSteps(database, shapes);
  } catch (error) {
    throw asUnusable(error, path);
  } finally {
    database?.close();
  }
}

/** Makes a file a store of the schema wanted, however many processes do so at once. */
async function prepareFile(
  database: DatabaseSync,
  path: string,
  shapes: readonly RecordShape[],
): Promise<void> {
  if (!isOurs(database)) {
    database.exec(`BEGIN IMMEDIATE; PRAGMA application_id = ${APPLICATION_ID}; COMMIT`);
  }
  await useLog(database);
  checkVersion(path, database);
  // What a killed process left in the log has been read now, though it may not be on disk.
  syncPath(`${path}-wal`);
  if (pendingSteps(database, shapes).length === 0) return;
  database.exec('BEGIN IMMEDIATE');
  checkVersion(path, database);
  migrate(database, shapes);
  database.exec('COMMIT');
}

/** Changing to a write-ahead log wants the file alone, and SQLite does not wait for that by itself. */
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

function noStore(path: string): StoreUnusable {
  return new StoreUnusable(
    `There is no Ledgerstone store at ${path}: check the path, or make one with "ledgerstone serve", "ledgerstone dev", "ledgerstone migrate" or "ledgerstone accounts create".`,
  );
}
