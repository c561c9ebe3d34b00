/** The tables of books whose SQL is the same on every store: people who sign in, and self-tests. */
import { selfTestReads, selfTestWrites } from './self-test-sql.ts';
import { staffReads, staffWrites } from './staff-sql.ts';

export const bookReads = { ...staffReads, ...selfTestReads } as const;
export const bookWrites = { ...staffWrites, ...selfTestWrites } as const;

export type BookValue = string | number | null;
export type BookWrite = readonly [name: keyof typeof bookWrites, ...values: BookValue[]];

/** What a store does for such a book. */
export interface BookTables {
  rows<Row extends readonly unknown[]>(
    name: keyof typeof bookReads,
    ...values: readonly BookValue[]
  ): Promise<readonly Row[]>;
  /** One commit. Where the first statement changes no row, nothing is done: `false`. */
  write(writes: readonly BookWrite[]): Promise<boolean>;
}
