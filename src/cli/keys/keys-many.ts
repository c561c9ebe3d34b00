/** `ledgerstone keys create --many`: a key for each row of a table, all or none, and a table of their secrets. */
import type { StoredKey } from '../../core/objects/api-key.ts';
import { pathNames } from '../../core/registry.ts';
import { csvLine } from '../../core/tables/row-texts.ts';
import { grantIn, type KeySettings, modeOf } from '../../edge/console/keys.ts';
import { type Grant, prepareKey } from '../../records/auth/issue-key.ts';
import type { Account, Store } from '../../store/promises/store.ts';
import { asMistake } from '../derived/operation.ts';
import type { At, Options, Shown } from '../derived.ts';
import {
  optionsOfRow,
  readEach,
  readTable,
  STANDARD_INPUT,
  type TableRow,
} from '../import/table-file.ts';
import { Mistake } from '../mistake.ts';
import { checkName } from '../name.ts';
import { count, countingProgress } from '../output.ts';
import { createSecretFile, type SecretFile } from '../service/secret-file.ts';
import { accountNamed, administrationOf } from './key-scope.ts';

interface Scope {
  readonly accounts: readonly string[];
  readonly livemode: boolean;
}

/** A row that can be done: where its account is not there yet, it goes by its name. */
interface Wanted {
  readonly row: NewKeyRow;
  readonly grant: Omit<Grant, 'accounts'>;
  readonly scope: Scope | string;
}

export function createMany(at: At): Promise<Shown> | undefined {
  const { many, out, test, dryRun } = at.options;
  if (many !== undefined) return at.audit.command(true, () => created(at, String(many)));
  if (out !== undefined || test || dryRun)
    throw new Mistake('--out, --test and --dry-run work only with --many.');
  return undefined;
}

async function created(at: At, input: string): Promise<Shown> {
  const { store, options } = at;
  const table = readTable(input, NEW_COLUMNS);
  const all = await store.accounts.list();
  const wanted = await readEach(table.rows, (row, faults) => readRow(at, all, row, faults));
  const names = new Set(wanted.map(({ scope }) => scope).filter((one) => typeof one === 'string'));
  const [keys, accounts] = [wanted.length, names.size];
  const what = count(keys, 'key') + (accounts === 0 ? '' : ` and ${count(accounts, 'account')}`);
  if (options.dryRun)
    return {
      answer: { would_create: keys, accounts, file: null },
      lines: [`Would create ${what}. Nothing was created: this was a dry run.`],
    };
  const beside = input === STANDARD_INPUT ? 'keys.csv' : `${input.replace(/\.csv$/i, '')}.keys.csv`;
  const file = String(options.out ?? beside);
  using secrets = createSecretFile(file);
  const made = await makeAccounts(store, names, options.test === undefined);
  const prepared = wanted.map(({ row, grant, scope }) => {
    const within = typeof scope === 'string' ? made.get(scope) : scope;
    if (within === undefined) throw new TypeError('An account was not made.');
    return { row, ...prepareKey(within.livemode, { ...grant, accounts: within.accounts }) };
  });
  await makeWithFile(store, secrets, table.header, prepared);
  return {
    answer: { created: keys, accounts, file },
    lines: [`Created ${what}. Their secrets are in ${file} and nowhere else.`],
  };
}

/** Reads a row, and the options for its empty cells. */
async function readRow(
  at: At,
  all: readonly Account[],
  row: NewKeyRow,
  faults: string[],
): Promise<Wanted> {
  const accountName = row.says('account_name');
  const known = accountName === undefined ? undefined : accountNamed(all, accountName);
  const own = optionsOfRow(at, row, NEW_COLUMNS);
  if (accountName !== undefined && row.says('account') !== undefined)
    throw new Mistake('account and account_name are both given. Leave one of them empty.');
  const isNew = accountName !== undefined && known === undefined;
  if (isNew) checkNew(accountName, own);
  const account = accountName === undefined ? own.account : known && [known.unique_identifier];
  const found = await at.read({ ...own, account });
  faults.push(...found.faults.filter((fault) => !isNew || !fault.startsWith('--account ')));
  const sent = { accounts: [], ...found.members } as KeySettings;
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      faults.push(...asMistake(error, at.flags).lines);
      return undefined;
    }
  };
  const { accounts } = sent;
  const administration = administrationOf(at.store);
  const grant = await attempt(() => grantIn(sent, { paths: pathNames, now: Date.now() }));
  const livemode = await attempt(() => accounts.length > 0 && modeOf(administration, accounts));
  const scope = isNew ? accountName : { accounts, livemode: livemode === true };
  return { row, grant: grant ?? {}, scope };
}

/** Throws a `Mistake` unless an account of that name can be made for a key. */
function checkNew(name: string, { location }: Options): void {
  try {
    checkName(name);
  } catch (error) {
    throw new Mistake((error as Mistake).message.replace(/^--name/, 'account_name'));
  }
  if (location === undefined) return;
  throw new Mistake(
    `location: the account ${JSON.stringify(name)} does not exist yet, so it has no locations.`,
  );
}

async function makeAccounts(
  store: Store,
  names: ReadonlySet<string>,
  livemode: boolean,
): Promise<ReadonlyMap<string, Scope>> {
  using progress = countingProgress(process.stderr);
  const made = new Map<string, Scope>();
  for (const name of names) {
    progress.show('Created accounts', made.size);
    const { unique_identifier } = await store.accounts.create({ name, livemode });
    made.set(name, { accounts: [unique_identifier], livemode });
  }
  return made;
}

export const NEW_COLUMNS = [
  'account',
  'account_name',
  'name',
  'location',
  'region',
  'permission',
  'resource',
  'from',
  'requests_a_second',
  'requests_at_once',
  'allow',
  'expires',
] as const;
const MADE_COLUMNS: readonly string[] = ['key_account', 'key', 'secret'];

type NewKeyRow = TableRow<(typeof NEW_COLUMNS)[number]>;

/**
 * Makes keys, and writes the rows with them and their secrets: into a file that is there before the keys are, so that
 * no secret is lost if it fails in between.
 */
async function makeWithFile(
  store: Store,
  file: SecretFile,
  header: readonly string[],
  prepared: readonly (ReturnType<typeof prepareKey> & { readonly row: NewKeyRow })[],
): Promise<void> {
  const isOwn = header.map((name) => !MADE_COLUMNS.includes(name.trim().toLowerCase()));
  const own = (cells: readonly string[]) => cells.filter((_, place) => isOwn[place]);
  const textWith = (keys: readonly StoredKey[]) => {
    const rows = prepared.map(({ row, newKey, secret }, index) => [
      ...[...own(row.cells), newKey.accounts.join(' ')],
      ...[keys[index]?.unique_identifier ?? '', secret],
    ]);
    return [[...own(header), ...MADE_COLUMNS], ...rows].map(csvLine).join('');
  };
  file.write(textWith([]));
  const keys = await store.keys.createAll(prepared.map(({ newKey }) => newKey));
  file.keep();
  file.replace(textWith(keys));
}
