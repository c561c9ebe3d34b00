/** The lock by which one process serves a store, and the place of one that is being restored, which is replaced in one step. */
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { accessFault, folderFault, giveToFolder, syncPath } from '../../../core/owners.ts';
import { openLock } from '../../../core/temporary.ts';
import { StoreUnusable } from '../../promises/store.ts';
import { prepare } from '../statements/prepare.ts';
import { asUnusable, BUSY, resultCode } from './failure.ts';
import { checkFile, codeOf, createFile, locate } from './files.ts';
import { checkIdentity, holdFile } from './open-file.ts';

export type TargetFile = Awaited<ReturnType<typeof takeTarget>>;

/**
 * Takes the place. `beside` is an empty file next to it, readable by this user alone; `exchange` moves it to the path
 * when it is closed; `release` frees the place, and removes the new file, unless it was exchanged. Throws `StoreUnusable`
 * if there is a store that is not empty, or is in use. There is a file beside for as long as the place is taken and not
 * exchanged, whenever this process is killed: it keeps others from making an empty store there.
 */
export async function takeTarget(given: string) {
  const path = locate(given);
  const found = checkFile(path);
  if (found !== 'present') refuseLogs(path);
  const beside = besideOf(path);
  if (found !== 'present') createFile(beside);
  if (found === 'missing') createFile(path);
  const file = holdFile(path);
  let unlock: (() => void) | undefined;
  let exchanged = false;
  const release = (): void => {
    // Without the lock, what is there belongs to the process that has it.
    if (unlock !== undefined) {
      if (!exchanged && found === 'missing') removeFile(path);
      removeFile(beside);
      unlock();
      unlock = undefined;
    }
    file.release();
  };
  try {
    if (found === 'present') checkIdentity(path, file.header);
    unlock = await takeServingLock(path, file.inode);
    if (found === 'present') assertEmpty(path);
    makeAnew(beside);
    const exchange = (): void => {
      refuseLogs(path);
      syncPath(beside);
      renameSync(beside, path);
      exchanged = true;
      syncPath(dirname(path));
    };
    return { path, beside, exchange, release, [Symbol.dispose]: release };
  } catch (error) {
    release();
    throw asUnusable(error, path);
  }
}

function besideOf(path: string): string {
  return `${path}.restoring`;
}

/** A new store in the place of one that was being restored would look as if all were lost. */
export function refuseHalfRestored(path: string): void {
  const beside = besideOf(path);
  if (!existsSync(beside)) return;
  throw new StoreUnusable(
    `A restore to ${path} was ended before it was done, or goes on: run the same "ledgerstone restore" again. To begin with an empty store instead, remove ${beside} first.`,
  );
}

/** The offset of the file's number of pages in the header of a journal. */
const PAGES_BEFORE = 16;

/**
 * SQLite would take an old log for this file's own, and damage it. The journal that a process leaves if it is killed
 * while it creates the file is removed: it would empty the file again, or its header is zero, so that it means nothing.
 */
function refuseLogs(path: string): void {
  const journal = `${path}-journal`;
  if (existsSync(journal)) {
    const header = readFileSync(journal).subarray(0, PAGES_BEFORE + 4);
    if (header.length < PAGES_BEFORE + 4 || header.readUInt32BE(PAGES_BEFORE) === 0)
      rmSync(journal);
  }
  const log = [`${path}-wal`, journal].find((each) => existsSync(each));
  if (log === undefined) return;
  throw new StoreUnusable(
    `${log} is the log of another file, which is gone: move it away first, since it may hold records of that one.`,
  );
}

