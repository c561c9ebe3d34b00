/** Columns as SQL. */
import { RECORD_COLUMNS } from '../../records/records.ts';

/** Columns as SQL, each of a table that has an alias. */
export function columnsOf(alias: string): string {
  return RECORD_COLUMNS.map((column) => `${alias}.${column}`).join(', ');
}
