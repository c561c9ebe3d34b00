/**
 * Keeps one descriptor open for each file of a store. A process that closes any descriptor of a file loses every lock
 * that it has on the file (POSIX), including SQLite's, so the descriptor is only closed when nothing in this process
 * uses the file. Checks which application a file belongs to, and its version, before anything is written to it.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreUnusable } from '../../promises/store.ts';
import { assertVersion, schemaVersion } from '../schema/migrate.ts';
import { codeOf } from './files.ts';

/** SQLite's own header of a database file. */
export const HEADER_BYTES = 100;

type OpenFile = ReturnType<typeof open>;

const files = new Map<string, OpenFile>();

/** Opens an existing file, or shares its open descriptor. Throws `StoreUnusable`. */
export function holdFile(path: string) {
  try {
    const file = files.get(keyOf(statSync(path))) ?? open(path);
    const bytes = Buffer.alloc(HEADER_BYTES);
    const length = readSync(file.descriptor, bytes, 0, HEADER_BYTES, 0);
    file.holders += 1;
    const header = bytes.subarray(0, length);
    let released = false;
    /** To be called after SQLite has closed the file. Safe to call twice. */
    const release = () => {
      if (!released) closeUnused(file);
      released = true;
    };
    return { inode: file.inode, header, release, [Symbol.dispose]: release };
  } catch (error) {
    throw new StoreUnusable(`The store at ${path} cannot be read (${codeOf(error)}).`, {
      cause: error,
    });
  }
}

function open(path: string) {
  const descriptor = openSync(path, 'r');
  const stats = fstatSync(descriptor);
  const file = { descriptor, key: keyOf(stats), inode: stats.ino, holders: 0 };
  files.set(file.key, file);
  return file;
}

function closeUnused(file: OpenFile): void {
  file.holders -= 1;
  if (file.holders > 0) return;
  files.delete(file.key);
  closeSync(file.descriptor);
}

function keyOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev} ${ino}`;
}

/** 'Ldgs': marks a database file as one of ours. */
export const APPLICATION_ID = 0x4c646773;

/** Offsets in SQLite's header (https://www.sqlite.org/fileformat.html), and the start of every database. */
const READ_VERSION_AT = 18;
const PAGES_AT = 28;
const SCHEMA_COOKIE_AT = 40;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;
const MAGIC = 'SQLite format 3\0';

/**
 * Reads a file's header without SQLite, which would write to another program's file, if only to recover its log, and
 * cannot read a store without its log, whose checkpoint may have been interrupted. `blank`: an empty database, as a
 * process leaves it that is killed just before it creates the store.
 */
export function checkIdentity(path: string, header: Buffer): 'ours' | 'blank' {
  if (isBlank(header) || isUnwritten(path, header)) return 'blank';
  if (!isDatabase(header) || header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID) {
    throw new StoreUnusable(
      `${path} is a file of another program, not a Ledgerstone store: name another file.`,
    );
  }
  assertVersion(path, header.readUInt32BE(USER_VERSION_AT));
  return 'ours';
}

/** Returns whether a file that begins like this is a database, and its header whole. */
export function isDatabase(header: Buffer): boolean {
  return header.length >= HEADER_BYTES && header.toString('latin1', 0, MAGIC.length) === MAGIC;
}

/** One page, never a table, no application, and no write-ahead log that could have more. */
function isBlank(header: Buffer): boolean {
  return (
    isDatabase(header) &&
    header.readUInt8(READ_VERSION_AT) === 1 &&
    header.readUInt32BE(PAGES_AT) === 1 &&
    header.readUInt32BE(SCHEMA_COOKIE_AT) === 0 &&
    header.readUInt32BE(USER_VERSION_AT) === 0 &&
    header.readUInt32BE(APPLICATION_ID_AT) === 0
  );
}

/** One whose first page was not on disk when the power failed: its journal, which was, makes it empty again. */
function isUnwritten(path: string, header: Buffer): boolean {
  return header.every((byte) => byte === 0) && existsSync(`${path}-journal`);
}

/** Checks the version as SQLite sees it, including the log. */
export function checkVersion(path: string, database: DatabaseSync): void {
  assertVersion(path, schemaVersion(database));
}
