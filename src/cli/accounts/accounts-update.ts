/** `ledgerstone accounts update`: the time zone, region and state that an account gives its locations. */
import type { Command } from 'commander';
import { foundAccount } from '../found.ts';
import { examples } from '../help.ts';
import {
  addSettingsOptions,
  printSettings,
  readSettings,
  type SettingsOptions,
  settingsIn,
  settingsOf,
} from '../locations/settings-options.ts';
import { Mistake } from '../mistake.ts';
import { withStore } from '../store.ts';

export function addUpdate(accounts: Command): void {
  addSettingsOptions(
    accounts
      .command('update <id>')
      .description(
        'Set the time zone, region and state of all locations of an account that have none of their own; show them where no option is given',
      ),
  )
    .option('--json', 'Print the settings as one JSON document')
    .addHelpText(
      'after',
      examples([
        'ledgerstone accounts update acct_… --time-zone America/Chicago',
        'Set the time zone',
      ]),
    )
    .action(async (id: string, options: SettingsOptions & { json?: true }, command: Command) => {
      const faults: string[] = [];
      const set = readSettings(settingsIn(options), faults);
      if (faults.length > 0) throw new Mistake(faults.join('\n'));
      const settings = await withStore(command, {}, async (store) => {
        const all = await store.accounts.list();
        foundAccount(
          all.find(({ unique_identifier }) => unique_identifier === id),
          id,
          store,
        );
        const of = { unique_identifier: id, account: id };
        if (Object.keys(set).length > 0) await store.locationSettings.change([{ ...of, ...set }]);
        return settingsOf(store, of);
      });
      printSettings(settings, options.json);
    });
}
