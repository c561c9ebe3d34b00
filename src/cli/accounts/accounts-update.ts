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

interface Options extends SettingsOptions {
  readonly pins?: string;
  readonly json?: true;
}

export function addUpdate(accounts: Command): void {
  addSettingsOptions(
    accounts
      .command('update <id>')
      .description(
        'Set the time zone, region and state of all locations of an account that have none of their own, and whether corrections stay; show them where no option is given',
      ),
  )
    .option('--pins <on|off>', 'Whether what staff change stays when systems send it again; on')
    .option('--json', 'Print the settings as one JSON document')
    .examples(
      ['ledgerstone accounts update acct_… --time-zone America/Chicago', 'Set the time zone'],
      ['ledgerstone accounts update acct_… --pins off', 'Let systems overwrite what staff change'],
    )
    .action(async (id: string, options: Options, command: Command) => {
      const { pins } = options;
      const faults: string[] = [];
      if (pins !== undefined && pins !== 'on' && pins !== 'off') {
        faults.push(`--pins must be on or off, not ${JSON.stringify(pins)}.`);
      }
      const set = readSettings(settingsIn(options), faults);
      if (faults.length > 0) throw new Mistake(faults.join('\n'));
      const { settings, account } = await withStore(command, { acts: true }, async (store) => {
        const found = await accountWith(store, id);
        const of = { unique_identifier: id, account: id };
        const account = pins === undefined ? found : await store.accounts.pins(id, pins === 'on');
        if (Object.keys(set).length > 0) await store.locationSettings.change([{ ...of, ...set }]);
        return { settings: await settingsOf(store, of), account };
      });
      printSettings(settings, options.json, { pins: account?.pins ?? 'on' });
    });
}
