/** Helpers that write the SQL of statements. */
import type { Statement } from '../wire/session.ts';

let count = 0;

/** A statement that each session prepares on first use. */
export function prepared<Row extends readonly unknown[] = readonly never[]>(
  text: string,
): Statement<Row> {
  count += 1;
  return { name: `ledgerstone_${count}`, text };
}

/** A column by its name, if it has texts, or by its name and type. */
type Column = string | readonly [name: string, type: 'text' | 'bigint' | 'bytea'];

/** Arrays `$1`, `$2`, … as a table of those columns, beginning with parameter `first`. */
export function unnest(alias: string, columns: readonly Column[], first = 1): string {
  const pairs = columns.map((column) =>
    typeof column === 'string' ? ([column, 'text'] as const) : column,
  );
  const arrays = pairs.map(([, type], index) => `$${first + index}::${type}[]`);
  return `unnest(${arrays.join(', ')}) AS ${alias} (${pairs.map(([name]) => name).join(', ')})`;
}
