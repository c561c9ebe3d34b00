/** Makes objects of rows of either store. */
import type { ChangeCursor, TimedCursor } from './promises/log.ts';

/** Makes objects of rows with these columns, in their order. */
export function named<One extends object>(
  ...columns: readonly (keyof One & string)[]
): (row: readonly unknown[]) => One {
  return (row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])) as One;
}

export const toCursor = named<ChangeCursor>('position', 'place', 'token');
export const toTimedCursor = named<TimedCursor>('position', 'place', 'token', 'occurred_at');

/** About how many characters a row has. */
export function weightOf(row: readonly unknown[]): number {
  const size = (value: unknown) => (typeof value === 'string' ? value.length : 8);
  return row.reduce<number>((sum, value) => sum + size(value), 0);
}
