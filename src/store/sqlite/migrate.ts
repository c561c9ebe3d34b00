/** Brings a store's schema up to date: numbered migrations, then the tables and declared keys of the resources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { DeclaredKey, RecordShape } from '../../schema/shape.ts';
import { parseDocument } from './rows.ts';
import { quoteName } from './statements/prepare.ts';
import {
  addKeyColumn,
  createKeyIndex,
  createTable,
  fillKeyColumn,
  keyColumn,
  keyIndex,
  ROOT_TABLE,
  storedKey,
  tableName,
} from './tables.ts';

interface Step {
  /** For people. */
  readonly name: string;
  readonly apply: (database: DatabaseSync) => void;
}

const FOLDER = join(import.meta.dirname, 'migrations');

/** `0001_fixed.sql` and so on; the number of the last one is the schema's version. */
const files = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.sql'))
  .sort();

export const SCHEMA_VERSION = Number(files.at(-1)?.slice(0, 4));

export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** What `migrate` would do, in words. */
export function pendingSteps(
  database: DatabaseSync,
  shapes: readonly RecordShape[],
): readonly string[] {
  return plan(database, shapes).map((step) => step.name);
}

/** Does what is pending; to be called within a transaction. */
export function migrate(database: DatabaseSync, shapes: readonly RecordShape[]): void {
  for (const step of plan(database, shapes)) step.apply(database);
}

function plan(database: DatabaseSync, shapes: readonly RecordShape[]): readonly Step[] {
  const schema = database
    .prepare("SELECT name, tbl_name, type FROM sqlite_schema WHERE type IN ('table', 'index')")
    .all();
  const names = new Set(schema.map(({ name }) => name));
  const version = schemaVersion(database);
  const steps: Step[] = files
    .filter((file) => Number(file.slice(0, 4)) > version)
    .map((file) => ({ name: `migration ${file}`, apply: (on) => runFile(on, file) }));
  for (const shape of shapes) {
    const table = tableName(shape);
    if (table !== ROOT_TABLE && !names.has(table)) {
      steps.push({ name: `table ${table}`, apply: (on) => on.exec(createTable(shape)) });
    }
    const declared = new Set(shape.keys.map((key) => keyIndex(shape, key)));
    for (const key of shape.keys) {
      if (names.has(keyIndex(shape, key))) continue;
      steps.push({
        name: `declared key ${key.name} of ${table}`,
        apply: (on) => addKey(on, shape, key),
      });
    }
    for (const { name, tbl_name, type } of schema) {
      if (type !== 'index' || tbl_name !== table || declared.has(String(name))) continue;
      if (!String(name).startsWith(`${table}_key_`)) continue;
      // Its column is not written any more, and is filled anew should the key come back.
      steps.push({
        name: `index ${name} of a key that is no longer declared`,
        apply: (on) => on.exec(`DROP INDEX ${quoteName(String(name))}`),
      });
    }
  }
  return steps;
}

function runFile(database: DatabaseSync, file: string): void {
  database.exec(readFileSync(join(FOLDER, file), 'utf8'));
  database.exec(`PRAGMA user_version = ${Number(file.slice(0, 4))}`);
}

function addKey(database: DatabaseSync, shape: RecordShape, key: DeclaredKey): void {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(tableName(shape));
  if (!columns.some(({ name }) => name === keyColumn(key))) {
    database.exec(addKeyColumn(shape, key));
  }
  database.function('declared_key', { deterministic: true, directOnly: true }, (document) =>
    storedKey(key, parseDocument(String(document))),
  );
  database.exec(fillKeyColumn(shape, key));
  database.exec(createKeyIndex(shape, key));
}
