/** `ledgerstone keys create --many`: a key for each row of a table, all or none, and a table of their secrets. */

import { prepareKey } from '../../records/auth/issue-key.ts';
import type { Limit } from '../../records/auth/region.ts';
import type { Account, Store } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { readEach, readTable, STANDARD_INPUT, type TableFile } from '../import/table-file.ts';
import { Mistake } from '../mistake.ts';
import { checkName } from '../name.ts';
import { countingProgress } from '../progress.ts';
import type { SecretFile } from '../service/secret-file.ts';
import { withStore } from '../store.ts';
import { grantIn, type KeyOptions, readScope } from './key-grant.ts';
import { accountNamed, readLimit } from './key-scope.ts';
import { makeWithFile, NEW_COLUMNS, type NewKeyRow, withSecretFile } from './keys-file.ts';

interface ManyOptions extends KeyOptions {
  readonly out?: string;
  readonly test?: true;
  readonly dryRun?: true;
}

export interface MadeKeys {
  readonly keys: number;
  /** How many accounts were made for them. */
  readonly accounts: number;
  /** Where the secrets are; `null` after a dry run. */
  readonly file: string | null;
}

/** A row that can be done: where its account is not there yet, it goes by its name. */
interface Wanted {
  readonly row: NewKeyRow;
  readonly grant: ReturnType<typeof grantIn>;
  readonly scope:
    | Awaited<ReturnType<typeof readScope>>
    | { readonly accountToMake: string; readonly limit: Limit };
}

export async function createMany(
  command: Command,
  input: string,
  options: ManyOptions,
): Promise<MadeKeys> {
  const table = readTable(input, NEW_COLUMNS);
  return withStore(command, { acts: true }, async (store) => {
    const all = await store.accounts.list();
    const now = Date.now();
    const wanted = await readEach(table.rows, async (row, faults): Promise<Wanted> => {
      const own = optionsOf(row, options);
      const grant = grantIn(own, now, faults);
      return { row, grant, scope: await scopeOf(store, all, row, own) };
    });
    const names = wanted.flatMap(({ scope }) =>
      'accountToMake' in scope ? scope.accountToMake : [],
    );
    const accountsToMake = [...new Set(names)];
    const made = { keys: wanted.length, accounts: accountsToMake.length };
    if (options.dryRun) return { ...made, file: null };
    const beside =
      input === STANDARD_INPUT ? 'keys.csv' : `${input.replace(/\.csv$/i, '')}.keys.csv`;
    const path = options.out ?? beside;
    await withSecretFile(path, async (file) => {
      const accounts = await makeAccounts(store, accountsToMake, options.test === undefined);
      await make(store, { table, wanted, file, accounts });
    });
    return { ...made, file: path };
  });
}

async function scopeOf(
  store: Store,
  all: readonly Account[],
  row: NewKeyRow,
  options: KeyOptions,
): Promise<Wanted['scope']> {
  const name = row.says('account_name');
  if (name === undefined) return readScope(store, all, options);
  if (row.says('account') !== undefined) {
    throw new Mistake('account and account_name are both given. Leave one of them empty.');
  }
  const account = accountNamed(all, name);
  if (account !== undefined) {
    return readScope(store, all, { ...options, account: [account.unique_identifier] });
  }
  try {
    checkName(name);
  } catch (error) {
    throw new Mistake((error as Mistake).message.replace(/^--name/, 'account_name'));
  }
  if (options.location === undefined)
    return { accountToMake: name, limit: await readLimit(store, options, []) };
  throw new Mistake(
    `location: the account ${JSON.stringify(name)} does not exist yet, so it has no locations.`,
  );
}

const LISTS = ['account', 'location', 'permission', 'resource', 'allow', 'from'] as const;

/** The options of a row, and those of the command line for its empty cells. */
function optionsOf(row: NewKeyRow, options: ManyOptions): KeyOptions {
  const { name, region, expires, requestsASecond, requestsAtOnce } = options;
  const list = (column: (typeof LISTS)[number]) => {
    const said = row.says(column);
    return [column, said === undefined ? options[column] : [said]];
  };
  return {
    ...options,
    ...Object.fromEntries(LISTS.map(list)),
    name: row.says('name') ?? name,
    region: row.says('region') ?? region,
    expires: row.says('expires') ?? expires,
    // A cell takes precedence over an option, under any of their names.
    requestsASecond: row.says('requests_a_second') ?? requestsASecond,
    requestsAtOnce: row.says('requests_at_once') ?? requestsAtOnce,
  } as KeyOptions;
}

async function makeAccounts(
  store: Store,
  names: readonly string[],
  livemode: boolean,
): Promise<ReadonlyMap<string, Account>> {
  const progress = countingProgress(process.stderr);
  const made = new Map<string, Account>();
  for (const name of names) {
    progress.show('Created accounts', made.size);
    made.set(name, await store.accounts.create({ name, livemode }));
  }
  progress.clear();
  return made;
}

interface Making {
  readonly table: TableFile<string>;
  readonly wanted: readonly Wanted[];
  readonly file: SecretFile;
  /** Those that were made for them, by name. */
  readonly accounts: ReadonlyMap<string, Account>;
}

async function make(store: Store, { table, wanted, file, accounts }: Making): Promise<void> {
  const prepared = wanted.map(({ row, grant, scope }) => {
    if (!('accountToMake' in scope))
      return { row, ...prepareKey(scope.livemode, { ...grant, ...scope.grant }) };
    const account = accounts.get(scope.accountToMake);
    if (account === undefined) throw new TypeError('An account was not made.');
    const { livemode, unique_identifier } = account;
    const of = { accounts: [unique_identifier], ...scope.limit };
    return { row, ...prepareKey(livemode, { ...grant, ...of }) };
  });
  await makeWithFile(file, table, prepared, (keys) => store.keys.createAll(keys));
}
