/** The tables of the resources, made from their shapes: all alike, but for their declared keys. */
import { type DeclaredKey, keyValue, type RecordShape } from '../../schema/shape.ts';
import type { JsonObject } from '../../schema/values.ts';
import { quoteName } from './statements/prepare.ts';

/** The root of all records, and what else the migrations have made. */
export const ROOT_TABLE = 'account';
const FIXED_TABLES = new Set([ROOT_TABLE, 'api_key', 'receipt', 'commit_counter', 'write_check']);

const NO_KEYS: readonly string[] = [];

/** Where a resource's records are. */
export function tableName(shape: RecordShape): string {
  if (shape.parent === undefined) return ROOT_TABLE;
  if (FIXED_TABLES.has(shape.resource)) {
    throw new TypeError(`No resource but the root can be called ${shape.resource}.`);
  }
  return shape.resource;
}

export function keyColumn(key: DeclaredKey): string {
  return `key_${key.name}`;
}

/** While this index is there, every row's column holds what the key gives. */
export function keyIndex(shape: RecordShape, key: DeclaredKey): string {
  return `${tableName(shape)}_${keyColumn(key)}`;
}

/** What the column of a declared key holds; records without such a value come first. */
export function storedKey(key: DeclaredKey, document: JsonObject): string {
  return keyValue(key, document) ?? '';
}

/** What the columns of all declared keys hold, in their order. */
export function storedKeys(shape: RecordShape, document: JsonObject): readonly string[] {
  return shape.keys.length === 0 ? NO_KEYS : shape.keys.map((key) => storedKey(key, document));
}

/** Every index begins with the account, so that a table could be divided by it. */
export function createTable(shape: RecordShape): string {
  const name = tableName(shape);
  const table = quoteName(name);
  return `
CREATE TABLE ${table} (
  account TEXT NOT NULL,
  unique_identifier TEXT NOT NULL,
  parent TEXT NOT NULL,
  anchor TEXT NOT NULL,
  external_identifier TEXT NOT NULL,
  document TEXT NOT NULL,
  version INTEGER NOT NULL,
  mark INTEGER NOT NULL,
  inserted_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
-- With the anchor, so that lists limited to anchors pass over other rows without reading them.
CREATE UNIQUE INDEX ${quoteName(`${name}_unique_identifier`)} ON ${table} (account, unique_identifier, anchor);
CREATE UNIQUE INDEX ${quoteName(`${name}_identity`)} ON ${table} (account, parent, external_identifier);`;
}

export function addKeyColumn(shape: RecordShape, key: DeclaredKey): string {
  const column = quoteName(keyColumn(key));
  return `ALTER TABLE ${quoteName(tableName(shape))} ADD COLUMN ${column} TEXT NOT NULL DEFAULT ''`;
}

/** Wants an SQL function `declared_key(document)`. */
export function fillKeyColumn(shape: RecordShape, key: DeclaredKey): string {
  const column = quoteName(keyColumn(key));
  return `UPDATE ${quoteName(tableName(shape))} SET ${column} = declared_key(document)`;
}

export function createKeyIndex(shape: RecordShape, key: DeclaredKey): string {
  const table = quoteName(tableName(shape));
  const column = quoteName(keyColumn(key));
  return `CREATE INDEX ${quoteName(keyIndex(shape, key))} ON ${table} (account, ${column}, unique_identifier)`;
}