/** This checkpoints the empty store's log, so that none is left. */
function assertEmpty(path: string): void {
  try {
    using database = new DatabaseSync(path, { timeout: 1_000 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const tables = prepare<readonly [string]>(
      database,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('account', 'api_key')",
    ).all();
    for (const [table] of tables) {
      if (prepare(database, `SELECT 1 FROM ${table} LIMIT 1`).get() === undefined) continue;
      throw new StoreUnusable(
        `The store at ${path} is not empty, and a restore never overwrites a store: name a new file with --database-url sqlite:PATH, or move this one away together with its log, ${path}-wal.`,
      );
    }
    database.exec('COMMIT; PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (resultCode(error) !== BUSY) throw error;
    throw new StoreUnusable(
      `The store at ${path} is in use by another process: stop that one first.`,
      { cause: error },
    );
  }
}

const BESIDE_FILE = ['-wal', '-shm', '-journal'];

/** A log or journal never stands beside no file. */
function removeFile(path: string): void {
  for (const ending of [...BESIDE_FILE, '']) rmSync(`${path}${ending}`, { force: true });
}

/** Replaces what a killed process has left by an empty file, in one step. */
function makeAnew(path: string): void {
  for (const ending of BESIDE_FILE) rmSync(`${path}${ending}`, { force: true });
  const empty = `${path}.new`;
  rmSync(empty, { force: true });
  createFile(empty);
  renameSync(empty, path);
  syncPath(dirname(path));
}

/** Most commands have the file open for a shorter time, backups for a longer one. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 20;

/**
 * Takes the lock by which one process serves a store, or throws `StoreUnusable`. Returns a function that releases it; the
 * system does so however the process ends. The lock is on a file next to the store's own, which notes the inode of the
 * file that it guards. If it does not (it is new, was removed, or came with a copy), it does not show whether the store is
 * served: then a process that wants to serve must have the store's file to itself for a moment, by SQLite's own locks,
 * which belong to the file and not to its name.
 */
export async function takeServingLock(
  path: string,
  inode: number,
  patienceMs = PATIENCE_MS,
): Promise<() => void> {
  const lockPath = `${path}.serving`;
  let lock: DatabaseSync | undefined;
  try {
    createPrivately(lockPath);
    lock = openLock(lockPath);
    const [guarded] = prepare<readonly [number]>(lock, 'PRAGMA user_version').get() ?? [];
    if (guarded !== noteOf(inode)) {
      await waitUntilAlone(path, lockPath, patienceMs);
      lock.exec(`PRAGMA user_version = ${noteOf(inode)}`);
    }
    lock.exec('COMMIT');
  } catch (error) {
    lock?.close();
    if (error instanceof StoreUnusable) throw error;
    if (resultCode(error) === BUSY) {
      throw new StoreUnusable(
        `The store at ${path} is being served by another process: stop that one first, or give this one a store of its own.`,
      );
    }
    const why = accessFault(lockPath) ?? folderFault(dirname(lockPath));
    throw new StoreUnusable(
      `The lock file ${lockPath} cannot be used (${error instanceof Error ? error.message : codeOf(error)}): ${why ?? 'let this user read and write it, or remove it while nothing serves the store'}.`,
      { cause: error },
    );
  }
  const current = lock;
  return () => {
    if (current.isOpen) current.close();
  };
}

/** An inode as one of SQLite's numbers of 31 bits. */
function noteOf(inode: number): number {
  return (inode % 0x7fff_fffe) + 1;
}

/** Resolves when no other connection has the file open, under any name; throws `StoreUnusable` if one stays. */
async function waitUntilAlone(path: string, lockPath: string, patienceMs: number): Promise<void> {
  for (const until = Date.now() + patienceMs; !isAlone(path); await pause(PAUSE_MS)) {
    if (Date.now() < until) continue;
    throw new StoreUnusable(
      `The store at ${path} may be served by another process: one has its file open, and the lock file ${lockPath} is new or belongs to another file. Stop whatever uses the store, then start again.`,
    );
  }
}

/** Whether no other process has the file open. Also moves the log of a killed process into the file. */
function isAlone(path: string): boolean {
  try {
    using database = new DatabaseSync(path, { timeout: 0 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
    return true;
  } catch (error) {
    if (resultCode(error) === BUSY) return false;
    // It is not the lock file that cannot be used.
    throw asUnusable(error, path);
  }
}

/**
 * An existing file is not opened: closing it again would, by the rules of POSIX, drop a lock that this process may have
 * on it.
 */
function createPrivately(path: string): void {
  try {
    const file = openSync(path, 'wx', 0o600);
    giveToFolder(file, path);
    closeSync(file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
