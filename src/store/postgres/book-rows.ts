/** The tables of books in a PostgreSQL database. */
import type { BookStatement, BookTables, BookValue, BookWrite } from '../books/tables.ts';
import type { Context } from './context.ts';
import { inTransaction, untilDone } from './lock/transaction.ts';
import { type Call, call, type Statement } from './wire/session.ts';
import { bytes, numberArray, textArray } from './wire/values.ts';

export function createBookRows({
  sessions,
  placements,
}: Pick<Context, 'sessions' | 'placements'>): BookTables {
  return {
    rows: (statement, ...values) => placements.read(callOf([statement, ...values])),
    change: (statement, ...values) =>
      sessions.use((session) => untilDone(() => session.run(callOf([statement, ...values])))),
    write(writes, needs = 0, leading = 1) {
      return inTransaction(sessions, async (session) => {
        const run = async (write: BookWrite) =>
          'rows' in write && write.rows.length === 0 ? 0 : (await session.run(callOf(write))).count;
        if (needs === 0) return Promise.all(writes.map(run));
        const counts: number[] = [];
        for (const write of writes.slice(0, leading)) {
          const count = await run(write);
          counts.push(count);
          if (count < needs) return counts;
        }
        return [...counts, ...(await Promise.all(writes.slice(leading).map(run)))];
      });
    },
  };
}

/** A statement of a book, for work on a session. */
export function statementOf<Row extends readonly unknown[] = readonly never[]>(
  one: BookStatement,
): Statement<Row> {
  const { name, postgres: text } = one;
  return name === undefined ? { text } : { name, text };
}

export function callOf<Row extends readonly unknown[]>(write: BookWrite): Call<Row> {
  if (!('rows' in write)) {
    const [statement, ...values] = write;
    return call(statementOf<Row>(statement), ...values.map(onWire));
  }
  const { statement, rows } = write;
  const arrays = (statement.columns ?? []).map((type, column) => {
    const values = rows.map((row) => row[column] ?? null);
    return type === 'bigint'
      ? numberArray(values as (number | null)[])
      : textArray(values as (string | null)[]);
  });
  return call(statementOf<Row>(statement), ...arrays);
}

function onWire(value: BookValue): string | number | boolean | null | Buffer {
  if (typeof value !== 'object' || value === null) return value;
  return value instanceof Uint8Array ? bytes(value) : textArray(value);
}
