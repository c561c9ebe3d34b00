/**
 * The steps that bring the schema of a store up to date: the migrations that were not done, then the tables of our own
 * objects and of the resources with their indexes and declared keys, as far as they are not there as they are declared.
 */

import { readdirSync } from 'node:fs';
import { type OwnColumn, type OwnTable, tableColumns } from '../../core/objects/own-object.ts';
import { ownTables } from '../../core/objects/tables/all.ts';
import { type Finding, findingsOf } from '../../core/observe/finding.ts';
import type { DeclaredKey, RecordShape } from '../../core/schema/shape.ts';
import { keyColumnName, ROOT_TABLE, tableName } from '../names.ts';

/** A step, with a description for people. */
export interface SchemaStep<Apply> {
  readonly name: string;
  readonly apply: Apply;
}

/** The existing schema, and how to add to it; `Index` is the store's description of an index. */
export interface SchemaMaker<Apply, Index extends { readonly name: string }> {
  readonly version: number;
  hasTable(table: string): boolean;
  hasColumn(table: string, column: string): boolean;
  /** Returns whether the index of a table exists as declared. */
  isMade(table: string, index: Index): boolean;
  indexesOf(table: string): readonly string[];
  fixedIndexes(shape: RecordShape): readonly Index[];
  keyIndex(shape: RecordShape, key: DeclaredKey): Index;
  /** The text for people after the name of a table to create. */
  readonly madeHow: string;
  migrate(file: string): Apply;
  ownIndexes(table: OwnTable): readonly Index[];
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
  type Step = SchemaStep<Apply>;

  /** Returns the steps for indexes that differ or are missing. */
  const indexSteps = (table: string, indexes: readonly Index[]): readonly Step[] =>
    indexes
      .filter((index) => !maker.isMade(table, index))
      .map((index) => ({ name: `index ${index.name}`, apply: maker.makeIndex(index) }));

  /** Returns the steps for tables of our own objects: whole tables, or columns and indexes. */
  function ownSteps(): readonly Step[] {
    const missing = ownTables.filter(({ table }) => !maker.hasTable(table));
    const names = missing.map(({ table }) => table).join(', ');
    const made =
      missing.length === 0 ? [] : [{ name: `tables ${names}`, apply: maker.makeOwn(missing) }];
    const others = ownTables
      .filter((table) => !missing.includes(table))
      .flatMap((table) => [
        ...tableColumns(table)
          .filter(({ name }) => !maker.hasColumn(table.table, name))
          .map((column) => ({
            name: `column ${column.name} of ${table.table}`,
            apply: maker.addOwnColumn(table, column),
          })),
        ...indexSteps(table.table, maker.ownIndexes(table)),
      ]);
    return [...made, ...others];
  }

  /** Returns the steps for a table: all of it with its indexes, or only indexes. */
  function tableSteps(shape: RecordShape, table: string): readonly Step[] {
    const indexes = maker.fixedIndexes(shape);
    if (table === ROOT_TABLE || maker.hasTable(table)) return indexSteps(table, indexes);
    return [{ name: `table ${table}${maker.madeHow}`, apply: maker.makeTable(shape, indexes) }];
  }

  /** Returns the steps for declared keys, and those that drop indexes of others: such a key is filled again if it comes back. */
  function keySteps(shape: RecordShape, table: string): readonly Step[] {
    const keys = shape.keys.map((key) => ({ key, index: maker.keyIndex(shape, key) }));
    const declared = new Set(keys.map(({ index }) => index.name));
    const prefix = `${table}_${keyColumnName({ name: '' })}`;
    const made = keys
      .filter(({ index }) => !maker.isMade(table, index))
      .map(({ key, index }) => ({
        name: `declared key ${key.name} of ${table}`,
        apply: maker.makeKey(shape, key, index),
      }));
    const dropped = maker
      .indexesOf(table)
      .filter((name) => name.startsWith(prefix) && !declared.has(name))
      .map((name) => ({
        name: `index ${name} of a key that is no longer declared`,
        apply: maker.dropIndex(name),
      }));
    return [...made, ...dropped];
  }

  return [
    ...migrationSteps(maker, files),
    ...ownSteps(),
    ...shapes.flatMap((shape) => {
      const table = tableName(shape);
      return [...tableSteps(shape, table), ...keySteps(shape, table)];
    }),
  ];
}

/** Finds a schema out of date whose steps are pending; `first` says what is to be done before they are. */
export function schemaFinding(pending: readonly string[], first: string): Finding {
  const { good, warning } = findingsOf('schema');
  return pending.length === 0
    ? good('The schema is up to date.')
    : warning(
        `The schema is older than this program: ${first}, then run "ledgerstone migrate", which has ${pending.length} steps to do.`,
      );
}
