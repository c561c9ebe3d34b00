/** The options that set time zone, region and state, of a location or of an account. */

import { Faults } from '../../core/errors.ts';
import {
  effectiveSettings,
  type LocationSettings,
  locationSettings,
  SETTINGS,
  type SetMembers,
} from '../../core/objects/location-settings.ts';
import { present } from '../../core/objects/own-object.ts';
import { readMembers } from '../../core/schema/fields/members.ts';
import { checkText } from '../../core/schema/text.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { settingsMembers } from '../../edge/operations/location-settings.ts';
import { asStored } from '../../services/locations/settings.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { print } from '../output.ts';
import { rowsOf } from '../own-view.ts';

export interface SettingsOptions {
  readonly timeZone?: string;
  readonly region?: string;
  readonly state?: string;
}

export interface SetOptions extends SettingsOptions {
  readonly account?: readonly string[];
  readonly file?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

export function addSettingsOptions(command: Command): Command {
  return command
    .option('--time-zone <name>', 'Its time zone, such as America/New_York; "" takes it away')
    .option('--region <text>', 'The region that it belongs to; "" takes it away')
    .option('--state <text>', 'Its state or province; "" removes it');
}

export function settingsIn({ timeZone, region, state }: SettingsOptions) {
  return { time_zone: timeZone, region, state };
}

/** The settings as they are stored. Adds faults, each under its option. */
export function readSettings(
  sent: { readonly [name in keyof SetMembers]?: string | undefined },
  faults: string[],
): Partial<SetMembers> {
  const found = new Faults();
  const given: JsonObject = {};
  for (const name of SETTINGS) if (sent[name] !== undefined) given[name] = sent[name];
  checkText(given, found);
  const reading = { encoding: 'json', faults: found, unknown: 'refuse' } as const;
  const patch = readMembers(settingsMembers, given, '', reading);
  faults.push(
    ...found.named.map(({ message }) =>
      message.replace(/^\w+/, (name) => `--${name.replaceAll('_', '-')}`),
    ),
  );
  return asStored(patch as Partial<SetMembers>);
}

export function printSettings(settings: LocationSettings, json: true | undefined): void {
  const shown = present(locationSettings, settings, 'cli', 0);
  print(json, shown, ...rowsOf(shown));
}

export async function settingsOf(
  store: Store,
  of: { readonly unique_identifier: string; readonly account: string },
): Promise<LocationSettings> {
  const rows = await store.locationSettings.of([of.unique_identifier, of.account]);
  return effectiveSettings(of, (id) => rows.find((row) => row.unique_identifier === id));
}
