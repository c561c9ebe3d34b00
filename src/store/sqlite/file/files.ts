/** Finds, checks and creates the file of a store, before SQLite opens it. */
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
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
  if (!accessible(path, R_OK | W_OK)) {
    throw new StoreUnusable(
      `The store at ${path} cannot be opened: let this user read and write the file.`,
    );
  }
  if (!accessible(folder, W_OK | X_OK)) {
    throw new StoreUnusable(
      `The store at ${path} cannot be opened: let this user write in its folder, where SQLite keeps a log beside the file.`,
    );
  }
  return stats.size === 0 ? 'empty' : 'present';
}

/** Creates an empty file that only its owner can read, and any missing folders likewise. */
export function createFile(path: string): void {
  const folder = dirname(path);
  try {
    makeFolder(folder);
    sync(openSync(path, 'wx', 0o600));
    // A file survives a power cut only if the folder that names it is on disk.
    syncPath(folder);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (statOf(path)?.isFile()) return;
    throw new StoreUnusable(
      `No store can be made at ${path} (${codeOf(error)}): name a place in a folder that this user can write in.`,
      { cause: error },
    );
  }
}

/** One by one: Node's own recursion never ends below `/proc`. */
function makeFolder(path: string): void {
  if (statOf(path) !== undefined) return;
  const parent = dirname(path);
  makeFolder(parent);
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  syncPath(parent);
}

/** Makes sure that the content of a file, from any writer, is on disk. */
export function syncPath(path: string): void {
  sync(openSync(path, 'r'));
}

/** The code of an error of the file system, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function sync(descriptor: number): void {
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
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
