/** Copies of a store's file, made before a migration and put back in its place; and its rewriting. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncPath } from '../../../core/owners.ts';
import { StoreUnusable } from '../../promises/store.ts';
import { noStore } from '../open.ts';
import { openIndex, searchFile } from '../search/file.ts';
import { prepare } from '../statements/prepare.ts';
import { openDatabase } from './connection.ts';
import { asUnusable } from './failure.ts';
import { checkFile, createFile, locate } from './files.ts';
import { checkIdentity, checkVersion, HEADER_BYTES, holdFile, isDatabase } from './open-file.ts';
import { takeServingLock, takeTarget } from './target.ts';

/** The end of the name of a copy that is being written, and for how long nobody writes to one that a kill has left. */
const PART = '.part';
const LEFT_MS = 600_000;

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
    removeUnfinished(path, now);
    const copy = freeName(path, now);
    // Until it is whole it has a name by which nobody takes it for a copy.
    const part = `${copy}${PART}`;
    createFile(part);
    prepare(database, 'VACUUM INTO ?').run(part);
    syncPath(part);
    renameSync(part, copy);
    syncPath(dirname(copy));
    return copy;
  } catch (error) {
    throw asUnusable(
      error,
      path,
      `The disk has no space for the copy of ${path} that is made before anything is changed: free some, or write a backup elsewhere and start the service, which migrates without a copy.`,
    );
  }
}

/** The name of a copy at that time, or of one some seconds later where there is one by then. */
function freeName(path: string, now: number): string {
  for (let time = now; ; time += 1_000) {
    const moment = new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const copy = `${path}.before-${moment}`;
    if (!existsSync(copy) && !existsSync(`${copy}${PART}`)) return copy;
  }
}

/** Removes what killed processes have left: nobody has written there for some time. */
function removeUnfinished(path: string, now: number): void {
  const [folder, begin] = [dirname(path), `${basename(path)}.before-`];
  for (const name of readdirSync(folder)) {
    const part = join(folder, name);
    if (!name.startsWith(begin) || !name.endsWith(PART)) continue;
    const at = statSync(part, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - at > LEFT_MS) rmSync(part, { force: true });
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

const TRUNCATE = 'PRAGMA wal_checkpoint(TRUNCATE)';
const REWRITE = `VACUUM; ${TRUNCATE}`;
/** Once both files are rewritten: certificates tell of it. */
const NOTE = 'UPDATE seen_time SET rewritten_at = ?';

/**
 * Rewrites a store's file, so that nothing is left in it of what was removed and no page is unused. Throws
 * `StoreUnusable`, having changed nothing, where the store is being served or the disk has no room.
 */
export async function compactSqlite(given: string) {
  const path = locate(given);
  if (checkFile(path) !== 'present') throw noStore(path);
  using file = holdFile(path);
  let unlock = (): void => {};
  try {
    checkIdentity(path, file.header);
    unlock = await takeServingLock(path, file.inode);
    using database = openDatabase(path);
    checkVersion(path, database);
    const { size: bytesBefore } = statSync(path);
    database.exec(REWRITE);
    // The search index can have copies, too.
    const index = searchFile(path);
    if (checkFile(index) === 'present') rewriteIndex(index);
    database.prepare(NOTE).run(Date.now());
    database.exec(TRUNCATE);
    return { place: `sqlite:${path}`, bytesBefore, bytesAfter: statSync(path).size };
  } catch (error) {
    throw asUnusable(
      error,
      path,
      `The store at ${path} cannot be compacted: the disk is full. There must be room for the file twice, beside it and in the folder for temporary files (SQLITE_TMPDIR). Nothing was changed.`,
    );
  } finally {
    unlock();
  }
}

function rewriteIndex(path: string): void {
  using index = openIndex(path);
  index.exec(REWRITE);
}
