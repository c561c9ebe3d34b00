/** Brings a store's schema up to date: numbered migrations, then the tables and declared keys of the resources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { DeclaredKey, RecordShape } from '../../../schema/shape.ts';
import { storedKey } from '../../indexed.ts';
import { parseDocument } from '../../records.ts';
import { quoteName } from '../statements/prepare.ts';
import { fixedIndexes, type Index, keyIndex } from './indexes.ts';
import {
  addKeyColumn,
  createTable,
  fillKeyColumn,
  keyColumn,
  ROOT_TABLE,
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
  const schema = schemaOf(database);
  const version = schemaVersion(database);
  return [
    ...files
      .filter((file) => Number(file.slice(0, 4)) > version)
      .map((file) => ({
        name: `migration ${file}`,
        apply: (on: DatabaseSync) => runFile(on, file),
      })),
    ...shapes.flatMap((shape) => [
      ...tableSteps(shape, schema),
      ...keySteps(shape, schema),
      ...undeclaredSteps(shape, schema),
    ]),
  ];
}

/** A table or an index as it is; `sql` is what made it. */
interface Found {
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

function schemaOf(database: DatabaseSync): ReadonlyMap<string, Found> {
  const rows = database
    .prepare("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type IN ('table', 'index')")
    .all();
  return new Map(
    rows.map(({ name, tbl_name, sql }) => [
      String(name),
      { name: String(name), table: String(tbl_name), sql: String(sql) },
    ]),
  );
}

type Schema = ReturnType<typeof schemaOf>;

/** The table with its indexes, or those of them that are missing or made otherwise. */
function tableSteps(shape: RecordShape, schema: Schema): readonly Step[] {
  const table = tableName(shape);
  const indexes = fixedIndexes(shape);
  if (table !== ROOT_TABLE && !schema.has(table)) {
    const apply = (on: DatabaseSync) => {
      on.exec(createTable(shape));
      for (const index of indexes) on.exec(index.create);
    };
    return [{ name: `table ${table}`, apply }];
  }
  return indexes
    .filter((index) => schema.get(index.name)?.sql !== index.create)
    .map((index) => ({ name: `index ${index.name}`, apply: (on) => makeIndex(on, index) }));
}

function keySteps(shape: RecordShape, schema: Schema): readonly Step[] {
  return shape.keys
    .map((key) => ({ key, index: keyIndex(shape, key) }))
    .filter(({ index }) => schema.get(index.name)?.sql !== index.create)
    .map(({ key, index }) => ({
      name: `declared key ${key.name} of ${tableName(shape)}`,
      apply: (on) => {
        fillKey(on, shape, key);
        makeIndex(on, index);
      },
    }));
}

/** The column of such a key is not written any more, and is filled anew should the key come back. */
function undeclaredSteps(shape: RecordShape, schema: Schema): readonly Step[] {
  const table = tableName(shape);
  const declared = new Set(shape.keys.map((key) => keyIndex(shape, key).name));
  return [...schema.values()]
    .filter((found) => found.table === table && found.name.startsWith(`${table}_key_`))
    .filter(({ name }) => !declared.has(name))
    .map(({ name }) => ({
      name: `index ${name} of a key that is no longer declared`,
      apply: (on) => on.exec(`DROP INDEX IF EXISTS ${quoteName(name)}`),
    }));
}

/** In the place of one that is made otherwise, if there is one. */
function makeIndex(database: DatabaseSync, index: Index): void {
  database.exec(`DROP INDEX IF EXISTS ${quoteName(index.name)}`);
  database.exec(index.create);
}

function runFile(database: DatabaseSync, file: string): void {
  database.exec(readFileSync(join(FOLDER, file), 'utf8'));
  database.exec(`PRAGMA user_version = ${Number(file.slice(0, 4))}`);
}

function fillKey(database: DatabaseSync, shape: RecordShape, key: DeclaredKey): void {
  if (!hasColumn(database, shape, keyColumn(key))) database.exec(addKeyColumn(shape, key));
  database.function('declared_key', { deterministic: true, directOnly: true }, (document) =>
    storedKey(key, parseDocument(String(document))),
  );
  database.exec(fillKeyColumn(shape, key));
}

function hasColumn(database: DatabaseSync, shape: RecordShape, column: string): boolean {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(tableName(shape));
  return columns.some(({ name }) => name === column);
}
