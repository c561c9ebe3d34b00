/** The tables of the books whose SQL is the same on every store. */

import {
  type BookTables,
  type BookValue,
  type BookWrite,
  bookReads,
  bookWrites,
} from '../book-tables.ts';
import type { Context } from './context.ts';
import { prepare, type Statement } from './statements/prepare.ts';

export class BookRows implements BookTables {
  readonly #context: Context;
  /** By their text, as they are first asked for: few stores have many people. */
  readonly #prepared = new Map<string, Statement<readonly unknown[]>>();

  constructor(context: Context) {
    this.#context = context;
  }

  async rows<Row extends readonly unknown[]>(
    name: keyof typeof bookReads,
    ...values: readonly BookValue[]
  ): Promise<readonly Row[]> {
    const statement = this.#statement(bookReads[name]);
    return this.#context.connection.read(
      () => statement.all(...values) as readonly unknown[] as readonly Row[],
    );
  }

  async write(writes: readonly BookWrite[]): Promise<boolean> {
    return this.#context.connection.write(() =>
      writes.every(([name, ...values], index) => {
        const { changes } = this.#statement(bookWrites[name]).run(...values);
        return index > 0 || Number(changes) > 0;
      }),
    );
  }

  #statement(text: string): Statement<readonly unknown[]> {
    let statement = this.#prepared.get(text);
    if (statement === undefined) {
      statement = prepare(this.#context.connection.database, text.replace(/\$(\d+)/g, '?$1'));
      this.#prepared.set(text, statement);
    }
    return statement;
  }
}
