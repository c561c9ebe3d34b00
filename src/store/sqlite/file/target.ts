/** The place of a store that is being restored: locked so that no process serves it, and replaced in one step. */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreUnusable } from '../../promises/store.ts';
import { prepare } from '../statements/prepare.ts';
import { asUnusable, BUSY, resultCode } from './failure.ts';
import { checkFile, createFile, locate, syncPath } from './files.ts';
import { checkIdentity, holdFile } from './open-file.ts';
import { takeServingLock } from './serving-lock.ts';

export type TargetFile = Awaited<ReturnType<typeof takeTarget>>;

/**
 * Takes the place. `beside` is an empty file next to it, readable by this user alone; `exchange` moves it to the path
 * when it is closed; `release` frees the place, and removes the new file, unless it was exchanged. Throws `StoreUnusable`
 * if there is a store that is not empty, or is in use.
 */
export async function takeTarget(given: string) {
  const path = locate(given);
  const found = checkFile(path);
  if (found !== 'present') {
    removeBegun(path);
    refuseLogs(path);
  }
  if (found === 'missing') createFile(path);
  const file = holdFile(path);
  let unlock = (): void => {};
  const beside = besideOf(path);
  let exchanged = false;
  const release = (): void => {
    removeFile(beside);
    unlock();
    file.release();
    if (!exchanged && found === 'missing') removeFile(path);
  };
  try {
    if (found === 'present') checkIdentity(path, file.header);
    unlock = await takeServingLock(path, file.inode);
    if (found === 'present') wantEmpty(path);
    removeFile(beside);
    createFile(beside);
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
 * Removes the journal that a process leaves if it is killed while it creates the file: one that would empty the file
 * again, or has no content.
 */
function removeBegun(path: string): void {
  const journal = `${path}-journal`;
  if (!existsSync(journal)) return;
  const header = readFileSync(journal).subarray(0, PAGES_BEFORE + 4);
  const hasBegun = header.length < PAGES_BEFORE + 4;
  if (hasBegun || header.readUInt32BE(PAGES_BEFORE) === 0) rmSync(journal);
}

/** SQLite would take an old log for this file's own, and damage it. */
function refuseLogs(path: string): void {
  const log = ['-wal', '-journal']
    .map((ending) => `${path}${ending}`)
    .find((each) => existsSync(each));
  if (log === undefined) return;
  throw new StoreUnusable(
    `${log} is the log of another file, which is gone: move it away first, since it may hold records of that one.`,
  );
}

/** This checkpoints the empty store's log, so that none is left. */
function wantEmpty(path: string): void {
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

function removeFile(path: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal'])
    rmSync(`${path}${ending}`, { force: true });
}
