/** Stored records: as rows of a table, of whichever store, and as they are made. */
import { parseStored } from '../../core/schema/json/json.ts';
import { isObject, type JsonObject } from '../../core/schema/values.ts';
import type { AnsweredRecord, Draft, StoredRecord } from '../promises/records.ts';

/** The columns of a record, in the order of `RecordRow`. */
export const RECORD_COLUMNS = [
  'unique_identifier',
  'account',
  'anchor',
  'parent',
  'external_identifier',
  'document',
  'version',
  'position',
  'inserted_at',
  'updated_at',
  'created_by',
  'changed_by',
] as const;

export type RecordRow = readonly [
  unique_identifier: string,
  account: string,
  anchor: string | null,
  parent: string | null,
  external_identifier: string | null,
  document: string,
  version: number,
  position: number,
  inserted_at: number,
  updated_at: number,
  created_by: number | null,
  changed_by: number | null,
];

export function toRecord(row: readonly [...RecordRow, ...unknown[]]): StoredRecord {
  return {
    unique_identifier: row[0],
    account: row[1],
    anchor: row[2],
    parent: row[3],
    external_identifier: row[4],
    document: row[5],
    version: row[6],
    position: row[7],
    inserted_at: row[8],
    updated_at: row[9],
    created_by: row[10],
    changed_by: row[11],
  };
}

/** Returns whether these sources created the record and changed it last; true if no sources are given. */
export function isFrom(
  { created_by, changed_by }: Pick<StoredRecord, 'created_by' | 'changed_by'>,
  sources: readonly number[] | undefined,
): boolean {
  if (sources === undefined) return true;
  return [created_by, changed_by].every((number) => number !== null && sources.includes(number));
}

/** Returns the record as receipts store it. */
export function asAnswered({
  position: _,
  created_by: _made,
  changed_by: _changed,
  ...record
}: StoredRecord): AnsweredRecord {
  return record;
}

export function parseDocument(text: string): JsonObject {
  const value = parseStored(text);
  if (!isObject(value)) throw new TypeError('A stored document is not an object.');
  return value;
}

/** Returns the new record that a draft creates. */
export function newRecord(
  { account, anchor, parent, external_identifier, source }: Draft,
  made: Pick<StoredRecord, 'unique_identifier' | 'document' | 'position' | 'inserted_at'>,
): StoredRecord {
  const { unique_identifier, document, position, inserted_at } = made;
  return {
    unique_identifier,
    account,
    anchor: anchor ?? unique_identifier,
    parent,
    external_identifier,
    document,
    version: 1,
    position,
    inserted_at,
    updated_at: inserted_at,
    created_by: source ?? null,
    changed_by: source ?? null,
  };
}
