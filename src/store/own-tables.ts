/** The SQL that makes the tables of our own objects, and reads them for a snapshot, from their declarations; and indexes. */
import type { ColumnKind } from '../core/objects/kinds.ts';
import {
  type OwnColumn,
  type OwnTable,
  ownColumns,
  tableColumns,
} from '../core/objects/own-object.ts';
import { type DeclaredKey, keySource, type RecordShape } from '../core/schema/shape.ts';
import { FIXED_TABLES, keyColumn, keyColumnName, quoteName, tableName } from './names.ts';
import { StoreUnusable } from './promises/store.ts';

export type StoreKind = 'sqlite' | 'postgres';

/** The type of a column. Texts are compared by code point. */
const TYPES = {
  sqlite: { text: 'TEXT', number: 'INTEGER', bytes: 'BLOB', flag: 'INTEGER', texts: 'TEXT' },
  postgres: {
    text: 'text COLLATE "C"',
    number: 'bigint',
    bytes: 'bytea',
    flag: 'boolean',
    texts: 'text[]',
  },
};
const REAL = { sqlite: 'REAL', postgres: 'double precision' };

export function createOwnTable(table: OwnTable, store: StoreKind): string {
  const columns = tableColumns(table).map(
    (column) => `${columnSql(table, column, store)}, -- ${column.field.says}`,
  );
  const key = table.key.map(quoteName).join(', ');
  const options = store === 'sqlite' ? ' STRICT, WITHOUT ROWID' : '';
  return `CREATE TABLE ${quoteName(table.table)} (\n  ${columns.join('\n  ')}\n  PRIMARY KEY (${key})\n)${options}`;
}

function columnSql({ key }: OwnTable, { name, kind, field }: OwnColumn, store: StoreKind): string {
  const isNull =
    field.orNull === true ||
    ((field.nullable || field.leftOut === true) && field.kind.blank === undefined);
  return [
    quoteName(name),
    field.kind.isReal ? REAL[store] : TYPES[store][kind],
    ...(isNull && !key.includes(name) ? [] : ['NOT NULL']),
    ...(field.initial === undefined ? [] : [`DEFAULT ${literal(field.initial)}`]),
    ...(kind === 'flag' && store === 'sqlite' ? [`CHECK (${quoteName(name)} IN (0, 1))`] : []),
  ].join(' ');
}

function literal(value: number | string): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

/** For a table that was made before the column was declared; it may be empty there, or has an initial value. */
export function addOwnColumn(table: OwnTable, column: OwnColumn, store: StoreKind): string {
  return `ALTER TABLE ${quoteName(table.table)} ADD COLUMN ${columnSql(table, column, store)}`;
}

/** An index of a table; one with another text, or `of` something else, is another index. */
export interface Index {
  readonly name: string;
  /** The text before and after what a store may note in it. */
  readonly create: readonly [begin: string, on: string];
  /** The source of derived columns; `''`: there is none. */
  readonly of: string;
}

interface IndexOptions {
  readonly unique?: boolean;
  readonly of?: string;
  readonly where?: string | undefined;
}

export function indexOn(
  table: string,
  name: string,
  columns: string,
  { unique = false, of = '', where }: IndexOptions = {},
): Index {
  const full = `${table}_${name}`;
  const condition = where === undefined ? '' : ` WHERE ${where}`;
  const begin = `CREATE ${unique ? 'UNIQUE INDEX' : 'INDEX'} ${quoteName(full)}`;
  return { name: full, create: [begin, `ON ${quoteName(table)} (${columns})${condition}`], of };
}

export function ownIndexes({ table, indexes = {}, unique = {} }: OwnTable): readonly Index[] {
  const made = (all: Readonly<Record<string, string>>, unique: boolean) =>
    Object.entries(all).map(([name, columns]) => {
      const [of = '', where] = columns.split(' WHERE ');
      return indexOn(table, name, of, { unique, where });
    });
  return [...made(indexes, false), ...made(unique, true)];
}

/**
 * While this index exists and is the same, the column of every row has the value of its key. If a key is only used for
 * filters, records without it are left out, and cost nothing. `isWalked`: lists walk along the key, or along the many
 * records with the same key, and skip other rows by their anchor; the root has none.
 */
export function keyIndexOn(
  shape: RecordShape,
  key: DeclaredKey,
  columnsOf: (column: string, isWalked: boolean) => string,
): Index {
  const isWalked = shape.parent !== undefined && (key.for === 'order' || key.as === 'true');
  const columns = columnsOf(keyColumn(key), isWalked);
  return indexOn(tableName(shape), keyColumnName(key), columns, {
    of: keySource(key),
    where: key.for === 'filter' ? `${keyColumn(key)} <> ''` : undefined,
  });
}

/** Reads all rows, with `later` those that have changed since the first parameter: bytes as digits, lists as JSON. */
export function selectRows(table: OwnTable, store: StoreKind, later = false): string {
  const { key, since } = table;
  const columns = ownColumns(table).map(({ name, kind }) => shown(quoteName(name), kind, store));
  const where =
    later && since !== undefined ? ` WHERE ${since(store === 'sqlite' ? '?1' : '$1')}` : '';
  return `SELECT ${columns.join(', ')} FROM ${quoteName(table.table)}${where} ORDER BY ${key.map(quoteName).join(', ')}`;
}

function shown(column: string, kind: ColumnKind, store: StoreKind): string {
  if (kind === 'bytes')
    return store === 'sqlite' ? `lower(hex(${column}))` : `encode(${column}, 'hex')`;
  return kind === 'texts' && store === 'postgres' ? `array_to_json(${column})::text` : column;
}

/**
 * Throws `StoreUnusable` where a table that only another version of the program declares has rows: without the feature
 * a hold, for example, would end without a word.
 */
export async function refuseUnknown(
  place: string,
  tables: Iterable<string>,
  shapes: readonly RecordShape[],
  first: (sql: string) => unknown,
): Promise<void> {
  const known = new Set([...Object.values(FIXED_TABLES).flat(), ...shapes.map(tableName)]);
  for (const table of tables)
    if (!known.has(table) && (await first(`SELECT 1 FROM ${quoteName(table)} LIMIT 1`)))
      throw new StoreUnusable(
        `The store at ${place} has rows in the table ${table}, which this Ledgerstone does not know: use the version that wrote them.`,
      );
}
