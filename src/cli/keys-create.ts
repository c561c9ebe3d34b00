/** `ledgerstone keys create`: makes an API key and shows its secret, once. */
import { type Command, Option } from 'commander';
import { issueKey } from '../auth/issue-key.ts';
import { rights } from '../auth/rights.ts';
import { examples } from './help.ts';
import {
  readConcurrent,
  readFrom,
  readKeyRate,
  readPermissions,
  readRights,
} from './key-limits.ts';
import { readAccounts, readLocations, readResources, words } from './key-scope.ts';
import { newKeyJson, printNewKey } from './key-view.ts';
import { Mistake } from './mistake.ts';
import { checkName } from './name.ts';
import { printJson } from './output.ts';
import { withStore } from './store.ts';
import { readMoment } from './time.ts';

interface Options {
  readonly account: readonly string[];
  readonly location?: readonly string[];
  readonly permission?: readonly string[];
  readonly resource?: readonly string[];
  readonly allow?: readonly string[];
  readonly from?: readonly string[];
  readonly rate?: string;
  readonly concurrent?: string;
  readonly expires?: string;
  readonly name?: string;
  readonly json?: true;
}

const RIGHTS_HELP = [
  'Rights beyond records, none where not said:',
  ...Object.entries(rights).map(([name, says]) => `${name} (${says})`),
].join(' ');

export function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('Make an API key; its secret is shown only now, and cannot be shown again')
    .requiredOption('--account <id...>', 'The accounts that the key is for, all live or all test')
    .option('--location <id...>', 'Limit the key to these locations and what is below them')
    .option(
      '--permission <names...>',
      'What the key may do: read, write, delete, or read-write for the first two; all three where not said. One that may only write still gets each record back from its upserts, merged',
    )
    .option(
      '--resource <name...>',
      'Limit the key to these resources, by their names in paths, such as events',
    )
    .option(
      '--from <addresses...>',
      'Let the key work from these addresses and networks alone, such as 203.0.113.0/24; behind a proxy, set TRUST_PROXY',
    )
    .option(
      '--rate <rate>',
      'Most requests a second or a minute, such as 100/s or 6000/m, in each process',
    )
    .option('--concurrent <number>', 'Most requests under way at once, in each process')
    .addOption(
      new Option('--allow <names...>', RIGHTS_HELP).hideHelp(Object.keys(rights).length === 0),
    )
    .option(
      '--expires <when>',
      'When the key ends: a time, a date (its start in UTC) or a duration such as 90d',
    )
    .option('--name <text>', 'What the key is for, to tell it from others')
    .option('--json', 'Print the key as one JSON document')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone keys create --account acct_…', 'A key that may do everything in an account'],
        [
          'ledgerstone keys create --account acct_… --location loc_… --permission write --resource event_check_in_records --name "Lobby tablet"',
          'A key for one purpose at one location',
        ],
        [
          'ledgerstone keys create --account acct_… --from 203.0.113.0/24 --rate 100/s',
          'A key for one office, which may not send more than that',
        ],
        [
          'ledgerstone keys create --account acct_… --expires 90d --json',
          'A key that ends, for a program',
        ],
      ),
    )
    .action(async (options: Options, command: Command) => {
      const { name = null, expires, json } = options;
      if (name !== null) checkName(name);
      const grant = {
        name,
        permissions: readPermissions(options.permission),
        resources: readResources(words(options.resource)),
        allow: readRights(options.allow),
        from: readFrom(options.from),
        rate: readKeyRate(options.rate),
        concurrent: readConcurrent(options.concurrent),
      };
      const expires_at =
        expires === undefined ? null : readMoment(expires, '--expires', Date.now());
      const { key, secret } = await withStore(command, {}, async (store) => {
        const accounts = await readAccounts(store, words(options.account));
        const [account] = accounts;
        if (account === undefined) throw new Mistake('--account must name an account.');
        return issueKey(store.keys, account.livemode, {
          ...grant,
          accounts: accounts.map(({ unique_identifier }) => unique_identifier),
          anchors: await readLocations(store, words(options.location), accounts),
          expires_at,
        });
      });
      if (json) printJson(newKeyJson(key, secret));
      else printNewKey(key, secret);
    });
}
