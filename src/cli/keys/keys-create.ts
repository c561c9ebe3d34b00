/** `ledgerstone keys create`: makes an API key and shows its secret, once. */
import { Option } from 'commander';
import { issueKey } from '../../records/auth/issue-key.ts';
import { rights } from '../../records/auth/rights.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { count, print } from '../output.ts';
import { withStore } from '../store.ts';
import { grantIn, type KeyOptions, readScope } from './key-grant.ts';
import { emptyRegion, regionsOf } from './key-scope.ts';
import { keyJson, newKeyLines } from './key-view.ts';
import { NEW_COLUMNS } from './keys-file.ts';
import { createMany, type MadeKeys } from './keys-many.ts';

interface Options extends KeyOptions {
  readonly many?: string;
  readonly out?: string;
  readonly test?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

const RIGHTS_HELP = [
  'Rights beyond records; none by default:',
  ...Object.entries(rights).map(([name, says]) => `${name} (${says})`),
].join(' ');

export function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('Create an API key; its secret is shown only once')
    .option(
      '--account <account...>',
      'The accounts that the key is for, by identifier or name, all live or all test',
    )
    .option(
      '--location <location...>',
      'Limit the key to these locations and the records below them, by unique or external identifier',
    )
    .option(
      '--region <name>',
      'Limit the key to the locations that have this region at the time of each request, and the records below them',
    )
    .option(
      '--permission <names...>',
      'What the key may do: read, write, delete, or read-write for the first two; all three by default. A key that may only write still gets the merged record back from its upserts',
    )
    .option(
      '--resource <name...>',
      'Limit the key to these resources, by their names in paths, such as events',
    )
    .option(
      '--from <addresses...>',
      'Accept the key only from these addresses and networks, such as 203.0.113.0/24; behind a proxy, set TRUST_PROXY',
    )
    .option(
      '--requests-a-second <number>',
      'Maximum requests a second, such as 100, or a minute, such as 30/m, in each process',
    )
    .option('--requests-at-once <number>', 'Maximum concurrent requests, in each process')
    .addOption(
      new Option('--allow <names...>', RIGHTS_HELP).hideHelp(Object.keys(rights).length === 0),
    )
    .option(
      '--authoritative <resource...>',
      'Let the key write what it sends for these resources also where staff corrected it, by their names in paths',
    )
    .option(
      '--expires <when>',
      'When the key expires: a time, a date (its start in UTC) or a duration such as 90d',
    )
    .option('--name <text>', 'A name that says what the key is for')
    .option(
      '--source <name>',
      'Who sends with the key, such as "Passare": what all keys of one system have in common, made where it is new; one of its own, named as the key, by default',
    )
    .option(
      '--many <file>',
      `Create a key for each row of a CSV file, or of standard input with -, all or none, with the columns ${NEW_COLUMNS.join(', ')}; account_name finds an account by its name, or creates it; an empty cell takes what the option says`,
    )
    .option(
      '--out <file>',
      'Where --many writes the rows with their accounts, keys and secrets: a new file, readable only by its owner; FILE.keys.csv by default, or keys.csv',
    )
    .option('--test', 'Create test accounts with --many')
    .option('--dry-run', 'With --many, check all rows and create nothing')
    .option('--json', 'Print the key as one JSON document')
    .examples(
      ['ledgerstone keys create --account acct_…', 'A key that may do everything in an account'],
      [
        'ledgerstone keys create --account acct_… --location loc_… --permission write --resource event_check_in_records --name "Lobby tablet"',
        'A key for one purpose at one location',
      ],
      [
        'ledgerstone keys create --account acct_… --region Northeast --permission read',
        'A key for the locations of a region, whichever these are',
      ],
      [
        'ledgerstone keys create --account acct_… --from 203.0.113.0/24 --requests-a-second 100',
        'A key for one office, limited to 100 requests a second',
      ],
      [
        'ledgerstone keys create --account acct_… --expires 90d --json',
        'A key that expires, printed for a program',
      ],
      [
        'ledgerstone keys create --many homes.csv --permission write',
        'A key for each row, such as "account_name,name" and "Riverside Chapel,Tablets"',
      ],
    )
    .action(async (options: Options, command: Command) => {
      const { many, json } = options;
      if (many !== undefined) {
        const made = await createMany(command, many, options);
        const { keys, accounts, file } = made;
        return print(
          json,
          { [file === null ? 'would_create' : 'created']: keys, accounts, file },
          file === null
            ? `Would create ${inWords(made)}. Nothing was created: this was a dry run.`
            : `Created ${inWords(made)}. Their secrets are in ${file} and nowhere else.`,
        );
      }
      if (options.out !== undefined || options.test || options.dryRun) {
        throw new Mistake('--out, --test and --dry-run work only with --many.');
      }
      const grant = grantIn(options, Date.now());
      const { key, secret } = await withStore(command, { acts: true }, async (store, audit) => {
        const scope = await readScope(store, await store.accounts.list(), options);
        const made = await issueKey(store.keys, scope.livemode, { ...grant, ...scope.grant });
        await audit.made(made.key.unique_identifier, made.key.accounts);
        return { ...made, key: await regionsOf(store).within(made.key) };
      });
      print(json, keyJson({ ...key, secret }), ...newKeyLines(key, secret), ...emptyRegion(key));
    });
}

function inWords({ keys, accounts }: MadeKeys): string {
  return [count(keys, 'key'), ...(accounts === 0 ? [] : [count(accounts, 'account')])].join(
    ' and ',
  );
}
