/** Copies of a store's file: made before a migration, and put back in its place. */
import { closeSync, copyFileSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnusable } from '../../promises/store.ts';
import { prepare } from '../statements/prepare.ts';
import { openDatabase } from './connection.ts';
import { asUnusable, DISK_FULL, resultCode } from './failure.ts';
import { checkFile, createFile, locate, syncPath } from './files.ts';
import { checkIdentity, checkVersion, HEADER_BYTES, holdFile, isDatabase } from './held-file.ts';
import { takeTarget } from './target.ts';

/**
 * A copy of the store next to it, of one moment and with its schema; `undefined` where no store exists, or no account
 * in it. Throws `StoreUnusable`.
 */
export function copySqlite(given: string, now: number): string | undefined {
  const path = locate(given);
  if (checkFile(path) !== 'present') return undefined;
  using file = holdFile(path);
  try {
    if (checkIdentity(path, file.header) === 'blank') return undefined;
    using database = openDatabase(path);
    checkVersion(path, database);
    if (isEmpty(database)) return undefined;
    const moment = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const copy = `${path}.before-${moment}`;
    createFile(copy);
    prepare(database, 'VACUUM INTO ?').run(copy);
    syncPath(copy);
    return copy;
  } catch (error) {
    if (resultCode(error) !== DISK_FULL) throw asUnusable(error, path);
    throw new StoreUnusable(
      `The disk has no space for the copy of ${path} that is made before anything is changed: free some, or write a backup elsewhere and start the service, which migrates without a copy.`,
      { cause: error },
    );
  }
}

/** Whether a file is a SQLite database, not a backup. */
export function isSqliteFile(path: string): boolean {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(path, 'r');
  try {
    return isDatabase(bytes.subarray(0, readSync(descriptor, bytes)));
  } finally {
    closeSync(descriptor);
  }
}

/** Puts a copy in the place of a store that is not there, or is empty. Gives the path. Throws `StoreUnusable`. */
export async function restoreCopy(given: string, copy: string): Promise<string> {
  const log = statSync(`${copy}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) {
    throw new StoreUnusable(
      `${copy} has a log beside it, so it is a store and not a copy: serve it as it is with --database-url sqlite:${copy}, or write a backup of it.`,
    );
  }
  using target = await takeTarget(given);
  try {
    copyFileSync(copy, target.beside);
    checkWhole(target.beside, copy);
    target.exchange();
    return target.path;
  } catch (error) {
    throw asUnusable(error, copy);
  }
}

/** Throws `StoreUnusable` for a file that is no store, or is damaged. */
function checkWhole(path: string, copy: string): void {
  using file = holdFile(path);
  checkIdentity(copy, file.header);
  using database = new DatabaseSync(path);
  const [says] = prepare<readonly [string]>(database, 'PRAGMA integrity_check(1)').get() ?? [];
  if (says !== 'ok') throw new StoreUnusable(`${copy} is damaged (${says}): use another copy.`);
}

/** Whether no account is in it. */
function isEmpty(database: DatabaseSync): boolean {
  const table = prepare(database, "SELECT 1 FROM sqlite_schema WHERE name = 'account'").get();
  return (
    table === undefined || prepare(database, 'SELECT 1 FROM account LIMIT 1').get() === undefined
  );
}
