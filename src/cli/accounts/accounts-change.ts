/** `ledgerstone accounts show` and `change`: the name of an account, and what it gives its locations. */
import type { Account, Store } from '../../store/promises/store.ts';
import { accountWith, foundAccount } from '../found.ts';
import type { Command } from '../help.ts';
import {
  addSettingsOptions,
  readSettings,
  type SettingsOptions,
  settingsIn,
  settingsOf,
} from '../locations/settings-options.ts';
import { Mistake } from '../mistake.ts';
import { checkName } from '../name.ts';
import { print } from '../output.ts';
import { rowsOf } from '../own-view.ts';
import { withStore } from '../store.ts';
import { accountJson } from './account-view.ts';

interface Options extends SettingsOptions {
  readonly name?: string;
  readonly pins?: string;
  readonly json?: true;
}

export function addShowAndChange(accounts: Command): void {
  accounts
    .command('show <id>')
    .description('Show an account, and the time zone, region and state that it gives its locations')
    .option('--json', 'Print JSON')
    .examples(['ledgerstone accounts show acct_…', 'See all about one account'])
    .action(async (id: string, { json }: Options, command: Command) => {
      const shown = await withStore(command, { records: true }, async (store) =>
        shownOf(store, await accountWith(store, id)),
      );
      print(json, shown, ...rowsOf(shown));
    });
  addSettingsOptions(
    accounts
      .command('change <id>')
      .description(
        'Change the name of an account, the time zone, region and state of all its locations that have none of their own, and whether corrections stay. What you leave out stays',
      )
      .option('--name <name>', 'The new name'),
  )
    .option('--pins <on|off>', 'Whether what staff change stays when systems send it again; on')
    .option('--json', 'Print JSON')
    .examples(
      ['ledgerstone accounts change acct_… --name "Example Group"', 'Rename an account'],
      ['ledgerstone accounts change acct_… --time-zone America/Chicago', 'Set the time zone'],
      ['ledgerstone accounts change acct_… --pins off', 'Let systems overwrite what staff change'],
    )
    .action(async (id: string, options: Options, command: Command) => {
      const { name, pins } = options;
      const faults: string[] = [];
      if (pins !== undefined && pins !== 'on' && pins !== 'off')
        faults.push(`--pins must be on or off, not ${JSON.stringify(pins)}.`);
      const set = readSettings(settingsIn(options), faults);
      if (faults.length > 0) throw new Mistake(faults.join('\n'));
      if (name !== undefined) checkName(name);
      else if (pins === undefined && Object.keys(set).length === 0)
        throw new Mistake('Say what to change: --name, --time-zone, --region, --state or --pins.');
      const shown = await withStore(command, { acts: true }, async (store) => {
        let account: Account | undefined = await accountWith(store, id);
        if (name !== undefined) account = await store.accounts.rename(id, name);
        if (pins !== undefined) account = await store.accounts.pins(id, pins === 'on');
        const of = { unique_identifier: id, account: id };
        if (Object.keys(set).length > 0) await store.locationSettings.change([{ ...of, ...set }]);
        return shownOf(store, foundAccount(account, id, store));
      });
      print(options.json, shown, ...rowsOf(shown));
    });
}

async function shownOf(store: Store, account: Account) {
  const { unique_identifier } = account;
  const settings = await settingsOf(store, { unique_identifier, account: unique_identifier });
  const { time_zone, region, state } = settings;
  return { ...accountJson(account), pins: account.pins ?? 'on', time_zone, region, state };
}
