/** Helpers that write the SQL of statements. */
import type { Statement } from '../wire/session.ts';
import { bytesArray, numberArray, textArray } from '../wire/values.ts';

let count = 0;

/** The tag of a statement that each session prepares on first use. */
export function prepared<Row extends readonly unknown[] = readonly never[]>(
  raw: TemplateStringsArray,
  ...values: (string | number)[]
): Statement<Row> {
  count += 1;
  return { name: `ledgerstone_${count}`, text: String.raw({ raw }, ...values) };
}

/**
 * A parameter that the server is not to look at when it plans. Of an account that came since it last learned of a table
 * it expects no rows, and would then as soon read all that the account has as find one row by its key; of an account in
 * general it expects what accounts have. Where several servers are asked through one, that one has to see it (`seen`).
 */
export function unseen(parameter: string, type: 'text' | 'text[]' = 'text'): string {
  return `(SELECT ${parameter}::${type})${type === 'text' ? '' : `::${type}`}`;
}

/** A statement with its parameters where they are seen. */
export function seen(text: string): string {
  return text
    .replaceAll(/\(SELECT (\$\d+::text\[\])\)::text\[\]/g, '$1')
    .replaceAll(/\(SELECT (\$\d+::text|\(\$\d+::text\[\]\)\[1\])\)/g, '$1');
}

/** The account that most statements work in. */
export const OWN: string = unseen('$1');

type Type = 'text' | 'bigint' | 'bytea' | 'boolean';
export type ColumnTypes<Name extends string = string> = readonly (readonly [
  name: Name,
  type: Type,
])[];

export function columns<const Name extends string>(
  names: Readonly<Partial<Record<Type, readonly Name[]>>>,
): ColumnTypes<Name> {
  const types = Object.entries(names) as [Type, readonly Name[]][];
  return types.flatMap(([type, some]) => some.map((name) => [name, type] as const));
}

type Column = string | ColumnTypes[number];

/** Arrays `$1`, `$2`, … as a table of those columns, of texts where no type is given, beginning with parameter `first`. */
export function unnest(alias: string, columns: readonly Column[], first = 1): string {
  const pairs = columns.map((column) =>
    typeof column === 'string' ? ([column, 'text'] as const) : column,
  );
  const arrays = pairs.map(([, type], index) => `$${first + index}::${type}[]`);
  return `unnest(${arrays.join(', ')}) AS ${alias} (${pairs.map(([name]) => name).join(', ')})`;
}

/** Adds rows to a table; takes an array for each column. */
export function insertEach(table: string, columns: ColumnTypes, then = ''): Statement {
  const names = columns.map(([name]) => name).join(', ');
  return prepared`INSERT INTO ${table} (${names}) SELECT ${names}
    FROM ${unnest('sent', columns)} ${then}`;
}

/** The arrays of some rows, one for each column. */
export function arraysOf<Name extends string>(
  columns: ColumnTypes<Name>,
  rows: readonly { readonly [name in Name]?: unknown }[],
): readonly unknown[] {
  return columns.map(([name, type]) => {
    const values = rows.map((row) => row[name] ?? null);
    if (type === 'bytea') return bytesArray(values as Uint8Array[]);
    if (type === 'text') return textArray(values as (string | null)[]);
    return numberArray(values as (number | boolean | null)[]);
  });
}
