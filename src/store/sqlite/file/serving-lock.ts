/**
 * Ensures that one process serves a store, with a lock that the system frees however the process ends. The lock is on a
 * file next to the store's own, which notes the file that it guards. If it does not (it is new, was removed, or came
 * with a copy), it does not show whether the store is served: then a process that wants to serve must have the store's
 * file to itself for a moment, by SQLite's own locks, which belong to the file and not to its name.
 */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnusable } from '../../promises/store.ts';
import { prepare } from '../statements/prepare.ts';
import { BUSY, resultCode } from './failure.ts';
import { codeOf } from './files.ts';

/** Most commands have the file open for a shorter time, backups for a longer one. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 20;

/** Takes the lock for the file with that inode, or throws `StoreUnusable`. Returns a function that releases it. */
export async function takeServingLock(
  path: string,
  inode: number,
  patienceMs = PATIENCE_MS,
): Promise<() => void> {
  const lockPath = `${path}.serving`;
  let lock: DatabaseSync | undefined;
  try {
    createPrivately(lockPath);
    lock = new DatabaseSync(lockPath, { timeout: 0 });
    // In this mode the lock stays when the transaction ends.
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
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
    throw new StoreUnusable(
      `The lock file ${lockPath} cannot be used (${codeOf(error)}): let this user read and write it, or remove it while nothing serves the store.`,
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
    throw error;
  }
}

/**
 * An existing file is not opened: closing it again would, by the rules of POSIX, drop a lock that this process may have
 * on it.
 */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
