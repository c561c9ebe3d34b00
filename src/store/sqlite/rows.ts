/** From rows to what the rest of the service knows. */
import { parseStored } from '../../schema/json.ts';
import { isObject, type JsonObject } from '../../schema/values.ts';
import type { StoredRecord } from '../store.ts';

/** The columns of a record, in the order of `RecordRow`. */
export const RECORD_COLUMNS =
  'unique_identifier, account, anchor, parent, external_identifier, document, version, mark, inserted_at, updated_at';

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

/** Where the document stands in a `RecordRow`. */
export const DOCUMENT = 5;

export function toRecord(row: readonly [...RecordRow, ...unknown[]]): StoredRecord {
  return {
    unique_identifier: row[0],
    account: row[1],
    anchor: row[2],
    parent: row[3],
    external_identifier: row[4],
    document: row[5],
    version: row[6],
    mark: row[7],
    inserted_at: row[8],
    updated_at: row[9],
  };
}

export function toRow(record: StoredRecord): RecordRow {
  return [
    record.unique_identifier,
    record.account,
    record.anchor,
    record.parent,
    record.external_identifier,
    record.document,
    record.version,
    record.mark,
    record.inserted_at,
    record.updated_at,
  ];
}

export function parseDocument(text: string): JsonObject {
  const value = parseStored(text);
  if (!isObject(value)) throw new TypeError('A stored document is not an object.');
  return value;
}
