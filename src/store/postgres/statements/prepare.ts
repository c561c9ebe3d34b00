/** How statements are written. */
import type { Statement } from '../wire/session.ts';

let count = 0;

/** A statement that each session prepares when it is first asked for it. */
export function prepared<Row extends readonly unknown[] = readonly never[]>(
  text: string,
): Statement<Row> {
  count += 1;
  return { name: `ledgerstone_${count}`, text };
}

/** Arrays `$1`, `$2`, … of texts as a table of those columns, beginning with parameter `first`. */
export function unnest(
  alias: string,
  columns: readonly (readonly [name: string, type: 'text' | 'bigint' | 'bytea'])[],
  first = 1,
): string {
  const arrays = columns.map(([, type], index) => `$${first + index}::${type}[]`);
  return `unnest(${arrays.join(', ')}) AS ${alias} (${columns.map(([name]) => name).join(', ')})`;
}
