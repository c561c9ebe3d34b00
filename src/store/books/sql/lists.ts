/** Builds statements that list entries by the filters of a request, and statements that take rows. */
import type { Dialect } from '../dialects.ts';
import { type BookSource, type BookValue, type ColumnType, unnamed } from '../tables.ts';

export const namesOf = (columns: Readonly<Record<string, ColumnType>>) =>
  Object.keys(columns).join(', ');
export const parametersOf = (columns: object) =>
  Object.keys(columns)
    .map((_, index) => `$${index + 1}`)
    .join(', ');

/** A statement of rows with these columns: on PostgreSQL they are a table `noted`. */
export function ofRows(
  columns: Readonly<Record<string, ColumnType>>,
  sqlite: string,
  postgres: string,
): BookSource {
  const types = Object.values(columns);
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  return {
    columns: types,
    sqlite,
    postgres: postgres.replace('NOTED', () => `unnest(${arrays}) AS noted (${namesOf(columns)})`),
  };
}

/** A condition of a list: its values, and how it is said with their parameters. */
export interface Predicate {
  readonly values: readonly BookValue[];
  readonly says: (dialect: Dialect, ...parameters: string[]) => string;
}

export function list(
  select: string,
  where: readonly Predicate[],
  {
    order,
    limit,
    offset,
  }: { readonly order: string; readonly limit: number; readonly offset?: number },
) {
  const text = (dialect: Dialect) => {
    let last = 0;
    const parameter = () => `$${++last}`;
    const all = where.map(({ values, says }) => `(${says(dialect, ...values.map(parameter))})`);
    const which = all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`;
    const page = `LIMIT ${dialect.limit(parameter())}`;
    const passed = offset === undefined ? '' : ` OFFSET ${dialect.limit(parameter())}`;
    return `${select} ${which} ORDER BY ${order} ${page}${passed}`;
  };
  const values = [
    ...where.flatMap(({ values }) => values),
    limit,
    ...(offset === undefined ? [] : [offset]),
  ];
  return { statement: unnamed(text), values };
}

/** Keys and people whose accounts are all in a list, and those that have one among others. Only PostgreSQL has arrays, and only of keys. */
const WITH_ACCOUNTS = `SELECT unique_identifier FROM (SELECT unique_identifier, accounts FROM api_key
  UNION ALL SELECT unique_identifier, accounts FROM staff)`;
const PERSONS = 'ARRAY(SELECT json_array_elements_text(accounts::json))';
const callers = (have: (accounts: string) => string) =>
  `SELECT unique_identifier FROM api_key WHERE ${have('accounts')}
    UNION ALL SELECT unique_identifier FROM staff WHERE ${have(PERSONS)}`;
const CALLERS = {
  sqlite: {
    within: (list: string) => `${WITH_ACCOUNTS} WHERE NOT EXISTS (
      SELECT 1 FROM json_each(accounts) WHERE value NOT IN (SELECT value FROM json_each(${list})))`,
    having: (one: string) =>
      `${WITH_ACCOUNTS} WHERE ${one} IN (SELECT value FROM json_each(accounts))`,
  },
  postgres: {
    within: (list: string) => callers((accounts) => `${accounts} <@ ${list}::text[]`),
    having: (one: string) => callers((accounts) => `${one}::text = ANY (${accounts})`),
  },
};

/** Entries of accounts, and of keys and people whose accounts are all among them. */
export function seenBy(accounts: readonly string[]): Predicate {
  const [only] = accounts;
  // Entries of a key with one account have that account.
  if (accounts.length === 1 && only !== undefined) return is('of_account', only);
  return {
    values: [accounts],
    says: (dialect, all = '') =>
      `${dialect.among('of_account', all)} OR of_account = '' AND key IN (${CALLERS[dialect.name].within(all)})`,
  };
}

/** Entries of keys and people whose accounts are all among these. */
export function byCallersWithin(accounts: readonly string[]): Predicate {
  return {
    values: [accounts],
    says: ({ name }, all = '') => `key IN (${CALLERS[name].within(all)})`,
  };
}

/** Entries of an account, and of keys and people that have it among others. */
export function ofAccount(account: string): Predicate {
  return {
    values: [account],
    says: (dialect, one = '') =>
      `of_account = ${one} OR of_account = '' AND key IN (${CALLERS[dialect.name].having(one)})`,
  };
}

export function is(column: string, value: string | number, comparison = '='): Predicate {
  return { values: [value], says: (_, one) => `${column} ${comparison} ${one}` };
}

export function among(column: string, values: readonly string[]): Predicate {
  return { values: [values], says: (dialect, all = '') => dialect.among(column, all) };
}

/** Whether one of these is among the codes. */
export function holds(codes: readonly string[]): Predicate {
  return {
    values: codes,
    says: ({ position }, ...each) =>
      each.map((one) => `${position}(codes, ${one}) > 0`).join(' OR ') || 'false',
  };
}

export function begins(column: string, start: string): Predicate {
  return {
    values: [start],
    says: ({ as }, one = '') => `substr(${column}, 1, length(${as(one, 'text')})) = ${one}`,
  };
}

export function isOfStaff(column: string, staff: boolean): Predicate {
  return { values: [], says: () => `substr(${column}, 1, 4) ${staff ? '=' : '<>'} 'stf_'` };
}

/** Rows before or after these values in the order of these columns. */
export function beyond(
  columns: string,
  side: '<' | '>' | '<=' | '>=',
  values: readonly BookValue[],
): Predicate {
  return { values, says: (_, ...each) => `(${columns}) ${side} (${each.join(', ')})` };
}

/** A condition without values. */
export function says(condition: string): Predicate {
  return { values: [], says: () => condition };
}

/** The condition of a filter that was given. */
export function when<T>(value: T | undefined, condition: (value: T) => Predicate) {
  return value === undefined ? [] : [condition(value)];
}
