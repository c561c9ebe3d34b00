/** `ledgerstone keys`: creates, lists, shows, changes, renames, rotates, suspends and revokes API keys. */

import type { StoredKey } from '../../core/objects/api-key.ts';
import { pathNames } from '../../core/registry.ts';
import { csvLine } from '../../core/schema/csv/write.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import {
  changeOperations,
  grantIn,
  type KeySettings,
  keyOperations,
  modeOf,
} from '../../edge/console/keys.ts';
import { MAX_OVERLAP_MS, prepareKey } from '../../records/auth/issue-key.ts';
import { authoritativeFor, operatorOf, rights } from '../../records/auth/principal.ts';
import { replaceFile } from '../../services/transfer/new-files.ts';
import type { Account, Store } from '../../store/promises/store.ts';
import { administrationAt, onStore } from '../derived/on-store.ts';
import { asMistake } from '../derived/operation.ts';
import { type At, addDerived, type Options, type ReadOption, type Shown } from '../derived.ts';
import { checkName, checkSourceName, keyCalled } from '../found.ts';
import { STANDARD_INPUT } from '../given.ts';
import { type Command, optionsOf } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { count, countingProgress, plain } from '../output.ts';
import { createSecretFile } from '../service/secret-file.ts';
import { readRows, type TableRow } from '../table-file.ts';
import { readDuration, readMoment } from '../time.ts';
import { accountNamed, limitedLines, resourcesNamed, words } from './key-scope.ts';
import { keyColumns, type Limited } from './key-view.ts';

const RIGHTS = Object.entries(rights).map(([name, says]) => `\n  ${name}: ${says}`);
const ALLOW = ['--allow <names...>', `Rights beyond records:${RIGHTS.join('')}`] as const;

const readTime: ReadOption = (given: string, option) =>
  presentTime(readMoment(given, option, Date.now()));

const reads = {
  permissions: words,
  resources: words,
  allow: words,
  disallow: words,
  from: words,
  expires_at: readTime,
  name: checkName,
  source: checkSourceName,
};

