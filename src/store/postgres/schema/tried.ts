/** Tries a write to a single table, and takes it back, to find out whether what others have put there refuses it. */
import { quoteName } from '../../names.ts';
import { StoreRefusal } from '../../promises/store.ts';
import { asUnavailable, isRaised } from '../wire/failure.ts';
import type { Session } from '../wire/session.ts';

/** The columns of the table $1 that a row gives a value, and whether a unique index has them. */
const columnsOf = `SELECT attname::text, typname::text, EXISTS (SELECT FROM pg_index
      WHERE indrelid = attrelid AND indisunique AND attnum = ANY (indkey)), attnotnull
  FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
  WHERE attrelid = (SELECT oid FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relname = $1)
    AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity <> 'a'
  ORDER BY attnum`;

type Column = readonly [name: string, type: string, isKey: boolean, isRequired: boolean];

/** Gives another key than the row has, as SQL. Positions and numbers of ours are never negative. */
const OTHER: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `${column} || ' tried'`,
  int4: (column) => `-1 - ${column}`,
  int8: (column) => `-1 - ${column}`,
  bytea: (column) => `${column} || '\\x00'::bytea`,
};
const NOTHING: Readonly<Record<string, string>> = {
  ...{ text: "''", int4: '0', int8: '0', bytea: "''::bytea", bool: 'false', float8: '0' },
  ...{ _text: "'{}'", timestamptz: 'now()' },
};

/**
 * The end of a write that is tried: taken, or refused with these words of the server; `isAdded`: already where a row like
 * one that is there was added. `unknown` where the table is empty and takes a row without content, or nothing could be tried.
 */
export type Tried = 'taken' | 'unknown' | { readonly refused: string; readonly isAdded: boolean };

/** A row is made like one that is there, and one is written as it is; nothing of it stays. */
export async function tryWrite(session: Session, table: string): Promise<Tried> {
  const columns = await session.query<Column>(columnsOf, table);
  const name = quoteName(table);
  const all = columns.map(([column]) => quoteName(column)).join(', ');
  const like = columns.map(([column, type, isKey]) =>
    isKey ? (OTHER[type]?.(quoteName(column)) ?? quoteName(column)) : quoteName(column),
  );
  const [first = ''] = columns.map(([column]) => quoteName(column));
  const place = '(tableoid, ctid)';
  const rewrite = `UPDATE ${name} SET ${first} = ${first}
    WHERE ${place} = (SELECT tableoid, ctid FROM ${name} LIMIT 1 FOR UPDATE SKIP LOCKED)`;
  const insert = `INSERT INTO ${name} (${all}) SELECT ${like.join(', ')} FROM ${name} LIMIT 1 RETURNING 1`;
  const required = columns.filter(([, , , isRequired]) => isRequired);
  const blank = `INSERT INTO ${name} (${required.map(([column]) => quoteName(column)).join(', ')})
    VALUES (${required.map(([, type]) => NOTHING[type] ?? 'NULL').join(', ')})`;
  let isAdded = true;
  let isBlank = false;
  try {
    await session.query('BEGIN');
    await session.query("SET LOCAL lock_timeout = '1s'");
    const made = await session.query(insert);
    if (made.length > 0) {
      isAdded = false;
      await session.query(rewrite);
      await session.query('SET CONSTRAINTS ALL IMMEDIATE');
      return 'taken';
    }
    isAdded = false;
    isBlank = true;
    await session.query(blank);
    return 'unknown';
  } catch (cause) {
    const error = asUnavailable(cause);
    if (!(error instanceof StoreRefusal)) return 'unknown';
    // Any condition may refuse a row without content.
    if (isBlank && !isRaised(cause)) return 'unknown';
    return { refused: error.says ?? error.message, isAdded };
  } finally {
    await session.query('ROLLBACK').catch(() => undefined);
  }
}
