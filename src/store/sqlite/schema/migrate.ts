/** Brings a store's schema up to date: numbered migrations, then the tables and declared keys of the resources. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { DeclaredKey, RecordShape } from '../../../core/schema/shape.ts';
import { keyColumnName, quoteName, tableName } from '../../names.ts';
import { addOwnColumn, createOwnTable, ownIndexes } from '../../own-tables.ts';
import {
  migrationsIn,
  planSchema,
  type SchemaMaker,
  type SchemaStep,
  versionOf,
} from '../../records/planner.ts';
import { parseDocument, storedKey } from '../../records/records.ts';
import { prepare } from '../statements/prepare.ts';
import { fixedIndexes, type Index, keyIndex } from './indexes.ts';
import { addKeyColumn, createTable, fillKeyColumn } from './tables.ts';

type Step = SchemaStep<(database: DatabaseSync) => void>;

const FOLDER = join(import.meta.dirname, 'migrations');
const files = migrationsIn(FOLDER);

/** The number of the last migration. */
export const SCHEMA_VERSION = versionOf(files.at(-1) ?? '');

export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** The steps that `migrate` would take, in words. */
export function pendingSteps(database: DatabaseSync, shapes: readonly RecordShape[]) {
  return plan(database, shapes).map((step) => step.name);
}

/** Runs what is pending. Called within a transaction. */
export function migrate(database: DatabaseSync, shapes: readonly RecordShape[]): void {
  for (const step of plan(database, shapes)) step.apply(database);
}

function plan(database: DatabaseSync, shapes: readonly RecordShape[]): readonly Step[] {
  const found = entriesIn(database);
  const columns = columnsIn(database);
  const maker: SchemaMaker<Step['apply'], Index> = {
    version: schemaVersion(database),
    hasTable: (table) => found.has(table),
    hasColumn: (table, column) => columns.has(`${table}.${column}`),
    isMade: (_table, { name, create }) => found.get(name)?.sql === create,
    indexesOf: (table) =>
      [...found.values()].filter((one) => one.table === table).map(({ name }) => name),
    fixedIndexes,
    keyIndex,
    madeHow: '',
    migrate: (file) => (on) => runFile(on, file),
    ownIndexes,
    makeOwn: (tables) => (on) => {
      for (const table of tables) {
        on.exec(createOwnTable(table, 'sqlite'));
        for (const { create } of ownIndexes(table)) on.exec(create);
      }
    },
    addOwnColumn: (table, column) => (on) => on.exec(addOwnColumn(table, column, 'sqlite')),
    makeTable: (shape, indexes) => (on) => {
      on.exec(createTable(shape));
      for (const index of indexes) on.exec(index.create);
    },
    makeIndex: (index) => (on) => makeIndex(on, index),
    makeKey: (shape, key, index) => (on) => {
      fillKey(on, shape, key);
      makeIndex(on, index);
    },
    dropIndex: (name) => (on) => on.exec(`DROP INDEX IF EXISTS ${quoteName(name)}`),
  };
  return planSchema(maker, files, shapes);
}

/** The tables of our own objects: all but those of records, which may be of a resource that is gone. */
export function declaredTables(database: DatabaseSync): readonly string[] {
  const columns = columnsIn(database);
  return [...entriesIn(database).values()]
    .filter(({ name, table }) => name === table && !name.startsWith('sqlite_'))
    .filter(({ name }) => !columns.has(`${name}.document`))
    .map(({ name }) => name);
}

/** The existing tables and indexes by their names, with the statements that created them. */
function entriesIn(database: DatabaseSync) {
  const entries = prepare<readonly [name: string, table: string, sql: string | null]>(
    database,
    "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type IN ('table', 'index')",
  );
  return new Map(entries.all().map(([name, table, sql]) => [name, { name, table, sql }]));
}

/** Creates an index, replacing one with another definition. */
function makeIndex(database: DatabaseSync, index: Index): void {
  database.exec(`DROP INDEX IF EXISTS ${quoteName(index.name)}`);
  database.exec(index.create);
}

function runFile(database: DatabaseSync, file: string): void {
  database.exec(readFileSync(join(FOLDER, file), 'utf8'));
  database.exec(`PRAGMA user_version = ${versionOf(file)}`);
}

function fillKey(database: DatabaseSync, shape: RecordShape, key: DeclaredKey): void {
  const column = database.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?');
  if (!column.get(tableName(shape), keyColumnName(key))) database.exec(addKeyColumn(shape, key));
  database.function('declared_key', { deterministic: true, directOnly: true }, (document) =>
    storedKey(key, parseDocument(String(document))),
  );
  database.exec(fillKeyColumn(shape, key));
}

/** The columns of all tables, as `table.column`. */
function columnsIn(database: DatabaseSync): ReadonlySet<string> {
  const columns = prepare<readonly [name: string]>(
    database,
    "SELECT s.name || '.' || c.name FROM sqlite_schema s, pragma_table_info(s.name) c WHERE s.type = 'table'",
  );
  return new Set(columns.all().map(([name]) => name));
}
