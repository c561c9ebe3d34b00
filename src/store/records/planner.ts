/**
 * The steps that bring the schema of a store up to date: the migrations that were not done, then the tables of our own
 * objects and of the resources with their indexes and declared keys, as far as they are not there as they are declared.
 */

import { readdirSync } from 'node:fs';
import { tableColumns } from '../../core/objects/own-object.ts';
import { ownTables } from '../../core/objects/tables/all.ts';
import { type Finding, findingsOf } from '../../core/observe/finding.ts';
import type { DeclaredKey, RecordShape } from '../../core/schema/shape.ts';
import { keyColumnName, quoteName, ROOT_TABLE, tableName } from '../names.ts';
import {
  addOwnColumn,
  createOwnTable,
  type Index,
  ownIndexes,
  type StoreKind,
} from '../own-tables.ts';

/** A step, with a description for people, and what it does: SQL, a migration, or filling the column of a declared key. */
export interface SchemaStep {
  readonly name: string;
  readonly does: readonly (string | { readonly file: string } | FilledKey)[];
}

/** Its column is added first if it is missing. */
export interface FilledKey {
  readonly shape: RecordShape;
  readonly key: DeclaredKey;
}

/** The existing schema, and how its store writes what is to be added. */
export interface SchemaMaker {
  readonly store: StoreKind;
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
  createTable(shape: RecordShape): string;
  createIndex(index: Index): readonly string[];
  /** The steps between migrations and declared tables. */
  readonly between?: readonly SchemaStep[];
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

export function planSchema(
  maker: SchemaMaker,
  files: readonly string[],
  shapes: readonly RecordShape[],
): readonly SchemaStep[] {
  const { store, createIndex } = maker;
  const whole = (table: string, indexes: readonly Index[]) =>
    [table, ...indexes.flatMap(createIndex)].join(';\n');
  /** Replaces one with another definition, if there is one. */
  const replaced = (index: Index) => [dropping(index.name), ...createIndex(index)];

  /** Returns the steps for indexes that differ or are missing. */
  const indexSteps = (table: string, indexes: readonly Index[]): readonly SchemaStep[] =>
    indexes
      .filter((index) => !maker.isMade(table, index))
      .map((index) => ({ name: `index ${index.name}`, does: replaced(index) }));

  /** Returns the steps for tables of our own objects: whole tables, or columns and indexes. */
  function ownSteps(): readonly SchemaStep[] {
    const missing = ownTables.filter(({ table }) => !maker.hasTable(table));
    const others = ownTables.filter(({ table }) => maker.hasTable(table));
    const does = missing.map((one) => whole(createOwnTable(one, store), ownIndexes(one)));
    const changed = others.flatMap((table) => [
      ...tableColumns(table)
        .filter(({ name }) => !maker.hasColumn(table.table, name))
        .map((column) => ({
          name: `column ${column.name} of ${table.table}`,
          does: [addOwnColumn(table, column, store)],
        })),
      ...indexSteps(table.table, ownIndexes(table)),
    ]);
    if (missing.length === 0) return changed;
    const name = `tables ${missing.map(({ table }) => table).join(', ')}`;
    return [{ name, does: [does.join(';\n')] }, ...changed];
  }

  /** Returns the steps for a table: all of it with its indexes, or only indexes. */
  function tableSteps(shape: RecordShape, table: string): readonly SchemaStep[] {
    const indexes = maker.fixedIndexes(shape);
    if (table === ROOT_TABLE || maker.hasTable(table)) return indexSteps(table, indexes);
    const does = [whole(maker.createTable(shape), indexes)];
    return [{ name: `table ${table}${maker.madeHow}`, does }];
  }

  /** Returns the steps for declared keys, and those that drop indexes of others: such a key is filled again if it comes back. */
  function keySteps(shape: RecordShape, table: string): readonly SchemaStep[] {
    const keys = shape.keys.map((key) => ({ key, index: maker.keyIndex(shape, key) }));
    const declared = new Set(keys.map(({ index }) => index.name));
    const prefix = `${table}_${keyColumnName({ name: '' })}`;
    const made = keys
      .filter(({ index }) => !maker.isMade(table, index))
      .map(({ key, index }) => ({
        name: `declared key ${key.name} of ${table}`,
        does: [{ shape, key }, ...replaced(index)],
      }));
    const dropped = maker
      .indexesOf(table)
      .filter((name) => name.startsWith(prefix) && !declared.has(name))
      .map((name) => ({
        name: `index ${name} of a key that is no longer declared`,
        does: [dropping(name)],
      }));
    return [...made, ...dropped];
  }

  return [
    ...files
      .filter((file) => versionOf(file) > maker.version)
      .map((file) => ({ name: `migration ${file}`, does: [{ file }] })),
    ...(maker.between ?? []),
    ...ownSteps(),
    ...shapes.flatMap((shape) => {
      const table = tableName(shape);
      return [...tableSteps(shape, table), ...keySteps(shape, table)];
    }),
  ];
}

function dropping(index: string): string {
  return `DROP INDEX IF EXISTS ${quoteName(index)}`;
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
