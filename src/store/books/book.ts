/** The base of all books: their tables, the clock of the store, and ways to read and change rows. */
import type { BookParts, BookStatement, BookTables, BookValue, BookWrite } from './tables.ts';

type Values = readonly BookValue[];

export abstract class Book {
  protected readonly tables: BookTables;
  protected readonly now: () => number;
  /** Makes a new unique identifier with a prefix. */
  protected readonly identify: (prefix: string) => string;
  protected readonly keys: BookParts['keys'];

  constructor(tables: BookTables, { now, identify, keys }: BookParts) {
    this.tables = tables;
    this.now = now;
    this.identify = identify;
    this.keys = keys;
  }

  /** Makes a value from each row. */
  protected async all<Row extends readonly unknown[], One>(
    make: (row: Row) => One,
    statement: BookStatement,
    ...values: Values
  ): Promise<readonly One[]> {
    return (await this.tables.rows<Row>(statement, ...values)).map((row) => make(row));
  }

  /** Makes a value from the first row, if there is one. */
  protected async first<Row extends readonly unknown[], One>(
    make: (row: Row) => One,
    statement: BookStatement,
    ...values: Values
  ): Promise<One | undefined> {
    const [row] = await this.tables.rows<Row>(statement, ...values);
    return row && make(row);
  }

  /** The only column of all rows. */
  protected column<One>(statement: BookStatement, ...values: Values): Promise<readonly One[]> {
    return this.all(([value]: readonly [One]) => value, statement, ...values);
  }

  /** The number that a statement counts. */
  protected async counted(statement: BookStatement, ...values: Values): Promise<number> {
    return (await this.column<number>(statement, ...values))[0] ?? 0;
  }

  /** One commit. Where the first write changes no row, nothing is done: `false`. */
  protected async wrote(writes: readonly BookWrite[]): Promise<boolean> {
    const [count = 0] = await this.tables.write(writes, 1);
    return count > 0;
  }

  /** Whether a statement has changed a row. */
  protected async did(statement: BookStatement, ...values: Values): Promise<boolean> {
    return (await this.tables.change(statement, ...values)).count > 0;
  }

  /** Removes `limit` rows from before a time; returns whether there may be more. */
  protected async purged(statement: BookStatement, before: number, limit: number) {
    return (await this.tables.change(statement, before, limit)).count === limit;
  }

  /** Removes no more than `limit` rows that a statement finds; returns whether there may be more. */
  protected async purgedAmong(
    find: BookStatement,
    remove: BookStatement,
    before: number,
    limit: number,
  ): Promise<boolean> {
    const found = await this.column<string>(find, before, limit);
    if (found.length > 0) await this.tables.change(remove, found);
    return found.length === limit;
  }
}

/** Sorts rows by their names: all processes lock them in this order. */
export function inOrder<One>(rows: readonly One[], nameOf: (one: One) => string): readonly One[] {
  return rows.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}
