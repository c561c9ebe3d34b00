/** Brings a store's schema up to date: numbered migrations, then the tables and declared keys of the resources. */
import { join } from 'node:path';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { FIXED_TABLES, keyColumn, quoteName, tableName, tableOf } from '../../names.ts';
import type { Index } from '../../own-tables.ts';
import {
  assertKnown,
  type FilledKey,
  type Migration,
  migrationsIn,
  pendingOf,
  planSchema,
  type SchemaMaker,
  type SchemaStep,
  type StoreSize,
} from '../../records/planner.ts';
import { parseDocument, storedKey } from '../../records/records.ts';
import { unnest } from '../statements/prepare.ts';
import type { Session } from '../wire/session.ts';
import { textsOf } from '../wire/values.ts';
import {
  beginSpreading,
  type Distribution,
  readSpread,
  spread as spreadTables,
} from './distribution.ts';
import { identifyRows, unidentified } from './identity.ts';
import {
  addKeyColumn,
  CHANGE_TABLE,
  createChangeTable,
  createTable,
  fixedIndexes,
  keyIndex,
  MIGRATION_TABLE,
} from './tables.ts';
import { assertFree } from './taken.ts';

const migrations = migrationsIn(join(import.meta.dirname, 'migrations'));

export interface Schema {
  readonly ours: boolean;
  readonly version: number;
  readonly tables: ReadonlyMap<string, ExistingTable>;
  /** The tables that lie on several servers; `undefined` where none can. */
  readonly spread: ReadonlySet<string> | undefined;
  /** Whether tables can be made and changed at this server; others of its cluster do not know what indexes say. */
  readonly alterable: boolean;
  /** The tables whose rows nothing identifies to logical replication. */
  readonly nameless: readonly string[];
}

interface ExistingTable {
  readonly columns: ReadonlySet<string>;
  /** The names of its indexes, each with what it says of itself. */
  readonly indexes: ReadonlyMap<string, string | null>;
}

/** How tables are laid out when they are made. */
export interface Layout {
  /** Into how many partitions each is divided; 0: none. */
  readonly partitions: number;
  readonly distribution?: Distribution | undefined;
}

interface Wanted extends Layout {
  readonly shapes: readonly RecordShape[];
}

/** Throws `StoreUnusable` where the schema is one of another release. */
export async function readSchema(session: Session, place: string): Promise<Schema> {
  const rows = await session.query<readonly [table: string, columns: string, indexes: string]>(
    `SELECT relname::text, (SELECT coalesce(json_agg(attname), '[]')::text FROM pg_attribute
        WHERE attrelid = found.oid AND attnum > 0 AND NOT attisdropped),
      (SELECT coalesce(json_object_agg(index.relname, obj_description(index.oid, 'pg_class')), '{}')::text
        FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid WHERE indrelid = found.oid)
    FROM pg_class AS found
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')`,
  );
  const tables = new Map(
    rows.map(([table, columns, indexes]): [string, ExistingTable] => [
      table,
      {
        columns: new Set(JSON.parse(columns)),
        indexes: new Map(Object.entries(JSON.parse(indexes))),
      },
    ]),
  );
  const ours = tables.get(MIGRATION_TABLE)?.columns.has('version') === true;
  const lastDone = `SELECT max(version) FROM ${MIGRATION_TABLE}`;
  const version = (ours ? await session.value<number | null>(lastDone) : 0) ?? 0;
  assertKnown(place, version, migrations);
  const spread = await readSpread(session);
  const alterable =
    spread === undefined || (await session.value('SELECT citus_is_coordinator()')) === true;
  const nameless = ours && alterable ? await unidentified(session) : [];
  return { ours, version, tables, spread, alterable, nameless };
}

/** Tables of our own objects, which have indexes of ours; those of records may be of a resource that is gone. */
export function declaredTables({ tables }: Schema): readonly string[] {
  return [...tables].flatMap(([table, { columns, indexes }]) => {
    const isOurs = indexes.values().some((says) => says?.startsWith('CREATE '));
    return isOurs && !columns.has('document') ? [table] : [];
  });
}

/** Measures the database, and its tables with their partitions unless other servers have them. */
export async function measureStore(session: Session, { spread }: Schema): Promise<StoreSize> {
  const size = await session.value<number>('SELECT pg_database_size(current_database())');
  const whole = size ?? 0;
  if (spread !== undefined) return { whole };
  const rows = await session.query<readonly [table: string, bytes: number]>(
    `SELECT relname::text, (pg_table_size(found.oid) + coalesce((SELECT sum(pg_table_size(relid))
        FROM pg_partition_tree(found.oid) WHERE relid <> found.oid), 0))::bigint
      FROM pg_class AS found
      WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')`,
  );
  return { whole, tables: new Map(rows) };
}

/** Throws `StoreUnusable` where what `migrate` would make stands under names that another program has taken. */
export function assertNamesFree(
  session: Session,
  schema: Schema,
  wanted: Wanted,
  place: string,
): Promise<void> {
  return assertFree(session, schema, plan(schema, wanted), wanted.shapes, place);
}

