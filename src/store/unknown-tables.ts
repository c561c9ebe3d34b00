/** Refuses stores that this program would not obey. */
import type { RecordShape } from '../core/schema/shape.ts';
import { FIXED_TABLES, quoteName, tableName } from './names.ts';
import { StoreUnusable } from './promises/store.ts';

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
