/** Our own objects as rows of tables, of whichever store: their columns, and the objects that rows are. */
import {
  fieldsRead,
  type ObjectOf,
  type OwnFields,
  type OwnObject,
  type OwnTable,
  ownColumns,
  rowSum,
} from '../../../core/objects/own-object.ts';
import { quoteName } from '../../names.ts';
import type { ColumnType } from '../tables.ts';

type ColumnValue = string | number | boolean | null | Uint8Array | readonly string[];

/** The columns to select for a `rowReader`, also in joins; `listOf` makes JSON of a list of texts. */
export function selected(
  object: Pick<OwnTable, 'table' | 'fields'>,
  listOf = (column: string): string => column,
): string {
  return fieldsRead(object)
    .map(([member, { sql, column = member, kind }]) => {
      if (sql !== undefined) return sql;
      const name = `${object.table}.${quoteName(column)}`;
      return kind.column === 'texts' ? listOf(name) : name;
    })
    .join(', ');
}

/** The columns, each with its type in PostgreSQL. */
export function columnTypes(
  object: Pick<OwnObject, 'fields'>,
): Readonly<Record<string, ColumnType>> {
  const typeOf = (kind: string) => (kind === 'number' ? 'bigint' : 'text');
  return Object.fromEntries(ownColumns(object).map(({ name, kind }) => [name, typeOf(kind)]));
}

/** Takes what `newRow` gives. */
export function inserted(object: OwnTable): string {
  const columns = ownColumns(object).map(({ name }) => quoteName(name));
  return `INSERT INTO ${object.table} (${columns.join(', ')})
    VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`;
}

/** Changes a row by its key unless it was changed since it was read; takes what `newRow` gives, raised by 1. */
export function renewed(object: OwnObject): string {
  const columns = ownColumns(object).map(({ name }) => name);
  const is = (name: string): string => `${quoteName(name)} = $${columns.indexOf(name) + 1}`;
  // Where a table is distributed, the account of a row is not set: not even to the same.
  const rest = columns.filter((name) => name !== 'revision' && !object.key.includes(name));
  return `UPDATE ${object.table} SET ${[...rest.map(is), 'revision = revision + 1'].join(', ')}
    WHERE ${[...object.key, 'revision'].map(is).join(' AND ')}`;
}

/** The values of all columns; what the object lacks is `null`. A checksum is that of the revision after `raised` more. */
export function newRow(object: OwnTable, made: object, raised = 0): readonly ColumnValue[] {
  const members = made as Readonly<Record<string, ColumnValue | undefined>>;
  const columns = ownColumns(object);
  const row = columns.map(({ member, field }) => {
    const value = members[member] ?? field.kind.blank ?? null;
    return field.kind.isJson && value !== null ? JSON.stringify(value) : value;
  });
  const sum = columns.findIndex(({ field }) => field.kind.isSum);
  if (sum !== -1)
    row[sum] = rowSum(columns, ({ name }, at) =>
      name === 'revision' ? Number(row[at]) + raised : row[at],
    );
  return row;
}

/** Makes objects of what was `selected`. Each request needs one: what is to be done is decided here, and not for each row. */
export function rowReader<F extends OwnFields>(
  object: Pick<OwnTable<F>, 'fields'>,
): (row: readonly unknown[]) => ObjectOf<F> {
  const fields = fieldsRead(object);
  const names = fields.map(([name]) => name);
  const reads = fields.map(([, { kind }]) =>
    kind.column === 'flag'
      ? Boolean
      : kind.column === 'texts' || kind.isJson
        ? parsed
        : kind.blank === ''
          ? unblanked
          : undefined,
  );
  const blank: Readonly<Record<string, unknown>> = Object.fromEntries(
    names.map((name) => [name, null]),
  );
  return (row) => {
    const made: Record<string, unknown> = { ...blank };
    for (let at = 0; at < names.length; at += 1) {
      const value = row[at];
      const read = reads[at];
      made[names[at] as string] = value === null || read === undefined ? value : read(value);
    }
    return made as ObjectOf<F>;
  };
}

function parsed(text: unknown): unknown {
  return JSON.parse(String(text));
}

function unblanked(value: unknown): unknown {
  return value === '' ? null : value;
}
