/** The tables of the resources, made from their shapes: the same except for their declared keys. */
import { crc32 } from 'node:zlib';
import type { DeclaredKey, RecordShape } from '../../../core/schema/shape.ts';
import { keyColumn, keyColumnName, tableOf } from '../../names.ts';
import type { StoredRecord } from '../../promises/stored.ts';

/**
 * The minute in which a record was last changed, counted from 1 for the first of 1970; 0: never since
 * it was inserted. In minutes, so that a record which is changed several times in a row keeps its place in the index.
 */
export const CHANGED_MINUTE = 'changed_minute';
const MINUTE_MS = 60_000;

/** The columns next to a record that exist for indexes. They only change with their content. */
export function indexedColumns(shape: RecordShape): readonly string[] {
  return [
    ...(shape.parent === undefined ? [] : [CHANGED_MINUTE]),
    ...shape.keys.map(keyColumnName),
  ];
}

/** The values of those columns of a record with a parent, in their order. */
export function indexedValues(
  { inserted_at, updated_at }: Pick<StoredRecord, 'inserted_at' | 'updated_at'>,
  keys: readonly string[],
): readonly (string | number)[] {
  return [updated_at === inserted_at ? 0 : minuteOf(updated_at), ...keys];
}

export function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS) + 1;
}

/** Whether the column of the minute is right, as SQL. */
export const MINUTE_HOLDS = `${CHANGED_MINUTE} =
  CASE updated_at WHEN inserted_at THEN 0 ELSE updated_at / ${MINUTE_MS} + 1 END`;

/**
 * Each record has a number, given once in the order of unique identifiers, by which other rows and indexes refer to it.
 * Accounts and parents are numbers, too. The document comes after the columns that filter lists: SQLite reads a row up
 * to the column that it needs.
 */
export function createTable(shape: RecordShape): string {
  return `
CREATE TABLE ${tableOf(shape)} (
  number INTEGER PRIMARY KEY,
  account INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  unique_identifier TEXT NOT NULL,
  anchor TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  created_by INTEGER,
  changed_by INTEGER,
  ${CHANGED_MINUTE} INTEGER NOT NULL,
  document TEXT NOT NULL,
  sum INTEGER NOT NULL${shape.keys.map((key) => `,\n  ${keyDefinition(key)}`).join('')}
) STRICT`;
}

/** The greatest prime below 2³². */
const PRIME = 4_294_967_291;

/** A checksum that detects changes by a disk or memory in columns that no index has; indexes detect the rest. */
export function recordSum({
  document,
  version,
  position,
  inserted_at,
  updated_at,
}: Pick<StoredRecord, 'document' | 'version' | 'position' | 'inserted_at' | 'updated_at'>): number {
  return crc32(document, (31 * version + 17 * position + inserted_at + 7 * updated_at) % PRIME);
}

/** For a table that was made before the key was declared: with many tables, SQLite takes milliseconds for it. */
export function addKeyColumn(shape: RecordShape, key: DeclaredKey): string {
  return `ALTER TABLE ${tableOf(shape)} ADD COLUMN ${keyDefinition(key)}`;
}

function keyDefinition(key: DeclaredKey): string {
  return `${keyColumn(key)} TEXT NOT NULL DEFAULT ''`;
}

/** Needs an SQL function `declared_key(document)`. */
export function fillKeyColumn(shape: RecordShape, key: DeclaredKey): string {
  const column = keyColumn(key);
  return `UPDATE ${tableOf(shape)} SET ${column} = declared_key(document)`;
}
