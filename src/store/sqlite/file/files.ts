/** Finds, checks and creates the file of a store, before SQLite opens it. */
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  accessFault,
  folderFault,
  giveToFolder,
  makeFolder,
  readOnlyFault,
  syncPath,
} from '../../../core/owners.ts';
import { StoreUnusable } from '../../promises/store.ts';

/** The real path of a store's file, so that everyone who opens it uses the same file, log and lock. */
export function locate(given: string): string {
  const path = resolve(given);
  if (statOf(path) !== undefined) return realpathSync(path);
  const folder = dirname(path);
  return statOf(folder) === undefined ? path : join(realpathSync(folder), basename(path));
}

/** Throws `StoreUnusable` where the path is not a readable and writable file in a writable folder. */
export function checkFile(path: string): 'present' | 'empty' | 'missing' {
  const stats = statOf(path);
  if (stats === undefined) return 'missing';
  if (!stats.isFile()) {
    const what = stats.isDirectory() ? 'a folder' : 'no ordinary file';
    throw new StoreUnusable(`${path} is ${what}: name the file that the store is to be kept in.`);
  }
  if (stats.nlink > 1) {
    throw new StoreUnusable(
      `The store at ${path} has ${stats.nlink} names (hard links), and SQLite would keep another log for each: leave it one name.`,
    );
  }
  const { R_OK, W_OK, X_OK } = constants;
  const folder = dirname(path);
  const readOnly = readOnlyFault(path);
  if (readOnly !== undefined)
    throw new StoreUnusable(`The store at ${path} cannot be opened: ${readOnly}.`);
  if (!accessible(path, R_OK | W_OK)) {
    throw new StoreUnusable(
      `The store at ${path} cannot be opened: let this user read and write the file. ${accessFault(path) ?? ''}`.trim(),
    );
  }
  if (!accessible(folder, W_OK | X_OK)) {
    throw new StoreUnusable(
      `The store at ${path} cannot be opened: let this user write in its folder, where SQLite keeps a log beside the file. ${accessFault(folder, W_OK | X_OK) ?? ''}`.trim(),
    );
  }
  return stats.size === 0 ? 'empty' : 'present';
}

/** Creates an empty file that only its owner can read, and any missing folders likewise. */
export function createFile(path: string): void {
  const folder = dirname(path);
  try {
    makeFolder(folder);
    const file = openSync(path, 'wx', 0o600);
    giveToFolder(file, path);
    closeSync(file);
    syncPath(path);
    // A file survives a power cut only if the folder that names it is on disk.
    syncPath(folder);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (statOf(path)?.isFile()) return;
    const fault = statOf(folder)?.isDirectory() ? folderFault(folder) : undefined;
    throw new StoreUnusable(
      `No store can be made at ${path} (${codeOf(error)}): ${fault ?? 'name a place in a folder that this user can write in'}.`,
      { cause: error },
    );
  }
}

/** The code of an error of the file system, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function accessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw new StoreUnusable(`The store at ${path} cannot be reached (${codeOf(error)}).`, {
      cause: error,
    });
  }
}
