/** Records on their way into tables, and where things stand in their rows. */
import { RECORD_COLUMNS, type RecordRow } from '../records.ts';
import type { StoredRecord } from '../store.ts';

/** The columns of a record as SQL. */
export const COLUMNS = RECORD_COLUMNS.join(', ');

/** Where the document stands in a `RecordRow`. */
export const DOCUMENT = 5;

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
