/** `ledgerstone keys create`: makes an API key and shows its secret, once. */
import { type Command, Option } from 'commander';
import { issueKey } from '../app.ts';
import type { Permission } from '../store/store.ts';
import { examples } from './help.ts';
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
  readonly permission: Permission;
  readonly resource?: readonly string[];
  readonly expires?: string;
  readonly name?: string;
  readonly json?: true;
}

export function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('Make an API key; its secret is shown only now, and cannot be shown again')
    .requiredOption('--account <id...>', 'The accounts that the key is for, all live or all test')
    .option('--location <id...>', 'Limit the key to these locations and what is below them')
    .addOption(
      new Option(
        '--permission <permission>',
        'What the key may do; one that may only write still gets each record back from its upserts, merged',
      )
        .choices(['read', 'write', 'read-write'])
        .default('read-write'),
    )
    .option(
      '--resource <name...>',
      'Limit the key to these resources, by their names in paths, such as events',
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
          'ledgerstone keys create --account acct_… --expires 90d --json',
          'A key that ends, for a program',
        ],
      ),
    )
    .action(async (options: Options, command: Command) => {
      const { name = null, permission, expires, json } = options;
      if (name !== null) checkName(name);
      const resources = readResources(words(options.resource));
      const expires_at =
        expires === undefined ? null : readMoment(expires, '--expires', Date.now());
      const { key, secret } = await withStore(command, {}, async (store) => {
        const accounts = await readAccounts(store, words(options.account));
        const [account] = accounts;
        if (account === undefined) throw new Mistake('--account must name an account.');
        return issueKey(store.keys, account.livemode, {
          name,
          accounts: accounts.map(({ unique_identifier }) => unique_identifier),
          anchors: await readLocations(store, words(options.location), accounts),
          permission,
          resources,
          expires_at,
        });
      });
      if (json) printJson(newKeyJson(key, secret));
      else printNewKey(key, secret);
    });
}
