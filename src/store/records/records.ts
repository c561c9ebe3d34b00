/** Stored records: as rows of a table, of whichever store, and the values of indexed columns next to them. */
import { parseStored } from '../../core/schema/json/json.ts';
import { type DeclaredKey, keyValue, type RecordShape } from '../../core/schema/shape.ts';
import { isObject, type JsonObject } from '../../core/schema/values.ts';
import type { AnsweredRecord, StoredRecord } from '../promises/records.ts';

/** The columns of a record, in the order of `RecordRow`. */
export const RECORD_COLUMNS = [
  ...(['unique_identifier', 'account', 'anchor', 'parent', 'external_identifier'] as const),
  ...(['document', 'version', 'position', 'inserted_at', 'updated_at'] as const),
  ...(['created_by', 'changed_by'] as const),
] as const;

/** The values of these columns, in their order. */
export type ValuesOf<Columns extends readonly (keyof StoredRecord)[]> = {
  readonly [At in keyof Columns]: StoredRecord[Columns[At]];
};
export type RecordRow = ValuesOf<typeof RECORD_COLUMNS>;

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

/**
 * The hour of `updated_at`. There is an index on it and none on the time
 * itself, so that most changes of a record leave it in its place there.
 */
export const UPDATED_HOUR = 'updated_hour';
export const HOUR_MS = 3_600_000;

/** Returns the whole hours since 1970. */
export function hourOf(time: number): number {
  return Math.floor(time / HOUR_MS);
}

/** Returns the columns of all declared keys, in order. A record without a value gets `''`, which sorts first. */
export function storedKeys(shape: RecordShape, document: JsonObject): readonly string[] {
  return shape.keys.map((key) => storedKey(key, document));
}

/** Returns the column of a declared key. */
export function storedKey(key: DeclaredKey, document: JsonObject): string {
  return keyValue(key, document) ?? '';
}
