/** Brings a store's schema up to date: numbered migrations, then the tables and declared keys of the resources. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnTable } from '../../../core/objects/tables/own-table.ts';
import type { DeclaredKey, RecordShape } from '../../../core/schema/shape.ts';
import { FIXED_TABLES, quoteName, ROOT_TABLE, tableName } from '../../names.ts';
import { addOwnColumn, createOwnTable, ownIndexes } from '../../own-tables.ts';
import { StoreUnusable } from '../../promises/store.ts';
import {
  migrationSteps,
  migrationsIn,
  planSchema,
  type SchemaMaker,
  type SchemaStep,
  versionOf,
} from '../../records/planner.ts';
import { parseDocument, storedKey } from '../../records/records.ts';
import { unnest } from '../statements/prepare.ts';
import { call, type Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';
import {
  beginSpreading,
  type Distribution,
  identifyRows,
  isCoordinator,
  readSpread,
  spread as spreadTables,
} from './distribution.ts';
import { fixedIndexes, type Index, keyIndex } from './indexes.ts';
import {
  addKeyColumn,
  CHANGE_TABLE,
  createChangeTable,
  createTable,
  keyColumn,
  MIGRATION_TABLE,
  tableOf,
} from './tables.ts';

type Step = SchemaStep<(session: Session) => Promise<void>>;

const FOLDER = join(import.meta.dirname, 'migrations');
const files = migrationsIn(FOLDER);

/** The number of the last migration. */
const SCHEMA_VERSION = versionOf(files.at(-1) ?? '');

/** The state of a schema. */
export interface Schema {
  /** Whether it is a store of ours. */
  readonly ours: boolean;
  readonly version: number;
  readonly tables: ReadonlySet<string>;
  /** The names of columns, by table. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names of indexes, by table, each with what it says of itself. */
  readonly indexes: ReadonlyMap<string, ReadonlyMap<string, string | null>>;
  /** The tables that lie on several servers; `undefined` where none can. */
  readonly spread: ReadonlySet<string> | undefined;
  /** Whether tables can be made and changed at this server; others of its cluster do not know what indexes say. */
  readonly alterable: boolean;
}

/** How tables are laid out when they are made. */
export interface Layout {
  /** Into how many partitions each is divided; 0: none. */
  readonly partitions: number;
  readonly distribution?: Distribution | undefined;
}

/** Throws `StoreUnusable` where the schema is not one that this program knows. */
export async function readSchema(session: Session, place: string): Promise<Schema> {
  const rows = await session.rows<
    readonly [table: string, columns: string, index: string | null, says: string | null]
  >(
    call({
      text: `SELECT found.relname::text, (SELECT coalesce(json_agg(attname), '[]')::text FROM pg_attribute
            WHERE attrelid = found.oid AND attnum > 0 AND NOT attisdropped),
          index.relname::text, obj_description(index.oid, 'pg_class')
        FROM pg_class AS found
        LEFT JOIN pg_index ON indrelid = found.oid LEFT JOIN pg_class AS index ON index.oid = indexrelid
        WHERE found.relnamespace = current_schema()::regnamespace AND found.relkind IN ('r', 'p')`,
    }),
  );
  const indexes = new Map<string, Map<string, string | null>>();
  const columns = new Map<string, ReadonlySet<string>>();
  for (const [table, named, index, says] of rows) {
    if (!columns.has(table)) columns.set(table, new Set(JSON.parse(named)));
    const ofTable = indexes.get(table) ?? new Map<string, string | null>();
    if (index !== null) ofTable.set(index, says);
    indexes.set(table, ofTable);
  }
  const tables = new Set(indexes.keys());
  const ours = tables.has(MIGRATION_TABLE);
  if (!ours && tables.has(ROOT_TABLE)) {
    throw new StoreUnusable(
      `The database at ${place} has tables of another program: name another database.`,
    );
  }
  const version = ours ? await doneUpTo(session) : 0;
  if (version > SCHEMA_VERSION) {
    throw new StoreUnusable(
      `The store at ${place} was written by a newer Ledgerstone (its schema is ${version}, this one knows ${SCHEMA_VERSION}): use that version.`,
    );
  }
  const spread = await readSpread(session);
  const alterable = spread === undefined || (await isCoordinator(session));
  return { ours, version, tables, columns, indexes, spread, alterable };
}

/** Tables of our own objects, which have indexes of ours; those of records may be of a resource that is gone. */
export function declaredTables({ indexes, columns }: Schema): readonly string[] {
  return [...indexes].flatMap(([table, made]) => {
    const isOurs = [...made.values()].some((says) => says?.startsWith('CREATE '));
    return isOurs && columns.get(table)?.has('document') === false ? [table] : [];
  });
}

/** The steps that `migrate` would take, in words. */
export function pendingSteps(
  schema: Schema,
  shapes: readonly RecordShape[],
  layout: Layout,
): readonly string[] {
  return [...plan(schema, shapes, layout), ...spreadSteps(schema, shapes, layout)].map(
    (step) => step.name,
  );
}

/** Runs what is pending. Called within a transaction. */
export async function migrate(
  session: Session,
  schema: Schema,
  shapes: readonly RecordShape[],
  layout: Layout,
): Promise<void> {
  if (layout.distribution !== undefined) await beginSpreading(session);
  for (const step of plan(schema, shapes, layout)) await step.apply(session);
  if (layout.distribution !== undefined) await identifyRows(session);
  for (const step of spreadSteps(schema, shapes, layout)) await step.apply(session);
}

