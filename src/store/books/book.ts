/** The base of all books: their tables, the clock of the store, and ways to read and change rows. */
import { among, list } from './sql/lists.ts';
import { firstAlong, type OwnWalk, orderOf } from './sql/walks.ts';
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

  /** Lists rows along indexes, those of several walks in one order. */
  protected async along<Row extends readonly unknown[], One>(
    make: (row: Row) => One,
    select: string,
    walks: readonly OwnWalk[],
  ): Promise<readonly One[]> {
    const ids = await firstAlong(this.tables, walks);
    const [first] = walks;
    if (ids.length === 0 || first === undefined) return [];
    const these = among(first.order.at(-1) ?? '', ids);
    const page = list(select, [these], { order: orderOf(first), limit: ids.length });
    return this.all(make, page.statement, ...page.values);
  }

  /** The number that a statement counts; PostgreSQL gives a sum of its whole numbers as text. */
  protected async counted(statement: BookStatement, ...values: Values): Promise<number> {
    return Number((await this.column<number | string>(statement, ...values))[0] ?? 0);
  }

  /** One commit. Where one of the first `leading` writes finds or changes no row, nothing is done: `false`. */
  protected async wrote(writes: readonly BookWrite[], leading = 1): Promise<boolean> {
    const counts = await this.tables.write(writes, 1, leading);
    return counts.slice(0, leading).every((count) => count > 0);
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
