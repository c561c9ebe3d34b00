/**
 * The steps that bring the schema of a store up to date: the migrations that were not done, then the tables of our own
 * objects and of the resources with their indexes and declared keys, as far as they are not there as they are declared.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import about from '../../../package.json' with { type: 'json' };
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
import { StoreUnusable } from '../promises/store.ts';

/** A step, with a description for people, and what it does: SQL, a migration, or filling the column of a declared key. */
export interface SchemaStep {
  readonly name: string;
  readonly does: readonly (string | Migration | FilledKey)[];
  /** Whether it reads or writes all rows of a table. */
  readonly walks?: boolean;
  /** The table of which it builds an index: nobody writes there meanwhile. */
  readonly builds?: string;
  /** Whether what a process of the version before writes meanwhile would lack something. */
  readonly alone?: boolean;
}

/** A file of SQL with the schema that it makes. */
export interface Migration extends Pick<SchemaStep, 'walks' | 'alone'> {
  readonly file: string;
  readonly version: number;
  readonly sql: string;
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

/**
 * Lists the migrations in a folder in order, one at most for a release, which names it: `1.2.0_name.sql`.
 * Lines at the head of a file say what it needs: `-- walks` rows of tables, or is done `-- alone`.
 */
export function migrationsIn(folder: string): readonly Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => {
      const sql = readFileSync(join(folder, file), 'utf8');
      const [walks, alone] = [/^-- walks$/m, /^-- alone$/m].map((says) => says.test(sql));
      return { file, version: versionOf(file), sql, walks: walks === true, alone: alone === true };
    })
    .sort((one, other) => one.version - other.version);
}

/** The number of the schema that a migration makes: 1002003 of release 1.2.3. */
function versionOf(file: string): number {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)_/.exec(file) ?? [];
  if (parts.length === 0) throw new TypeError(`${file} is not named by a release.`);
  return parts.reduce((number, part) => number * 1_000 + Number(part), 0);
}

/** The release of the last migration that this program knows. */
export const SCHEMA_RELEASE = releaseOf(
  migrationsIn(join(import.meta.dirname, '../sqlite/schema/migrations')).at(-1)?.version ?? 0,
);

function releaseOf(version: number): string {
  return [1_000_000, 1_000, 1].map((unit) => Math.floor(version / unit) % 1_000).join('.');
}

/** Which of two releases is the later one: above zero the first, below the second. What is none is the earliest. */
export function compareReleases(one: string, other: string): number {
  const [first, second] = [one, other].map((text) =>
    (/^(\d+)\.(\d+)\.(\d+)/.exec(text) ?? []).slice(1).map(Number),
  );
  const [at = 0, is = 0] =
    [0, 1, 2]
      .map((place) => [first?.[place] ?? 0, second?.[place] ?? 0])
      .find(([left, right]) => left !== right) ?? [];
  return at - is;
}

/** Throws `StoreUnusable` where the schema is that of a later release than this program knows, or of none. */
export function assertKnown(
  place: string,
  version: number,
  migrations: readonly Migration[],
): void {
  const [first, last] = [migrations[0]?.version ?? 0, migrations.at(-1)?.version ?? 0];
  if (version === 0 || (version >= first && version <= last)) return;
  if (version < first)
    throw new StoreUnusable(
      `The store at ${place} was made by a build before 1.0.0, the first release: write a backup with that build, and restore it into a new store.`,
    );
  const release = releaseOf(version);
  throw new StoreUnusable(
    `The store at ${place} was migrated by Ledgerstone ${release}, and this is ${about.version}: use ${release} or a later version.`,
  );
}

/** Whether it begins a new store: the migration of the first release. */
const isFirst = ({ name }: SchemaStep): boolean => name.startsWith('migration 1.0.0_');

/** Bytes that a slow disk reads and writes in a second. */
const BYTES_PER_SECOND = 25_000_000;
/** A process of the version before waits a little longer than this for a table to write to. */
const WAITED_SECONDS = 2;

/** How large a store is, and its tables as far as that is known. */
export interface StoreSize {
  readonly whole: number;
  readonly tables?: ReadonlyMap<string, number>;
}

/**
 * The steps in words, whether processes of the version before must stop first, and how many bytes the steps read or write
 * and how many seconds they take, at most.
 */
export function pendingOf(steps: readonly SchemaStep[], { whole, tables }: StoreSize) {
  const built = steps.reduce((sum, { builds }) => {
    return sum + (builds === undefined ? 0 : (tables?.get(builds) ?? whole));
  }, 0);
  const walksAll = steps.some(({ walks, builds }) => walks && builds === undefined);
  const bytes = walksAll ? whole : Math.min(built, whole);
  const needsAlone =
    steps.some(({ alone }) => alone === true) || built / BYTES_PER_SECOND > WAITED_SECONDS;
  return {
    steps: steps.map(({ name }) => name),
    // Nobody serves a store that is not there yet.
    alone: needsAlone && !steps.some(isFirst),
    bytes,
    seconds: Math.ceil(bytes / BYTES_PER_SECOND),
  };
}

export function planSchema(
  maker: SchemaMaker,
  migrations: readonly Migration[],
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
      .map((it) => ({ name: `index ${it.name}`, does: replaced(it), walks: true, builds: table }));

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
        walks: maker.hasTable(table),
        alone: maker.hasTable(table),
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
    ...migrations
      .filter(({ version }) => version > maker.version)
      .map((one) => ({ ...one, name: `migration ${one.file}`, does: [one] })),
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
export function schemaFinding(steps: readonly string[], first: string): Finding {
  const { good, warning } = findingsOf('schema');
  return steps.length === 0
    ? good('The schema is up to date.')
    : warning(
        `The schema is older than this program: ${first}, then run "ledgerstone migrate", which has ${steps.length} steps to do.`,
      );
}
