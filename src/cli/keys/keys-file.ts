/** The files of `keys … --many`: those that it reads, and that which it writes with secrets. */
import { type NewKey, type StoredKey, statusOf } from '../../core/objects/api-key.ts';
import { csvLine } from '../../core/tables/write-csv.ts';
import type { Account, Store } from '../../store/promises/store.ts';
import { foundKey } from '../found.ts';
import { readTable, type TableFile, type TableRow } from '../import/table-file.ts';
import { Mistake } from '../mistake.ts';
import { SecretFile } from '../service/secret-file.ts';
import { accountsCalled } from './key-scope.ts';

/** The columns of a file of new keys. */
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
/** The columns that are added. */
const MADE_COLUMNS = ['key_account', 'key', 'secret'] as const;
const COLUMNS = [...NEW_COLUMNS, ...MADE_COLUMNS] as const;

export type NewKeyRow = TableRow<(typeof NEW_COLUMNS)[number]>;
export type KeyFileRow = TableRow<(typeof COLUMNS)[number]>;

/** A table of keys that are there: the one that made them, or the one that was written then. */
export function readKeyTable(file: string): TableFile<(typeof COLUMNS)[number]> {
  return readTable(file, COLUMNS);
}

/** Finds the keys of rows: by the column `key`, or by the name and the account of those that have not ended. */
export async function keyFinder(store: Store): Promise<(row: KeyFileRow) => StoredKey> {
  const [keys, accounts] = await Promise.all([store.keys.list(), store.accounts.list()]);
  const byId = new Map(keys.map((key) => [key.unique_identifier, key]));
  const now = Date.now();
  const going = keys.filter((key) => ['active', 'suspended'].includes(statusOf(key, now)));
  const byName = Map.groupBy(going, ({ name }) => name ?? '');
  const lines = new Map<string, number>();
  return (row) => {
    const id = row.says('key');
    const key = id === undefined ? named(store, accounts, byName, row) : byId.get(id);
    const found = foundKey(key, id ?? '', store);
    const line = lines.get(found.unique_identifier);
    if (line !== undefined)
      throw new Mistake(`${found.unique_identifier} is that of line ${line}, too.`);
    lines.set(found.unique_identifier, row.line);
    return found;
  };
}

function named(
  store: Store,
  accounts: readonly Account[],
  byName: ReadonlyMap<string, readonly StoredKey[]>,
  row: KeyFileRow,
): StoredKey {
  const name = row.says('name');
  if (name === undefined)
    throw new Mistake('Put a key into the column key, or its name into the column name.');
  const account = row.says('account_name') ?? row.says('account');
  const of = accountsCalled(store, accounts, account === undefined ? [] : [account]).map(
    ({ unique_identifier }) => unique_identifier,
  );
  const found = (byName.get(name) ?? []).filter((key) =>
    of.every((one) => key.accounts.includes(one)),
  );
  const [key, ...others] = found;
  const where = account === undefined ? '' : ` of ${JSON.stringify(account)}`;
  if (key === undefined)
    throw new Mistake(`There is no key ${JSON.stringify(name)}${where} that has not ended.`);
  if (others.length === 0) return key;
  throw new Mistake(
    `${found.length} keys${where} have the name ${JSON.stringify(name)}. Put the right one into the column key: ${found
      .slice(0, 5)
      .map(({ unique_identifier }) => unique_identifier)
      .join(', ')}${found.length > 5 ? ', …' : ''}.`,
  );
}

interface Made {
  readonly row: TableRow<string>;
  readonly newKey: NewKey;
  readonly secret: string;
}

/**
 * Makes keys, and writes the rows with them and their secrets: into a file that is there before the keys are, so that
 * no secret is lost if it fails in between.
 */
export async function makeWithFile(
  file: SecretFile,
  { header }: TableFile<string>,
  made: readonly Made[],
  make: (keys: readonly NewKey[]) => Promise<readonly StoredKey[]>,
): Promise<readonly StoredKey[]> {
  const isMade = header.map((name) =>
    MADE_COLUMNS.some((one) => one === name.trim().toLowerCase()),
  );
  const own = (cells: readonly string[]) => cells.filter((_, place) => !isMade[place]);
  const textWith = (keys: readonly StoredKey[]) =>
    [
      [...own(header), ...MADE_COLUMNS],
      ...made.map(({ row, newKey, secret }, index) => [
        ...own(row.cells),
        newKey.accounts.join(' '),
        keys[index]?.unique_identifier ?? '',
        secret,
      ]),
    ]
      .map(csvLine)
      .join('');
  file.write(textWith([]));
  const keys = await make(made.map(({ newKey }) => newKey));
  file.keep();
  file.replace(textWith(keys));
  return keys;
}

/** Runs `work` with a new file that goes again where it fails. */
export async function withSecretFile<Result>(
  path: string,
  work: (file: SecretFile) => Promise<Result>,
): Promise<Result> {
  const file = new SecretFile(path);
  try {
    return await work(file);
  } catch (error) {
    file.remove();
    throw error;
  }
}
