/** The tables of the books whose SQL is the same on every store. */

import {
  type BookTables,
  type BookValue,
  type BookWrite,
  bookReads,
  bookWrites,
} from '../book-tables.ts';
import type { Context } from './context.ts';
import { inTransaction } from './turn/transaction.ts';
import { call } from './wire/session.ts';

export class BookRows implements BookTables {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  rows<Row extends readonly unknown[]>(
    name: keyof typeof bookReads,
    ...values: readonly BookValue[]
  ): Promise<readonly Row[]> {
    return this.#context.sessions.rows<Row>(call({ text: bookReads[name] }, ...values));
  }

  write([first, ...rest]: readonly BookWrite[]): Promise<boolean> {
    return inTransaction(this.#context.sessions, async (session) => {
      const run = ([name, ...values]: BookWrite) =>
        session.run(call({ text: bookWrites[name] }, ...values));
      if (first === undefined || (await run(first)).count === 0) return false;
      await Promise.all(rest.map(run));
      return true;
    });
  }
}