/** The SQL that makes a store where there is nothing, statement by statement. */
export function freshSql(shapes: readonly RecordShape[]): readonly string[] {
  const nothing = { ours: false, version: 0, spread: undefined, alterable: true, nameless: [] };
  const steps = plan({ ...nothing, tables: new Map() }, { shapes, partitions: 0 });
  return steps
    .flatMap(({ does }) => does)
    .map((part) => (typeof part === 'string' ? part : 'sql' in part ? part.sql : ''))
    .flatMap((sql) => sql.split(/;$/m));
}

/** The steps that `migrate` would take in a database of that size. */
export function pendingSteps(schema: Schema, wanted: Wanted, size: StoreSize = { whole: 0 }) {
  const left = tablesToSpread(schema, wanted);
  const spreads =
    left.length > 0 ? [{ name: `distribution of ${left.join(', ')}`, does: [], walks: true }] : [];
  const { nameless } = schema;
  const identities =
    nameless.length > 0 ? [{ name: `identity of rows of ${nameless.join(', ')}`, does: [] }] : [];
  return pendingOf([...plan(schema, wanted), ...identities, ...spreads], size);
}

/** Runs what is pending. Called within a transaction. Citus may send each text to its servers: one at a time. */
export async function migrate(session: Session, schema: Schema, wanted: Wanted): Promise<void> {
  if (wanted.distribution !== undefined) await session.query(beginSpreading);
  for (const part of plan(schema, wanted).flatMap(({ does }) => does)) {
    if (typeof part === 'string') await session.query(part);
    else if ('file' in part) await runFile(session, part);
    else await fillKey(session, part);
  }
  await identifyRows(session);
  if (wanted.distribution === undefined) return;
  const left = tablesToSpread(schema, wanted);
  if (left.length > 0) await spreadTables(session, left);
}

function plan(schema: Schema, { shapes, partitions }: Wanted): readonly SchemaStep[] {
  const madeHow = partitions > 0 ? `, divided into ${partitions} partitions` : '';
  const changes = {
    name: `table ${CHANGE_TABLE}${madeHow}`,
    does: [createChangeTable(partitions)],
  };
  const maker: SchemaMaker = {
    store: 'postgres',
    version: schema.version,
    hasTable: (table) => schema.tables.has(table),
    hasColumn: (table, column) => schema.tables.get(table)?.columns.has(column) === true,
    isMade: (table, index) =>
      schema.tables.get(table)?.indexes.get(index.name) ===
      (schema.alterable ? saysOf(index) : null),
    indexesOf: (table) => [...(schema.tables.get(table)?.indexes.keys() ?? [])],
    fixedIndexes,
    keyIndex,
    madeHow,
    createTable: (shape) => createTable(shape, partitions),
    createIndex: (index) => [
      index.create.join(' '),
      `COMMENT ON INDEX ${quoteName(index.name)} IS '${saysOf(index).replaceAll("'", "''")}'`,
    ],
    between: schema.tables.has(CHANGE_TABLE) ? [] : [changes],
  };
  return planSchema(maker, migrations, shapes);
}

/** The tables that are left to distribute: last, since each is together with all of its indexes. */
function tablesToSpread(schema: Schema, { shapes, distribution }: Wanted): readonly string[] {
  if (distribution === undefined) return [];
  const tables = [...FIXED_TABLES.postgres, ...shapes.map(tableName)];
  return [...new Set(tables)].filter((table) => !schema.spread?.has(table));
}

/** The text that is stored as the comment of an index. */
function saysOf({ create, of }: Index): string {
  return of === '' ? create.join(' ') : `${create.join(' ')} of ${of}`;
}

async function runFile(session: Session, { file, version, sql }: Migration): Promise<void> {
  await session.query(`CREATE TABLE IF NOT EXISTS ${MIGRATION_TABLE}
    (version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  // Citus sends the text of a statement to its servers, which take one at a time.
  for (const statement of sql.split(/;$/m))
    if (/^(?!--)./m.test(statement)) await session.query(statement);
  const note = `INSERT INTO ${MIGRATION_TABLE} (version, name) VALUES ($1, $2)`;
  await session.query(note, version, file);
}

/** How many rows are updated at a time. */
const SLICE = 1_000;

/** Fills the column of a declared key from the documents. */
async function fillKey(session: Session, { shape, key }: FilledKey): Promise<void> {
  await session.query(addKeyColumn(shape, key));
  const read = `SELECT account, unique_identifier, document FROM ${tableOf(shape)}
    WHERE (account, unique_identifier) > ($1, $2)
    ORDER BY account, unique_identifier LIMIT ${SLICE}`;
  const write = `UPDATE ${tableOf(shape)} AS record SET ${keyColumn(key)} = filled.value
    FROM ${unnest('filled', ['account', 'unique_identifier', 'value'])}
    WHERE record.account = filled.account AND record.unique_identifier = filled.unique_identifier`;
  let after: readonly string[] = ['', ''];
  for (;;) {
    const rows = await session.query<readonly [string, string, string]>(read, ...after);
    const last = rows.at(-1);
    if (last === undefined) return;
    const values = rows.map(([account, unique_identifier, document]) => {
      return { account, unique_identifier, value: storedKey(key, parseDocument(document)) };
    });
    await session.query(write, ...textsOf(values, 'account', 'unique_identifier', 'value'));
    after = last.slice(0, 2);
  }
}
