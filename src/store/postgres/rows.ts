/** From rows to what the rest of the service knows. */
import { parseStored } from '../../schema/json.ts';
import { isObject, type JsonObject } from '../../schema/values.ts';
import type { StoredRecord } from '../store.ts';

/** The columns of a record, in the order of `RecordRow`. */
export const RECORD_COLUMNS = [
  'unique_identifier',
  'account',
  'anchor',
  'parent',
  'external_identifier',
  'document',
  'version',
  'mark',
  'inserted_at',
  'updated_at',
] as const;

export type RecordRow = readonly [
  unique_identifier: string,
  account: string,
  anchor: string | null,
  parent: string | null,
  external_identifier: string | null,
  document: string,
  version: number,
  mark: number,
  inserted_at: number,
  updated_at: number,
];

export function toRecord(row: readonly [...RecordRow, ...unknown[]]): StoredRecord {
  const [unique_identifier, account, anchor, parent, external_identifier, document, ...rest] = row;
  const [version, mark, inserted_at, updated_at] = rest;
  return {
    unique_identifier,
    account,
    anchor,
    parent,
    external_identifier,
    document,
    version,
    mark,
    inserted_at,
    updated_at,
  };
}

export function parseDocument(text: string): JsonObject {
  const value = parseStored(text);
  if (!isObject(value)) throw new TypeError('A stored document is not an object.');
  return value;
}

/** Columns as SQL, each of a table that has an alias. */
export function columnsOf(alias: string): string {
  return RECORD_COLUMNS.map((column) => `${alias}.${column}`).join(', ');
}

/** A name as SQL, whatever characters are in it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
