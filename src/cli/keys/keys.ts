/** `ledgerstone keys`: creates, lists, shows, changes, renames, rotates, suspends and revokes API keys. */
import { pathNames } from '../../core/registry.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { changeOperations, keyOperations } from '../../edge/console/keys.ts';
import { MAX_OVERLAP_MS } from '../../records/auth/issue-key.ts';
import { authoritativeFor, rights } from '../../records/auth/principal.ts';
import { addDerived, type Options, type ReadOption } from '../derived.ts';
import { keyCalled } from '../found.ts';
import { type Command, optionsOf } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { checkName, checkSourceName } from '../name.ts';
import { plain } from '../output.ts';
import { readDuration, readMoment } from '../time.ts';
import { administrationOf, limitedLines, resourcesNamed, words } from './key-scope.ts';
import { keyColumns, type Limited } from './key-view.ts';
import { createMany, NEW_COLUMNS } from './keys-many.ts';

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

export function addKeys(program: Command): void {
  addDerived(program, {
    name: 'keys',
    says: 'Create, list, show, change, rename, rotate, suspend, resume and revoke API keys',
    one: 'key',
    operations: [...keyOperations(pathNames), ...changeOperations(pathNames)],
    open: (store) => ({ services: administrationOf(store) }),
    called: 'KEY is its identifier, its name, or the last four characters of its secret',
    identify: async (called, { store }) =>
      keyCalled(await store.keys.list(), called, store).unique_identifier,
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
        instead: createMany,
        members: (options, { members }) => withAuthoritative(members, options),
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
        prints: (_, id) => `Suspended ${id}: it is refused everywhere within a second.`,
      },
      'resume <key>': {
        says: 'Make a suspended key work again, with the same secret',
        examples: { 'key_…': 'Make a suspended key work again' },
        prints: (_, id) => `Resumed ${id}: it works again.`,
      },
      'revoke <key>': {
        says: 'Revoke a key for good; it is refused everywhere within a second',
        examples: { 'key_…': 'Revoke a key' },
        prints: (_, id) => `Revoked ${id}: it is refused everywhere within a second.`,
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

/** Seconds. */
function readOverlap(given: string, option: string): number {
  const overlap = readDuration(given, option);
  if (overlap <= MAX_OVERLAP_MS) return overlap / 1000;
  throw new Mistake(`${option} must be at most 90d.`);
}

/** The rights of a key, with those of a source that pins do not hold back. */
function withAuthoritative(
  { allow = [] }: { readonly allow?: readonly string[] },
  { authoritative }: Options,
): object {
  const named = resourcesNamed('--authoritative', authoritative as readonly string[] | undefined);
  return { allow: [...allow, ...named.map(authoritativeFor)] };
}
