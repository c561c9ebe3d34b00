/** Ensures one follower in a folder, with a lock that the system frees however the process ends. */
import { join } from 'node:path';
import { codeOf } from '../../../core/disk-failure.ts';
import { takeLock } from '../../../core/temporary.ts';
import { FileUnusable, orFileUnusable } from '../file.ts';

const NAME = 'follower.lock';

/** Another process writes to the folder: one clear sentence for the operator. */
export class FolderLocked extends Error {
  override readonly name = 'FolderLocked';
}

/** Takes the lock, and returns a function that releases it. Throws `FolderLocked`, or `FileUnusable`. */
export function lockFolder(folder: string): Promise<() => void> {
  return orFileUnusable(folder, async () => {
    const path = join(folder, NAME);
    const release = locked(path);
    if (release !== undefined) return release;
    throw new FolderLocked(
      `Another process keeps ${folder} up with a store, by BACKUP_TO or "backup --follow": name a folder of its own, or stop the other one.`,
    );
  });
}

function locked(path: string): (() => void) | undefined {
  try {
    return takeLock(path);
  } catch (error) {
    if (codeOf(error) !== 'ERR_SQLITE_ERROR') throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new FileUnusable(`The lock file ${path} cannot be used: ${why}.`, { cause: error });
  }
}
