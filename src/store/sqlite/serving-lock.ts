/** One serving process for a store: a lock that the system frees when the process ends, however it ends. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnusable } from '../store.ts';
import { BUSY, resultCode } from './failure.ts';
import { codeOf } from './files.ts';

/** Takes the lock, a file beside the store's own, or throws `StoreUnusable`; the answer lets go of it, once. */
export function takeServingLock(path: string): () => void {
  const lockPath = `${path}.serving`;
  let lock: DatabaseSync | undefined;
  try {
    createPrivately(lockPath);
    lock = new DatabaseSync(lockPath, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
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
  const held = lock;
  return () => {
    if (held.isOpen) held.close();
  };
}

/**
 * A file that is there is not opened: to close it again would, by the rules
 * of POSIX, drop the lock that this very process may hold on it.
 */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
