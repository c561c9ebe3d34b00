/**
 * Temporary folders. A killed process leaves its own behind: a lock in each folder shows whether its process still
 * runs, and the service removes the others when it starts.
 */
import {
  closeSync,
  ftruncateSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs';
import { opendir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { giveToFolder } from './owners.ts';

const KINDS = ['check', 'restore', 'import', 'site'] as const;
const NAME = new RegExp(`^ledgerstone-(${KINDS.join('|')})-[A-Za-z0-9]{6}$`);
const LOCK = 'running.lock';
/** SQLite's code where another process has the lock. */
const BUSY = 5;
/** And where a file is no database. */
const NO_DATABASE = 26;
/** One that was made a moment ago may not be locked yet. */
const YOUNG_MS = 60_000;
/** How many entries are looked at, and how many folders are found. */
const MAX_SEEN = 20_000;
const MAX_FOUND = 200;

export type TemporaryFolder = ReturnType<typeof temporaryFolder>;

/** Makes a folder for this user alone. */
export function temporaryFolder(kind: (typeof KINDS)[number]) {
  const path = mkdtempSync(join(tmpdir(), `ledgerstone-${kind}-`));
  let release: (() => void) | undefined;
  const remove = (): void => {
    release?.();
    rmSync(path, { recursive: true, force: true });
  };
  try {
    release = takeLock(join(path, LOCK));
  } catch (error) {
    // The disk may be full: nothing stays behind without its lock.
    remove();
    throw error;
  }
  return { path, remove, [Symbol.dispose]: remove };
}

/** Folders of this user whose processes have ended without removing them; a bounded number. */
export async function leftFolders(now = Date.now()): Promise<readonly string[]> {
  const left: string[] = [];
  let seen = 0;
  for await (const { name } of await opendir(tmpdir())) {
    const path = NAME.test(name) && join(tmpdir(), name);
    if (path && isLeft(path, now)) left.push(path);
    seen += 1;
    if (seen >= MAX_SEEN || left.length >= MAX_FOUND) break;
  }
  return left;
}

export async function removeLeftFolders(): Promise<void> {
  for (const path of await leftFolders()) await rm(path, { recursive: true, force: true });
}

/** Not what others have put there, under any name: a link, a folder of another user or without our lock. */
function isLeft(path: string, now: number): boolean {
  try {
    const { mode, uid, mtimeMs } = lstatSync(path);
    const isOurs = (mode & 0o170777) === 0o040700 && uid === process.getuid?.();
    if (!isOurs || now - mtimeMs < YOUNG_MS || !lstatSync(join(path, LOCK)).isFile()) return false;
    const release = takeLock(join(path, LOCK));
    release?.();
    return release !== undefined;
  } catch {
    return false;
  }
}

/** A lock that the system releases when the process ends, however it ends; `undefined` where another process has it. */
export function takeLock(path: string): (() => void) | undefined {
  create(path);
  try {
    const lock = openLock(path);
    lock.exec('COMMIT');
    return () => {
      if (lock.isOpen) lock.close();
    };
  } catch (error) {
    if ((error as { errcode?: unknown }).errcode === BUSY) return undefined;
    throw error;
  }
}

/**
 * Opens an existing file as a database of which SQLite has the lock until it is closed, within a transaction. A file of
 * zeros is emptied first: a power failure leaves it where the first page was not on disk yet, and who has the lock has that
 * page in memory. Throws SQLite's error, such as that another process has the lock.
 */
export function openLock(path: string): DatabaseSync {
  try {
    return locked(path);
  } catch (error) {
    if ((error as { errcode?: unknown }).errcode !== NO_DATABASE || !emptyZeros(path)) throw error;
    return locked(path);
  }
}

function locked(path: string): DatabaseSync {
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // In this mode the lock stays when the transaction ends.
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** How a database begins. */
const HEAD_BYTES = 16;

function emptyZeros(path: string): boolean {
  const descriptor = openSync(path, 'r+');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    readSync(descriptor, head, 0, HEAD_BYTES, 0);
    if (head.some((byte) => byte !== 0)) return false;
    ftruncateSync(descriptor, 0);
    return true;
  } finally {
    closeSync(descriptor);
  }
}

/** A file that is there is not opened: to close it again would drop a lock that this very process holds on it. */
function create(path: string): void {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    giveToFolder(descriptor, path);
    closeSync(descriptor);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
