/** The words of SQL in which the stores differ. */

export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** How many copies of an erased record there are that processes of 1.0 answer from. */
  readonly copies: string;
  /** Whether list `parameter` has the value of `what`. */
  readonly among: (what: string, parameter: string) => string;
  /** A parameter whose type PostgreSQL cannot infer. On SQLite a cast would hide an index. */
  readonly as: (parameter: string, type: 'text' | 'bigint') => string;
  /** A column that holds a list of texts, as a JSON array. */
  readonly json: (column: string) => string;
  /** Names the index of a table. SQLite knows nothing of how many rows an account has, and may read all of them instead. */
  readonly by: (index: string) => string;
  /** Keeps SQLite from planning for the very number: it would prepare the statement again for each. */
  readonly limit: (parameter: string) => string;
  /** Locks the rows that are read until the commit. SQLite has one writer at a time. */
  readonly lock: string;
  /** Milliseconds since 1970 by the clock of the store: on SQLite, of the process that writes. */
  readonly now: string;
  /** Where a text stands in another, from 1 on; 0: nowhere. */
  readonly position: 'instr' | 'strpos';
}

/** The function of SQLite that gives the time. */
export const NOW = 'store_now';

export const DIALECTS: Readonly<Record<Dialect['name'], Dialect>> = {
  sqlite: {
    name: 'sqlite',
    copies: '0',
    among: (what, parameter) => `${what} IN (SELECT value FROM json_each(${parameter}))`,
    as: (parameter) => parameter,
    by: (index) => ` INDEXED BY "${index}"`,
    json: (column) => column,
    limit: (parameter) => `+${parameter}`,
    lock: '',
    now: `${NOW}()`,
    position: 'instr',
  },
  postgres: {
    name: 'postgres',
    copies: `(SELECT count(*) FROM answered
      WHERE answered.account = erased.account AND answered.record = erased.record)`,
    among: (what, parameter) => `${what} = ANY (${parameter}::text[])`,
    as: (parameter, type) => `${parameter}::${type}`,
    by: () => '',
    json: (column) => `to_json(${column})`,
    limit: (parameter) => parameter,
    lock: ' FOR NO KEY UPDATE',
    // Citus takes no volatile function, such as clock_timestamp, in a change.
    now: '(extract(epoch FROM statement_timestamp()) * 1000)::bigint',
    position: 'strpos',
  },
};