const NEW_COLUMNS = [
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

const OF_FILES = optionsOf({
  '--many <file>': `Create a key for each row of a CSV file, or of standard input with -, all or none, with the columns ${NEW_COLUMNS.join(', ')}; account_name finds an account by its name, or creates it; an empty cell takes what the option says`,
  '--out <file>':
    'Where --many writes the rows with their accounts, keys and secrets: a new file, readable only by its owner; FILE.keys.csv by default, or keys.csv',
  '--test': 'Create test accounts with --many',
  '--dry-run': 'With --many, check all rows and create nothing',
});

interface Rotated extends Limited {
  readonly replaces: { readonly unique_identifier: string; readonly expires_at: string };
}

interface Ended {
  readonly used_by: readonly string[];
}

export function addKeys(program: Command): void {
  addDerived(program, {
    name: 'keys',
    says: 'Create, list, show, change, rename, rotate, suspend, resume and revoke API keys',
    one: 'key',
    operations: [...keyOperations(pathNames), ...changeOperations(pathNames)],
    takes: ['administration'],
    callerOf: () => operatorOf([]),
    called: 'KEY is its identifier, its name, or the last four characters of its secret',
    identify: async (called, at) => {
      const { store } = onStore(at);
      return keyCalled(await store.keys.list(), called, store).unique_identifier;
    },
    commands: {
      create: {
        says: 'Create an API key; its secret is shown only once',
        flags: { allow: ALLOW, expires_at: '--expires <when>' },
        reads,
        options: [
          ...optionsOf({
            '--authoritative <resource...>':
              'Write what it sends for these resources also where staff corrected it',
          }),
          ...OF_FILES,
        ],
        instead: (at) => {
          const { many, out, test, dryRun } = at.options;
          if (many !== undefined)
            return onStore(at).audit.command(true, () => created(at, String(many)));
          if (out === undefined && !test && !dryRun) return undefined;
          throw new Mistake('--out, --test and --dry-run work only with --many.');
        },
        // The rights of a key, with those of a source that pins do not hold back.
        members: ({ authoritative }, { members }) => {
          const { allow = [] } = members as { readonly allow?: readonly string[] };
          const named = authoritative as readonly string[] | undefined;
          const trusted = resourcesNamed('--authoritative', named).map(authoritativeFor);
          return { allow: [...allow, ...trusted] };
        },
        prints: limitedLines,
        examples: {
          '--account acct_…': 'A key that may do everything in an account',
          '--account acct_… --location loc_… --permission write --resource event_check_in_records --name "Lobby tablet"':
            'A key for one purpose at one location',
          '--account acct_… --region Northeast --permission read':
            'A key for the locations of a region, whichever these are',
          '--account acct_… --from 203.0.113.0/24 --requests-a-second 100':
            'A key for one office, limited to 100 requests a second',
          '--account acct_… --expires 90d --json': 'A key that expires, printed for a program',
          '--many homes.csv --permission write':
            'A key for each row, such as "account_name,name" and "Riverside Chapel,Tablets"',
        },
      },
      list: {
        says: 'List all keys, newest first, including revoked and expired ones',
        examples: { '': 'See all keys, and when each was last used' },
        none: 'There are no keys yet: "ledgerstone keys create" creates one.',
        columns: keyColumns,
      },
      'show <key>': {
        says: 'Show what a key is for, its limits and when it was last used, without its secret',
        examples: { 'key_…': 'See all about one key' },
        prints: limitedLines,
      },
      'rotate <key>': {
        says: 'Create a key like this one, and let the old one expire after the overlap',
        flags: {
          overlap_seconds: [
            '--overlap <duration>',
            'How long the old key keeps working: 30m, at most 90d, or 0 to stop it at once; 24h by default',
          ],
          expires_at: '--expires <when>',
        },
        reads: { ...reads, overlap_seconds: readOverlap },
        examples: {
          'key_…': 'Change to a new key within a day',
          'key_… --overlap 0': 'Replace a leaked key at once',
        },
        prints: ({ replaces, ...key }: Rotated) => [
          ...[...limitedLines(key), ''],
          `The old key, ${replaces.unique_identifier}, expires at ${replaces.expires_at}.`,
        ],
      },
      'suspend <key>': {
        says: 'Suspend a key until it is resumed; it is refused everywhere within a second',
        examples: { 'key_…': 'Disable a key while you investigate' },
        prints: (key: Ended, id) => [
          `Suspended ${id}: it is refused everywhere within a second.`,
          ...stopped(key, `Enable it again after "ledgerstone keys resume ${id}".`),
        ],
      },
      'resume <key>': {
        says: 'Make a suspended key work again, with the same secret',
        examples: { 'key_…': 'Make a suspended key work again' },
        prints: (_, id) => `Resumed ${id}: it works again.`,
      },
      'revoke <key>': {
        says: 'Revoke a key for good; it is refused everywhere within a second',
        examples: { 'key_…': 'Revoke a key' },
        prints: (key: Ended, id) => [
          `Revoked ${id}: it is refused everywhere within a second.`,
          ...stopped(key, 'Enable it with another key, or in the console.'),
        ],
      },
      'change <key>': {
        says: 'Change what a key may do, within a second; its secret stays',
        flags: { allow: ALLOW },
        reads,
        examples: { 'key_… --allow webhooks': 'Give a key another right' },
        prints: (_, id) => `Changed ${id}: this holds within a second.`,
      },
      'rename <key>': {
        says: 'Give a key another name; its secret and all that it may do stay',
        reads,
        examples: { 'key_… --name "Lobby tablet"': 'Call it what people call it' },
        prints: ({ unique_identifier: id, name }) => `${id} is called ${plain(name)}.`,
      },
    },
  });
}

/** Says what stops with a key, and how it goes on. */
function stopped({ used_by }: Ended, how: string): readonly string[] {
  return used_by.length === 0 ? [] : [`What worked by it stops: ${used_by.join(', ')}. ${how}`];
}

/** Seconds. */
function readOverlap(given: string, option: string): number {
  const overlap = readDuration(given, option);
  if (overlap <= MAX_OVERLAP_MS) return overlap / 1000;
  throw new Mistake(`${option} must be at most 90d.`);
}

/** Makes the keys of a file. They and their secrets are in a file that is there before they are, so that no secret is lost. */
async function created(at: At, input: string): Promise<Shown> {
  const { options } = at;
  const { store } = onStore(at);
  const all = await store.accounts.list();
  const table = await readRows(at, input, NEW_COLUMNS, (row, faults) =>
    readRow(at, all, row, faults),
  );
  const wanted = table.results;
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
  const isOwn = table.header.map((name) => !MADE_COLUMNS.includes(name.trim().toLowerCase()));
  const own = (cells: readonly string[]) => cells.filter((_, place) => isOwn[place]);
  const textWith = (stored: readonly StoredKey[]) => {
    const rows = prepared.map(({ row, newKey, secret }, index) => [
      ...[...own(row.cells), newKey.accounts.join(' ')],
      ...[stored[index]?.unique_identifier ?? '', secret],
    ]);
    return [[...own(table.header), ...MADE_COLUMNS], ...rows].map(csvLine).join('');
  };
  secrets.write(textWith([]));
  const stored = await store.keys.createAll(prepared.map(({ newKey }) => newKey));
  secrets.keep();
  replaceFile(file, textWith(stored));
  return {
    answer: { created: keys, accounts, file },
    lines: [`Created ${what}. Their secrets are in ${file} and nowhere else.`],
  };
}

async function makeAccounts(store: Store, names: ReadonlySet<string>, livemode: boolean) {
  using progress = countingProgress();
  const made = new Map<
    string,
    { readonly accounts: readonly string[]; readonly livemode: boolean }
  >();
  for (const name of names) {
    progress.show('Created accounts', made.size);
    const { unique_identifier } = await store.accounts.create({ name, livemode });
    made.set(name, { accounts: [unique_identifier], livemode });
  }
  return made;
}

const MADE_COLUMNS: readonly string[] = ['key_account', 'key', 'secret'];

type NewKeyRow = TableRow<(typeof NEW_COLUMNS)[number]>;

/** Reads a row, and the options for its empty cells. Where its account is not there yet, it goes by its name. */
async function readRow(at: At, all: readonly Account[], row: NewKeyRow, faults: string[]) {
  const accountName = row.says('account_name');
  const known = accountName === undefined ? undefined : accountNamed(all, accountName);
  const own = row.options;
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
      faults.push(asMistake(error, at.flags).message);
      return undefined;
    }
  };
  const { accounts } = sent;
  const grant = await attempt(() => grantIn(sent, { paths: pathNames, now: Date.now() }));
  const livemode = await attempt(
    () => accounts.length > 0 && modeOf(administrationAt(at), accounts),
  );
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
