/** Opens a store that is a SQLite file, making and migrating it where that is wanted. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createIdentifiers } from '../../schema/id.ts';
import type { RecordShape } from '../../schema/shape.ts';
import { type Store, StoreUnusable } from '../store.ts';
import { APPLICATION_ID, Connection, openDatabase } from './connection.ts';
import { createContext } from './context.ts';
import { BUSY, hindrance, NOT_A_DATABASE, resultCode } from './failure.ts';
import { checkFile, createFile, locate, syncPath } from './files.ts';
import { migrate, pendingSteps, SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { takeServingLock } from './serving-lock.ts';
import { prepare } from './statements/prepare.ts';
import { SqliteStore } from './store.ts';

export interface SqliteOptions {
  readonly path: string;
  readonly shapes: readonly RecordShape[];
  readonly now: () => number;
  readonly create: boolean;
  readonly serve: boolean;
}

/** How long a migration waits for other processes, which may be migrating. */
const MIGRATION_PATIENCE_MS = 60_000;

export async function openSqlite({ path: given, ...options }: SqliteOptions): Promise<Store> {
  const path = locate(given);
  const found = checkFile(path);
  if (found === 'present') checkIdentity(path);
  else if (!options.create) throw noStore(path);
  if (found === 'missing') createFile(path);
  const release = options.serve ? takeServingLock(path) : () => {};
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(path);
    await prepareFile(database, path, options.shapes);
    const connection = new Connection(database);
    const { shapes, now } = options;
    const context = createContext(connection, shapes, now, createIdentifiers(now));
    return new SqliteStore(path, context, release);
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
  const database = present ? openDatabase(path) : new DatabaseSync(':memory:');
  try {
    return pendingSteps(database, shapes);
  } catch (error) {
    throw asUnusable(error, path);
  } finally {
    database.close();
  }
}

/** Makes a file a store of the schema wanted, however many processes do so at once. */
async function prepareFile(
  database: DatabaseSync,
  path: string,
  shapes: readonly RecordShape[],
): Promise<void> {
  if (pragma(database, 'application_id') !== APPLICATION_ID) {
    database.exec(`BEGIN IMMEDIATE; PRAGMA application_id = ${APPLICATION_ID}; COMMIT`);
  }
  await useLog(database);
  checkVersion(path, schemaVersion(database));
  // What a killed process left in the log has been read now, though it may not be on disk.
  syncPath(`${path}-wal`);
  if (pendingSteps(database, shapes).length === 0) return;
  const patience = pragma(database, 'busy_timeout');
  database.exec(`PRAGMA busy_timeout = ${MIGRATION_PATIENCE_MS}; BEGIN IMMEDIATE`);
  migrate(database, shapes);
  database.exec(`COMMIT; PRAGMA busy_timeout = ${patience}`);
}

/** Changing to a write-ahead log wants the file alone, and SQLite does not wait for that by itself. */
async function useLog(database: DatabaseSync): Promise<void> {
  for (const until = Date.now() + MIGRATION_PATIENCE_MS; ; await pause(5)) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (resultCode(error) !== BUSY || Date.now() > until) throw error;
    }
  }
}

/** Reads a file's header as it lies there: no lock, no log, nothing written. */
function checkIdentity(path: string): void {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  let application: unknown;
  let version = 0;
  try {
    const database = new DatabaseSync(url, { readOnly: true });
    try {
      application = pragma(database, 'application_id');
      version = schemaVersion(database);
    } finally {
      database.close();
    }
  } catch (error) {
    if (resultCode(error) !== NOT_A_DATABASE) throw asUnusable(error, path);
    throw new StoreUnusable(
      `${path} is not a Ledgerstone store, nor any SQLite database: name another file.`,
    );
  }
  if (application !== APPLICATION_ID) {
    throw new StoreUnusable(
      `${path} is a SQLite database of another program, not a Ledgerstone store: name another file.`,
    );
  }
  checkVersion(path, version);
}

function checkVersion(path: string, version: number): void {
  if (version <= SCHEMA_VERSION) return;
  throw new StoreUnusable(
    `The store at ${path} was made by a newer Ledgerstone (its schema is ${version}, this one knows ${SCHEMA_VERSION}): use that version.`,
  );
}

function pragma(database: DatabaseSync, name: string): unknown {
  return prepare<readonly [unknown]>(database, `PRAGMA ${name}`).get()?.[0];
}

function noStore(path: string): StoreUnusable {
  return new StoreUnusable(
    `There is no Ledgerstone store at ${path}: \`ledgerstone dev\`, \`ledgerstone serve\` and \`ledgerstone migrate\` make one.`,
  );
}

function asUnusable(error: unknown, path: string): unknown {
  const words = hindrance(error);
  if (words === undefined) return error;
  return new StoreUnusable(`The store at ${path} cannot be opened: ${words}.`, { cause: error });
}
