/** The tables, apart from those of records, that have rows of an account: they are emptied with it. */
import type { Becomes } from '../core/objects/account.ts';
import { tableColumns } from '../core/objects/own-object.ts';
import { ownTables } from '../core/objects/tables/all.ts';
import type { OwnTable } from '../core/objects/tables/own-table.ts';
import { quoteName } from './names.ts';

export interface TableOfAccount {
  readonly table: string;
  readonly key: readonly string[];
  /** The columns of an index of an account's rows, each with what comes before all that it holds. */
  readonly order: readonly (readonly [column: string, before: string | number])[];
  /** The condition for rows of account $1. */
  readonly where: string;
}

/** Those that are emptied, children before what they belong to. */
export function tablesOfAccount(becomes: Becomes): readonly TableOfAccount[] {
  const all = ownTables.filter(
    ({ goesWith }) => goesWith === 'content' || (goesWith === 'account' && becomes === 'gone'),
  );
  const isAbove = (table: OwnTable) => all.some(({ below }) => below?.[1] === table.table);
  return [...all.filter((table) => !isAbove(table)), ...all.filter(isAbove)].map((table) =>
    rowsOf(table, becomes),
  );
}

function rowsOf(table: OwnTable, becomes: Becomes): TableOfAccount {
  const { key, below, indexes = {} } = table;
  const kinds = new Map(tableColumns(table).map(({ name, kind }) => [name, kind]));
  const account = accountColumn(kinds);
  const walked = Object.values(indexes)
    .map((columns) => columns.split(', '))
    .find(
      ([first, ...rest]) =>
        first === account && rest.length > 0 && rest.every((name) => kinds.has(name)),
    );
  const order = (key.includes(account) ? key : (walked ?? key)).filter((name) => name !== account);
  return {
    table: quoteName(table.table),
    key: key.map(quoteName),
    order: order.map((name) => [quoteName(name), kinds.get(name) === 'number' ? -1 : '']),
    where: below === undefined ? whereOf(account, kinds, becomes) : belowOf(below),
  };
}

function accountColumn(kinds: ReadonlyMap<string, unknown>): string {
  return kinds.has('of_account') ? 'of_account' : 'account';
}

/** What is set for the account itself stays while it does. */
function whereOf(account: string, kinds: ReadonlyMap<string, unknown>, becomes: Becomes): string {
  const isOther = kinds.has('unique_identifier') && becomes !== 'gone';
  return `${account} = $1${isOther ? ' AND unique_identifier <> $1' : ''}`;
}

function belowOf([column, table]: NonNullable<OwnTable['below']>): string {
  const above = ownTables.find((one) => one.table === table);
  const names = new Map(above && tableColumns(above).map(({ name }) => [name, name]));
  return `${column} IN (SELECT unique_identifier FROM ${table} WHERE ${accountColumn(names)} = $1)`;
}