async function doneUpTo(session: Session): Promise<number> {
  const [row] = await session.rows<readonly [version: number]>(
    call({ text: `SELECT coalesce(max(version), 0) FROM ${MIGRATION_TABLE}` }),
  );
  return row?.[0] ?? 0;
}

function plan(schema: Schema, shapes: readonly RecordShape[], layout: Layout): readonly Step[] {
  const madeHow = layout.partitions > 0 ? `, divided into ${layout.partitions} partitions` : '';
  const maker: SchemaMaker<Step['apply'], Index> = {
    version: schema.version,
    hasTable: (table) => schema.tables.has(table),
    hasColumn: (table, column) => schema.columns.get(table)?.has(column) === true,
    isMade: (table, { name, says }) =>
      schema.indexes.get(table)?.get(name) === (schema.alterable ? says : null),
    indexesOf: (table) => [...(schema.indexes.get(table)?.keys() ?? [])],
    fixedIndexes,
    keyIndex,
    madeHow,
    migrate: (file) => (session) => runFile(session, file),
    ownIndexes,
    makeOwn: (tables) => (session) => session.script(tables.flatMap(ownTableSql).join(';\n')),
    addOwnColumn: (table, column) => async (session) => {
      await session.run(call({ text: addOwnColumn(table, column, 'postgres') }));
    },
    makeTable: (shape, indexes) => async (session) => {
      for (const text of createTable(shape, layout.partitions)) await session.run(call({ text }));
      for (const index of indexes) await makeIndex(session, index);
    },
    makeIndex: (index) => (session) => makeIndex(session, index),
    makeKey: (shape, key, index) => async (session) => {
      await session.run(call({ text: addKeyColumn(shape, key) }));
      await fillKey(session, shape, key);
      await makeIndex(session, index);
    },
    dropIndex: (name) => async (session) => {
      await session.run(call({ text: `DROP INDEX ${quoteName(name)}` }));
    },
  };
  return [
    ...migrationSteps(maker, files),
    ...changeSteps(schema, layout.partitions, madeHow),
    ...planSchema({ ...maker, version: SCHEMA_VERSION }, files, shapes),
  ];
}

/** Last: a table is distributed together with all of its indexes. */
function spreadSteps(
  schema: Schema,
  shapes: readonly RecordShape[],
  { distribution }: Layout,
): readonly Step[] {
  if (distribution === undefined) return [];
  const tables = [...FIXED_TABLES.postgres, ...shapes.map(tableName)];
  const left = [...new Set(tables)].filter((table) => !schema.spread?.has(table));
  if (left.length === 0) return [];
  return [
    { name: `distribution of ${left.join(', ')}`, apply: (session) => spreadTables(session, left) },
  ];
}

function changeSteps(schema: Schema, partitions: number, madeHow: string): readonly Step[] {
  if (schema.tables.has(CHANGE_TABLE)) return [];
  const apply = async (session: Session) => {
    for (const text of createChangeTable(partitions)) await session.run(call({ text }));
  };
  return [{ name: `table ${CHANGE_TABLE}${madeHow}`, apply }];
}

/** Replaces one with another definition, if there is one. */
async function makeIndex(session: Session, index: Index): Promise<void> {
  await session.run(call({ text: `DROP INDEX IF EXISTS ${quoteName(index.name)}` }));
  for (const text of indexSql(index)) await session.run(call({ text }));
}

function indexSql({ name, create, says }: Index): readonly string[] {
  return [create, `COMMENT ON INDEX ${quoteName(name)} IS '${says.replaceAll("'", "''")}'`];
}

function ownTableSql(table: OwnTable): readonly string[] {
  return [createOwnTable(table, 'postgres'), ...ownIndexes(table).flatMap(indexSql)];
}

async function runFile(session: Session, file: string): Promise<void> {
  await session.run(
    call({
      text: `CREATE TABLE IF NOT EXISTS ${MIGRATION_TABLE}
        (version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`,
    }),
  );
  await session.script(readFileSync(join(FOLDER, file), 'utf8'));
  await session.run(
    call(
      { text: `INSERT INTO ${MIGRATION_TABLE} (version, name) VALUES ($1, $2)` },
      versionOf(file),
      file,
    ),
  );
}

/** How many rows are updated at a time. */
const SLICE = 1_000;

/** Fills the column of a declared key from the documents. */
async function fillKey(session: Session, shape: RecordShape, key: DeclaredKey): Promise<void> {
  const read = {
    text: `SELECT account, unique_identifier, document FROM ${tableOf(shape)}
      WHERE (account, unique_identifier) > ($1, $2)
      ORDER BY account, unique_identifier LIMIT ${SLICE}`,
  };
  const write = {
    text: `UPDATE ${tableOf(shape)} AS record SET ${keyColumn(key)} = filled.value
      FROM ${unnest('filled', ['account', 'unique_identifier', 'value'])}
      WHERE record.account = filled.account AND record.unique_identifier = filled.unique_identifier`,
  };
  let after: readonly [string, string] = ['', ''];
  for (;;) {
    const rows = await session.rows<readonly [string, string, string]>(call(read, ...after));
    const last = rows.at(-1);
    if (last === undefined) return;
    const values = rows.map(([, , document]) => storedKey(key, parseDocument(document)));
    await session.run(
      call(
        write,
        textArray(rows.map(([account]) => account)),
        textArray(rows.map(([, identifier]) => identifier)),
        textArray(values),
      ),
    );
    after = [last[0], last[1]];
  }
}
