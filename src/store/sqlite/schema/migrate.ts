/** Brings a store's schema up to date: numbered migrations, then the tables and declared keys of the resources. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { keyColumnName, tableName } from '../../names.ts';
import type { Index } from '../../own-tables.ts';
import {
  assertKnown,
  type FilledKey,
  type Migration,
  migrationsIn,
  pendingOf,
  planSchema,
  type SchemaMaker,
} from '../../records/planner.ts';
import { parseDocument, storedKey } from '../../records/records.ts';
import { prepare } from '../statements/prepare.ts';
import { fixedIndexes, keyIndex } from './indexes.ts';
import { addKeyColumn, createTable, fillKeyColumn } from './tables.ts';

const migrations = migrationsIn(join(import.meta.dirname, 'migrations'));

/** Throws `StoreUnusable` where a later release has migrated the store. */
export function assertVersion(path: string, version: number): void {
  assertKnown(path, version, migrations);
}

export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** The steps that `migrate` would take. */
export function pendingSteps(database: DatabaseSync, shapes: readonly RecordShape[]) {
  const { page_count: pages, page_size: size } = database
    .prepare('SELECT page_count, page_size FROM pragma_page_count, pragma_page_size')
    .get() as { readonly page_count: number; readonly page_size: number };
  return pendingOf(plan(database, shapes), { whole: pages * size });
}

/** Runs what is pending. Called within a transaction. */
export function migrate(database: DatabaseSync, shapes: readonly RecordShape[]): void {
  for (const part of plan(database, shapes).flatMap(({ does }) => does)) {
    if (typeof part === 'string') database.exec(part);
    else if ('file' in part) runFile(database, part);
    else fillKey(database, part);
  }
}

function plan(database: DatabaseSync, shapes: readonly RecordShape[]) {
  const found = entriesIn(database);
  const columns = columnsIn(database);
  const maker: SchemaMaker = {
    store: 'sqlite',
    version: schemaVersion(database),
    hasTable: (table) => found.has(table),
    hasColumn: (table, column) => columns.has(`${table}.${column}`),
    isMade: (_table, index) => found.get(index.name)?.sql === createIndex(index),
    indexesOf: (table) =>
      [...found.values()].filter((one) => one.table === table).map(({ name }) => name),
    fixedIndexes,
    keyIndex,
    madeHow: '',
    createTable,
    createIndex: (index) => [createIndex(index)],
  };
  return planSchema(maker, migrations, shapes);
}

/** An index stores what it is of in its own text. */
function createIndex({ create: [begin, on], of }: Index): string {
  return of === '' ? `${begin} ${on}` : `${begin} /* ${of} */ ${on}`;
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

function runFile(database: DatabaseSync, { sql, version }: Migration): void {
  database.exec(sql);
  database.exec(`PRAGMA user_version = ${version}`);
}

function fillKey(database: DatabaseSync, { shape, key }: FilledKey): void {
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
