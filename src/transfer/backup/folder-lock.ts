/** One follower in a folder: a lock that the system frees when the process ends, however it ends. */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { codeOf, FileUnusable, orFileUnusable } from './file.ts';

const NAME = 'follower.lock';
/** SQLite's code where another process has the lock. */
const BUSY = 5;

/** Somebody else follows into the folder: one clear sentence for the operator. */
export class FolderTaken extends Error {
  override readonly name = 'FolderTaken';
}

/** Takes the lock; the answer lets go of it. Throws `FolderTaken`, or `FileUnusable`. */
export function takeFolder(folder: string): Promise<() => void> {
  return orFileUnusable(folder, async () => {
    const path = join(folder, NAME);
    create(path);
    const lock = new DatabaseSync(path, { timeout: 0 });
    try {
      // In this mode the lock stays when the transaction ends.
      lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY');
      lock.exec('BEGIN EXCLUSIVE; COMMIT');
    } catch (error) {
      lock.close();
      if ((error as { errcode?: unknown }).errcode !== BUSY) {
        const why = error instanceof Error ? error.message : String(error);
        throw new FileUnusable(`The lock file ${path} cannot be used: ${why}.`, { cause: error });
      }
      throw new FolderTaken(
        `Another process keeps ${folder} up with a store, by BACKUP_TO or "backup --follow": name a folder of its own, or stop the other one.`,
      );
    }
    return () => {
      if (lock.isOpen) lock.close();
    };
  });
}

/** A file that is there is not opened: to close it again would drop a lock that this very process holds on it. */
function create(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
