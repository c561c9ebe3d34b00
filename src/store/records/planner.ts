/**
 * The steps that bring the schema of a store up to date: the migrations that were not done, then the tables of our own
 * objects and of the resources with their indexes and declared keys, as far as they are not there as they are declared.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type OwnColumn, tableColumns } from '../../core/objects/own-object.ts';
import { ownTables } from '../../core/objects/tables/all.ts';
import type { OwnTable } from '../../core/objects/tables/own-table.ts';
import type { DeclaredKey, RecordShape } from '../../core/schema/shape.ts';
import { keyColumnName, ROOT_TABLE } from '../names.ts';

/** A step, with a description for people. */
export interface SchemaStep<Apply> {
  readonly name: string;
  readonly apply: Apply;
}

/** The existing schema, and how to add to it; `Index` is the store's description of an index. */
export interface SchemaMaker<Apply, Index extends { readonly name: string }> {
  /** The version of the last applied migration. */
  readonly version: number;
  tableName(shape: RecordShape): string;
  hasTable(table: string): boolean;
  hasColumn(table: string, column: string): boolean;
  /** Returns whether the index of a table exists as declared. */
  isMade(table: string, index: Index): boolean;
  /** Returns the names of all indexes of a table. */
  indexesOf(table: string): readonly string[];
  fixedIndexes(shape: RecordShape): readonly Index[];
  keyIndex(shape: RecordShape, key: DeclaredKey): Index;
  /** The text for people after the name of a table to create. */
  readonly madeHow: string;
  migrate(file: string): Apply;
  ownIndexes(table: OwnTable): readonly Index[];
  /** Creates tables of our own objects with their indexes. */
  makeOwn(tables: readonly OwnTable[]): Apply;
  addOwnColumn(table: OwnTable, column: OwnColumn): Apply;
  makeTable(shape: RecordShape, indexes: readonly Index[]): Apply;
  makeIndex(index: Index): Apply;
  /** Adds the column if it is missing, fills it, and creates its index. */
  makeKey(shape: RecordShape, key: DeclaredKey, index: Index): Apply;
  dropIndex(name: string): Apply;
}

/** Lists the files of a folder of migrations, `0001_fixed.sql` and so on, in order. */
export function migrationsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
}

/** Returns the version that a migration brings a schema to. */
export function versionOf(file: string): number {
  return Number(file.slice(0, 4));
}

/** Returns the folder of a store's migrations; `from` is the folder of its schema. */
export function migrationFolder(from: string): string {
  return join(from, 'migrations');
}

export function migrationSteps<Apply, Index extends { readonly name: string }>(
  maker: SchemaMaker<Apply, Index>,
  files: readonly string[],
): readonly SchemaStep<Apply>[] {
  return files
    .filter((file) => versionOf(file) > maker.version)
    .map((file) => ({ name: `migration ${file}`, apply: maker.migrate(file) }));
}

export function planSchema<Apply, Index extends { readonly name: string }>(
  maker: SchemaMaker<Apply, Index>,
  files: readonly string[],
  shapes: readonly RecordShape[],
): readonly SchemaStep<Apply>[] {
  return [
    ...migrationSteps(maker, files),
    ...ownSteps(maker),
    ...shapes.flatMap((shape) => [
      ...tableSteps(maker, shape),
      ...keySteps(maker, shape),
      ...undeclaredSteps(maker, shape),
    ]),
  ];
}

/** Returns the steps for tables of our own objects: whole tables, or columns and indexes that differ or are missing. */
function ownSteps<Apply, Index extends { readonly name: string }>(
  maker: SchemaMaker<Apply, Index>,
): readonly SchemaStep<Apply>[] {
  const missing = ownTables.filter(({ table }) => !maker.hasTable(table));
  const names = missing.map(({ table }) => table).join(', ');
  return [
    ...(missing.length === 0 ? [] : [{ name: `tables ${names}`, apply: maker.makeOwn(missing) }]),
    ...ownTables
      .filter((table) => !missing.includes(table))
      .flatMap((table) => [
        ...tableColumns(table)
          .filter(({ name }) => !maker.hasColumn(table.table, name))
          .map((column) => ({
            name: `column ${column.name} of ${table.table}`,
            apply: maker.addOwnColumn(table, column),
          })),
        ...maker
          .ownIndexes(table)
          .filter((index) => !maker.isMade(table.table, index))
          .map((index) => ({ name: `index ${index.name}`, apply: maker.makeIndex(index) })),
      ]),
  ];
}

/** Returns the steps for a table: all of it with its indexes, or only indexes that differ or are missing. */
function tableSteps<Apply, Index extends { readonly name: string }>(
  maker: SchemaMaker<Apply, Index>,
  shape: RecordShape,
): readonly SchemaStep<Apply>[] {
  const table = maker.tableName(shape);
  const indexes = maker.fixedIndexes(shape);
  if (table !== ROOT_TABLE && !maker.hasTable(table)) {
    return [{ name: `table ${table}${maker.madeHow}`, apply: maker.makeTable(shape, indexes) }];
  }
  return indexes
    .filter((index) => !maker.isMade(table, index))
    .map((index) => ({ name: `index ${index.name}`, apply: maker.makeIndex(index) }));
}

function keySteps<Apply, Index extends { readonly name: string }>(
  maker: SchemaMaker<Apply, Index>,
  shape: RecordShape,
): readonly SchemaStep<Apply>[] {
  return shape.keys
    .map((key) => ({ key, index: maker.keyIndex(shape, key) }))
    .filter(({ index }) => !maker.isMade(maker.tableName(shape), index))
    .map(({ key, index }) => ({
      name: `declared key ${key.name} of ${maker.tableName(shape)}`,
      apply: maker.makeKey(shape, key, index),
    }));
}

/** Returns the steps that drop indexes of undeclared keys; the column is filled again if the key comes back. */
function undeclaredSteps<Apply, Index extends { readonly name: string }>(
  maker: SchemaMaker<Apply, Index>,
  shape: RecordShape,
): readonly SchemaStep<Apply>[] {
  const table = maker.tableName(shape);
  const declared = new Set(shape.keys.map((key) => maker.keyIndex(shape, key).name));
  const prefix = `${table}_${keyColumnName({ name: '' })}`;
  return maker
    .indexesOf(table)
    .filter((name) => name.startsWith(prefix) && !declared.has(name))
    .map((name) => ({
      name: `index ${name} of a key that is no longer declared`,
      apply: maker.dropIndex(name),
    }));
}
