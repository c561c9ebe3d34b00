/**
 * The file of the search index: next to the store, so that writing to it delays no commit. It can always be rebuilt: a
 * file that is not an index of ours is removed.
 */
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { giveToFolder } from '../../../core/owners.ts';
import { BUSY, resultCode } from '../file/failure.ts';

/** Raised when the tables change. */
const LAYOUT = 1;

const TABLES = `
  -- How far the index of an account goes.
  CREATE TABLE mark (
    account TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    place INTEGER NOT NULL,
    token INTEGER NOT NULL,
    building TEXT,
    terms INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- Accounts, and the records that rights can be limited to, by short numbers.
  CREATE TABLE home (number INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE);

  CREATE TABLE record (
    number INTEGER PRIMARY KEY,
    account INTEGER NOT NULL,
    identifier TEXT NOT NULL,
    terms TEXT NOT NULL, -- JSON array
    UNIQUE (account, identifier)
  );

  CREATE TABLE term (
    account INTEGER NOT NULL,
    term TEXT NOT NULL,
    record INTEGER NOT NULL,
    anchor INTEGER,
    PRIMARY KEY (account, term, record)
  ) WITHOUT ROWID;

  PRAGMA user_version = ${LAYOUT};
`;

/** The path of the index of a store. */
export function searchFile(store: string): string {
  return `${store}-search`;
}

/** Opens the index, or creates it if there is no usable one. Throws where another process has it locked for long. */
export function openIndex(path: string): DatabaseSync {
  try {
    return open(path);
  } catch (error) {
    if (resultCode(error) === BUSY) throw error;
    removeIndex(path);
    return open(path);
  }
}

export function removeIndex(path: string): void {
  // A log or journal never stands beside no file: it would be taken for the next one's.
  for (const each of [`${path}-wal`, `${path}-shm`, `${path}-journal`, path])
    rmSync(each, { force: true });
}

function open(path: string): DatabaseSync {
  const file = openSync(path, 'a', 0o600);
  giveToFolder(file, path);
  closeSync(file);
  const database = new DatabaseSync(path, { timeout: 1_000 });
  try {
    // A crash of the machine may undo the last steps, which are then repeated.
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -32768',
    );
    const isMade = () => database.prepare('PRAGMA user_version').get()?.user_version === LAYOUT;
    if (isMade()) return database;
    // Another process may be making it: what it has made so far is not looked at.
    database.exec('BEGIN IMMEDIATE');
    const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() ?? {};
    if (!isMade() && tables !== 0) throw new TypeError('The file is no index of this layout.');
    database.exec(isMade() ? 'COMMIT' : `${TABLES} COMMIT`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Bytes per read. Searches are answered between reads. */
const PIECE_BYTES = 1_048_576;
const MAX_BYTES = 1_073_741_824;
/** The share of memory to fill, as others cache pages, too. */
const MAX_OF_MEMORY = 0.5;
const MAX_MS = 30_000;

/**
 * Reads the index once from its beginning, so that the system has its pages in memory. A search looks at a thousand
 * pages here and there: each would wait for the disk in the first search after a start. Ends with the file, at the
 * limits, or soon after `signal`; returns the number of bytes read.
 */
export async function warm(file: number, signal: AbortSignal): Promise<number> {
  const ends = performance.now() + MAX_MS;
  const most = Math.min(MAX_BYTES, process.availableMemory() * MAX_OF_MEMORY);
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let read = 0;
  while (read < most && !signal.aborted) {
    const began = performance.now();
    const bytes = readSync(file, piece, 0, PIECE_BYTES, read);
    const now = performance.now();
    read += bytes;
    if (bytes < PIECE_BYTES || now > ends) break;
    // Leaves half of the disk's capacity to others.
    await pause(now - began);
  }
  return read;
}
