/** The tables of people who sign in. */

import type { StaffTables, StaffValue, StaffWrite } from '../staff-rows.ts';
import { staffReads, staffWrites } from '../staff-sql.ts';
import type { Context } from './context.ts';
import { inTransaction } from './turn/transaction.ts';
import { call } from './wire/session.ts';

export class StaffRows implements StaffTables {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  rows<Row extends readonly unknown[]>(
    name: keyof typeof staffReads,
    ...values: readonly StaffValue[]
  ): Promise<readonly Row[]> {
    return this.#context.sessions.rows<Row>(call({ text: staffReads[name] }, ...values));
  }

  write([first, ...rest]: readonly StaffWrite[]): Promise<boolean> {
    return inTransaction(this.#context.sessions, async (session) => {
      const run = ([name, ...values]: StaffWrite) =>
        session.run(call({ text: staffWrites[name] }, ...values));
      if (first === undefined || (await run(first)).count === 0) return false;
      await Promise.all(rest.map(run));
      return true;
    });
  }
}
