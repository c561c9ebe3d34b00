/** The tables of books in a SQLite file: read on this connection, written on it or by another thread. */
import type { SQLInputValue } from 'node:sqlite';
import { NOW } from '../books/dialects.ts';
import type { BookStatement, BookTables, BookValue, BookWrite, Changed } from '../books/tables.ts';
import type { Context } from './context.ts';
import { prepare, type Statement } from './statements/prepare.ts';

/** A write as it goes to the thread that writes: its statement is run for each row of values. */
export interface PackedWrite extends Pick<BookStatement, 'erases' | 'gives'> {
  readonly text: string;
  readonly rows: readonly (readonly SQLInputValue[])[];
}

/** Does writes in one commit. */
export type PerformWrites = (
  writes: readonly PackedWrite[],
  needs: number,
  leading: number,
) => Promise<readonly Changed<readonly unknown[]>[]>;

/** `elsewhere` is for a process whose writes another thread does. */
export function createBookRows(context: Context, elsewhere?: PerformWrites) {
  const performs = elsewhere ?? perform;
  const { connection, now } = context;
  const { database } = connection;
  database.function(NOW, () => BigInt(Math.trunc(now())));
  /** By their text, as they are first needed: few commands need many. */
  const prepared = new Map<string, Statement<readonly unknown[]>>();
  const statementOf = (text: string) =>
    prepared.getOrInsertComputed(text, () => prepare<readonly unknown[]>(database, text));

  /** Does them on this connection. */
  async function perform(writes: readonly PackedWrite[], needs: number, leading: number) {
    const all = await connection.write(() => {
      const done: Changed<readonly unknown[]>[] = [];
      for (const write of writes) {
        const changed = performOne(write);
        done.push(changed);
        if (done.length <= leading && changed.count < needs) break;
      }
      return done;
    });
    if (all.some(({ count }, at) => count > 0 && writes[at]?.erases)) connection.noteRemoved();
    return all;
  }

  function performOne({ text, rows, gives }: PackedWrite): Changed<readonly unknown[]> {
    const statement = statementOf(text);
    if (gives) {
      const found = rows.flatMap((values) => statement.all(...values));
      return { count: found.length, rows: found };
    }
    let count = 0;
    for (const values of rows) count += Number(statement.run(...values).changes);
    return { count, rows: [] };
  }

  const tables: BookTables = {
    async rows<Row extends readonly unknown[]>(
      { name, sqlite }: BookStatement,
      ...values: readonly BookValue[]
    ) {
      return connection.read(() => {
        const statement = name === undefined ? prepare(database, sqlite) : statementOf(sqlite);
        return statement.all(...values.map(bound)) as readonly unknown[] as readonly Row[];
      });
    },
    async change<Row extends readonly unknown[]>(
      statement: BookStatement,
      ...values: readonly BookValue[]
    ) {
      const [changed] = await performs([packed([statement, ...values])], 0, 0);
      return changed as Changed<Row>;
    },
    async write(writes, needs = 0, leading = 1) {
      return (await performs(writes.map(packed), needs, leading)).map(({ count }) => count);
    },
  };
  return { ...tables, perform };
}

function packed(write: BookWrite): PackedWrite {
  const [statement, rows] =
    'rows' in write ? [write.statement, write.rows] : [write[0], [write.slice(1) as BookValue[]]];
  const { sqlite: text, erases, gives } = statement;
  return { text, erases, gives, rows: rows.map((values) => values.map(bound)) };
}

export function bound(value: BookValue): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return JSON.stringify(value);
}
