/** Whose a database file is, and of which version: asked before anything is written to it. */
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreUnusable } from '../store.ts';
import { asUnusable, NOT_A_DATABASE, resultCode } from './failure.ts';
import { SCHEMA_VERSION, schemaVersion } from './migrate.ts';
import { prepare } from './statements/prepare.ts';

/** 'Ldgs': marks a database file as one of ours. */
export const APPLICATION_ID = 0x4c646773;

/** Reads a file's header as it lies there: no lock, no log, nothing written. */
export function checkIdentity(path: string): void {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  let ours = false;
  try {
    const database = new DatabaseSync(url, { readOnly: true });
    try {
      ours = isOurs(database);
      if (ours) checkVersion(path, database);
    } finally {
      database.close();
    }
  } catch (error) {
    if (resultCode(error) !== NOT_A_DATABASE) throw asUnusable(error, path);
  }
  if (ours) return;
  throw new StoreUnusable(
    `${path} is a file of another program, not a Ledgerstone store: name another file.`,
  );
}

export function isOurs(database: DatabaseSync): boolean {
  const id = prepare<readonly [number]>(database, 'PRAGMA application_id').get();
  return id?.[0] === APPLICATION_ID;
}

export function checkVersion(path: string, database: DatabaseSync): void {
  const version = schemaVersion(database);
  if (version <= SCHEMA_VERSION) return;
  throw new StoreUnusable(
    `The store at ${path} was made by a newer Ledgerstone (its schema is ${version}, this one knows ${SCHEMA_VERSION}): use that version.`,
  );
}
