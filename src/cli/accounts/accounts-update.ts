/** `ledgerstone accounts update`: the time zone, region and state that an account gives its locations. */

import { accountWith } from '../found.ts';
import type { Command } from '../help.ts';
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
    .examples([
      'ledgerstone accounts update acct_… --time-zone America/Chicago',
      'Set the time zone',
    ])
    .action(async (id: string, options: SettingsOptions & { json?: true }, command: Command) => {
      const faults: string[] = [];
      const set = readSettings(settingsIn(options), faults);
      if (faults.length > 0) throw new Mistake(faults.join('\n'));
      const settings = await withStore(command, {}, async (store) => {
        await accountWith(store, id);
        const of = { unique_identifier: id, account: id };
        if (Object.keys(set).length > 0) await store.locationSettings.change([{ ...of, ...set }]);
        return settingsOf(store, of);
      });
      printSettings(settings, options.json);
    });
}
