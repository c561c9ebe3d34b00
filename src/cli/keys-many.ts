/** `ledgerstone keys create --many`: a key for each row of a table, all or none, and a table of their secrets. */
import type { Command } from 'commander';
import { prepareKey } from '../auth/issue-key.ts';
import type { Account, Store } from '../store/store.ts';
import { csvLine } from '../tables/write-csv.ts';
import { type KeyOptions, readGrant, readScope } from './key-grant.ts';
import { type KeyTable, readKeyTable, type TableRow, throwAll } from './key-table.ts';
import { Mistake } from './mistake.ts';
import { checkName } from './name.ts';
import { SecretFile } from './secret-file.ts';
import { withStore } from './store.ts';

interface ManyOptions extends KeyOptions {
  readonly out?: string;
  readonly test?: true;
}

export interface MadeKeys {
  readonly keys: number;
  /** How many accounts were made for them. */
  readonly accounts: number;
  readonly file: string;
}

/** A row that can be done: where its account is not there yet, it goes by its name. */
interface Wanted {
  readonly row: TableRow;
  readonly grant: ReturnType<typeof readGrant>;
  readonly scope: Awaited<ReturnType<typeof readScope>> | { readonly accountToMake: string };
}

export async function createMany(
  command: Command,
  input: string,
  options: ManyOptions,
): Promise<MadeKeys> {
  const table = readKeyTable(input);
  return withStore(command, {}, async (store) => {
    const wanted = await readRows(store, table, options);
    const file = new SecretFile(options.out ?? `${input.replace(/\.csv$/i, '')}.keys.csv`);
    try {
      return await make(store, { table, wanted, file, livemode: options.test === undefined });
    } catch (error) {
      file.remove();
      throw error;
    }
  });
}

/** What each row wants. Throws one `Mistake` with every fault of every row. */
async function readRows(store: Store, { rows }: KeyTable, options: ManyOptions): Promise<Wanted[]> {
  const all = await store.accounts.list();
  const now = Date.now();
  const faults: string[] = [];
  const wanted: Wanted[] = [];
  for (const row of rows) {
    const own = optionsOf(row, options);
    const found: string[] = [];
    const grant = readGrant(own, now, found);
    try {
      const scope = await scopeOf(store, all, row, own);
      wanted.push({ row, grant, scope });
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      found.push(error.message);
    }
    // A column has the name of its option.
    faults.push(...found.map((fault) => `line ${row.line}: ${fault.replace(/^--/, '')}`));
  }
  throwAll(faults);
  return wanted;
}

async function scopeOf(
  store: Store,
  all: readonly Account[],
  row: TableRow,
  options: KeyOptions,
): Promise<Wanted['scope']> {
  const name = row.says('account_name');
  if (name === undefined) return readScope(store, all, options);
  const account = accountNamed(row, name, all);
  if (account !== undefined) return readScope(store, all, { ...options, account: [account] });
  if (options.location === undefined) return { accountToMake: name };
  throw new Mistake(
    `location: the account ${JSON.stringify(name)} does not exist yet, so it has no locations.`,
  );
}

/** The identifier of the open account of that name; `undefined` where there is none yet. */
function accountNamed(row: TableRow, name: string, all: readonly Account[]): string | undefined {
  if (row.says('account') !== undefined) {
    throw new Mistake('account and account_name are both given. Leave one of them empty.');
  }
  const [found, ...others] = all.filter(
    (account) => account.name === name && account.closed_at === null,
  );
  if (others.length > 0) {
    throw new Mistake(
      `account_name: ${others.length + 1} accounts have the name ${JSON.stringify(name)}. Put the identifier of the right one into the column account.`,
    );
  }
  if (found === undefined) {
    try {
      checkName(name);
    } catch (error) {
      throw new Mistake((error as Mistake).message.replace(/^--name/, 'account_name'));
    }
  }
  return found?.unique_identifier;
}

/** What a row says, and the command line where it says nothing. */
function optionsOf(row: TableRow, options: ManyOptions): KeyOptions {
  const { account, location, permission, resource, allow, from, ...single } = options;
  const lists = { account, location, permission, resource, allow, from };
  const read: Record<string, unknown> = { ...single };
  for (const name of ['name', 'rate', 'concurrent', 'expires'] as const)
    read[name] = row.says(name) ?? single[name];
  for (const name of Object.keys(lists) as (keyof typeof lists)[]) {
    const said = row.says(name);
    read[name] = said === undefined ? lists[name] : [said];
  }
  return read as KeyOptions;
}

interface Making {
  readonly table: KeyTable;
  readonly wanted: readonly Wanted[];
  readonly file: SecretFile;
  /** Whether accounts that are made are live. */
  readonly livemode: boolean;
}

/** The secrets are on disk before their keys are made: whatever happens in between, none is lost. */
async function make(store: Store, { table, wanted, file, livemode }: Making): Promise<MadeKeys> {
  const made = new Map<string, Account>();
  for (const { scope } of wanted) {
    if (!('accountToMake' in scope) || made.has(scope.accountToMake)) continue;
    const { accountToMake: name } = scope;
    made.set(name, await store.accounts.create({ name, livemode }));
  }
  const prepared = wanted.map(({ row, grant, scope }) => {
    const account = 'accountToMake' in scope ? made.get(scope.accountToMake) : undefined;
    const of = account === undefined ? scope : { ...account, grant: accountOf(account) };
    if ('accountToMake' in of) throw new TypeError('An account was not made.');
    return { row, ...prepareKey(of.livemode, { ...grant, ...of.grant }) };
  });
  const header = [...table.header, 'key_account', 'key', 'secret'];
  const rowsWith = (keys: readonly { readonly unique_identifier: string }[]) =>
    prepared.map(({ row, secret, newKey }, index) => [
      ...row.cells,
      newKey.accounts.join(' '),
      keys[index]?.unique_identifier ?? '',
      secret,
    ]);
  file.write([header, ...rowsWith([])].map(csvLine).join(''));
  const keys = await store.keys.createAll(prepared.map(({ newKey }) => newKey));
  file.keep();
  file.replace([header, ...rowsWith(keys)].map(csvLine).join(''));
  return { keys: keys.length, accounts: made.size, file: file.path };
}

function accountOf({ unique_identifier }: Account) {
  return { accounts: [unique_identifier], anchors: null };
}
