/** Checks which application a database file belongs to, and its version, before anything is written to it. */
import type { DatabaseSync } from 'node:sqlite';
import { StoreUnusable } from '../../promises/store.ts';
import { SCHEMA_VERSION, schemaVersion } from '../schema/migrate.ts';
import { prepare } from '../statements/prepare.ts';
import { HEADER_BYTES } from './held-file.ts';

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
  if (isBlank(header)) return 'blank';
  if (
    header.length < HEADER_BYTES ||
    header.toString('latin1', 0, MAGIC.length) !== MAGIC ||
    header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID
  ) {
    throw new StoreUnusable(
      `${path} is a file of another program, not a Ledgerstone store: name another file.`,
    );
  }
  wantVersion(path, header.readUInt32BE(USER_VERSION_AT));
  return 'ours';
}

/** One page, never a table, no application, and no write-ahead log that could have more. */
function isBlank(header: Buffer): boolean {
  return (
    header.length >= HEADER_BYTES &&
    header.toString('latin1', 0, MAGIC.length) === MAGIC &&
    header.readUInt8(READ_VERSION_AT) === 1 &&
    header.readUInt32BE(PAGES_AT) === 1 &&
    header.readUInt32BE(SCHEMA_COOKIE_AT) === 0 &&
    header.readUInt32BE(USER_VERSION_AT) === 0 &&
    header.readUInt32BE(APPLICATION_ID_AT) === 0
  );
}

export function isOurs(database: DatabaseSync): boolean {
  const id = prepare<readonly [number]>(database, 'PRAGMA application_id').get();
  return id?.[0] === APPLICATION_ID;
}

/** Checks the version as SQLite sees it, including the log. */
export function checkVersion(path: string, database: DatabaseSync): void {
  wantVersion(path, schemaVersion(database));
}

function wantVersion(path: string, version: number): void {
  if (version <= SCHEMA_VERSION) return;
  throw new StoreUnusable(
    `The store at ${path} was written by a newer Ledgerstone (its schema is ${version}, this one knows ${SCHEMA_VERSION}): use that version.`,
  );
}
