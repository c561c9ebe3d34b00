/** Records on their way into and out of tables. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { quoteName, tableName } from '../../names.ts';
import { RECORD_COLUMNS } from '../../records/records.ts';

/**
 * A record as SQL where it stands in the table of its resource, whose parents
 * are in the table `parents`: account and parent are looked up by their numbers.
 */
export function recordColumns(shape: RecordShape, parents: string | undefined): string {
  const table = quoteName(tableName(shape));
  const named = (of: string, column: string) =>
    `(SELECT above.unique_identifier FROM ${quoteName(of)} AS above WHERE above.number = ${table}.${column})`;
  return RECORD_COLUMNS.map((column) => {
    if (column === 'account') return named('account', 'account');
    if (column === 'parent' && parents !== undefined) return named(parents, 'parent');
    return column;
  }).join(', ');
}
