/** Prepared statements whose rows are typed tuples: the one place where node:sqlite's types are narrowed. */
import type { DatabaseSync, SQLInputValue, StatementResultingChanges } from 'node:sqlite';

export interface Statement<
  Row extends readonly unknown[] = readonly never[],
  Values extends unknown[] = SQLInputValue[],
> {
  get(...values: Values): Row | undefined;
  all(...values: Values): Row[];
  /** Reads each row only on request. */
  iterate(...values: Values): Iterable<Row>;
  run(...values: Values): StatementResultingChanges;
}

/** Rows come as arrays, in the order of the selected columns: half the cost of objects. */
export function prepare<Row extends readonly unknown[] = readonly never[]>(
  database: DatabaseSync,
  sql: string,
): Statement<Row> {
  return database.prepare(sql, { returnArrays: true }) as unknown as Statement<Row>;
}

/** Makes the tag that prepares the SQL of a template on a database. */
export function preparing(database: DatabaseSync) {
  return <Row extends readonly unknown[] = readonly never[]>(
    ...[raw, ...values]: SqlTemplate
  ): Statement<Row> => prepare(database, String.raw({ raw }, ...values));
}

type SqlTemplate = [text: TemplateStringsArray, ...values: (string | number)[]];

export interface NamedValues {
  readonly [name: string]: SQLInputValue;
}

/** A statement with named values. */
export type NamedStatement<Row extends readonly unknown[]> = Statement<Row, [values: NamedValues]>;

/** Rows come as arrays; values that the statement does not name are left out. */
export function prepareNamed<Row extends readonly unknown[]>(
  database: DatabaseSync,
  sql: string,
): NamedStatement<Row> {
  const options = { returnArrays: true, allowUnknownNamedParameters: true };
  return database.prepare(sql, options) as unknown as NamedStatement<Row>;
}

/** The elements of a bound JSON array, as the right side of IN. */
export function elementsOf(parameter: string): string {
  return `(SELECT value FROM json_each(${parameter}))`;
}

/**
 * A bound number as a LIMIT or an OFFSET. The sign keeps SQLite from planning for
 * the very number: it would prepare the statement again each time one is bound.
 */
export function bounded(parameter: string): string {
  return `+${parameter}`;
}
