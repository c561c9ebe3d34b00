/** `ledgerstone locations`: lists locations with their time zones, regions and states, and sets them. */

import {
  effectiveSettings,
  type LocationSettings,
  locationSettings,
} from '../../core/objects/location-settings.ts';
import { present } from '../../core/objects/own-object.ts';
import { anchorShape, resources } from '../../core/registry.ts';
import { presentEntry } from '../../core/schema/present/present.ts';
import type { Store, StoredRecord } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { accountsOrOpen, locationCalled } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { printJson, printLines, table } from '../output.ts';
import { withStore } from '../store.ts';
import { setFromFile } from './locations-file.ts';
import {
  addSettingsOptions,
  printSettings,
  readSettings,
  type SetOptions,
  settingsIn,
  settingsOf,
} from './settings-options.ts';

/** Locations that are read at a time. */
const PAGE = 1000;

interface ListOptions {
  readonly account?: readonly string[];
  readonly region?: string;
  readonly json?: true;
}

export function addLocations(program: Command): void {
  const locations = program
    .command('locations')
    .description('List and show locations, and change their time zones, regions and states');
  addList(locations);
  addShow(locations);
  addChange(locations);
}

function addList(locations: Command): void {
  locations
    .command('list')
    .description('List the locations of all open accounts with their settings')
    .option('--account <id...>', 'Only those of these accounts, by identifier or name')
    .option('--region <text>', 'Only those of this region')
    .option('--json', 'Print a JSON array')
    .examples(['ledgerstone locations list --region Northeast', 'See the locations of a region'])
    .action(async ({ account, region, json }: ListOptions, command: Command) => {
      const found = await withStore(command, { records: true }, (store) => listed(store, account));
      const wanted = found.filter(
        ({ settings }) => region === undefined || settings.region === region,
      );
      if (json) {
        printJson(
          wanted.map(({ record, name, settings }) => ({
            ...present(locationSettings, settings, 'cli', 0),
            external_identifier: record.external_identifier,
            name,
          })),
        );
      } else if (wanted.length === 0) printLines('There are no such locations.');
      else printLines(...table(HEADINGS, wanted.map(rowOf)));
    });
}

function addShow(locations: Command): void {
  locations
    .command('show <location>')
    .description(
      'Show the settings of a location, by its identifier or external identifier: its own, and those of its account',
    )
    .option('--account <id...>', 'The accounts in which it is, by identifier or name')
    .option('--json', 'Print JSON')
    .examples(['ledgerstone locations show oak-street', 'See the settings of one location'])
    .action(async (location: string, { account, json }: ListOptions, command: Command) => {
      const settings = await withStore(command, { records: true }, async (store) =>
        settingsOf(store, await foundLocation(store, location, account)),
      );
      printSettings(settings, json);
    });
}

function addChange(locations: Command): void {
  addSettingsOptions(
    locations
      .command('change [location]')
      .description(
        'Change the time zone, region and state of a location, by its identifier or external identifier; or of all those in a file',
      )
      .option('--account <id...>', 'The accounts in which it is, by identifier or name'),
  )
    .option(
      '--file <file>',
      'A table of locations: the columns location, account, time_zone, region and state; "-" is standard input',
    )
    .option('--dry-run', 'Check everything, and change nothing')
    .option('--json', 'Print the settings as one JSON document')
    .examples(
      ['ledgerstone locations change oak-street --state NY --region Northeast', 'One location'],
      ['ledgerstone locations change --file homes.csv --dry-run', 'Check a table of locations'],
    )
    .addHelpText(
      'after',
      '\nA cell or option that is left out leaves what is set. What a location lacks comes from its account: see "ledgerstone accounts change".',
    )
    .action(async (location: string | undefined, options: SetOptions, command: Command) => {
      if ((location === undefined) === (options.file === undefined))
        throw new Mistake('Name one location, or a table of them with --file.');
      if (location === undefined) await setFromFile(command, options);
      else await setOne(command, location, options);
    });
}

async function setOne(command: Command, location: string, options: SetOptions): Promise<void> {
  const faults: string[] = [];
  const set = readSettings(settingsIn(options), faults);
  if (faults.length > 0) throw new Mistake(faults.join('\n'));
  if (Object.keys(set).length === 0)
    throw new Mistake('Say what to set: --time-zone, --region or --state.');
  const settings = await withStore(command, { acts: true }, async (store) => {
    const { unique_identifier, account } = await foundLocation(store, location, options.account);
    if (options.dryRun !== true)
      await store.locationSettings.change([{ unique_identifier, account, ...set }]);
    return settingsOf(store, { unique_identifier, account });
  });
  if (options.dryRun) printLines('Dry run: nothing is wrong. Nothing was changed.');
  else printSettings(settings, options.json);
}

async function foundLocation(
  store: Store,
  location: string,
  account: readonly string[] | undefined,
): Promise<StoredRecord> {
  const found = await locationCalled(store, location, await accountsOrOpen(store, account));
  if (found !== undefined) return found;
  throw new Mistake(
    `There is no location ${JSON.stringify(location)} in ${store.place}: "ledgerstone locations list" shows those that exist.`,
  );
}

interface Listed {
  readonly record: StoredRecord;
  readonly name: string;
  readonly settings: LocationSettings;
}

async function listed(
  store: Store,
  given: readonly string[] | undefined,
): Promise<readonly Listed[]> {
  const accounts = (await accountsOrOpen(store, given)).map((one) => one.unique_identifier);
  const anchor = resources.find((resource) => resource.anchor);
  if (anchor === undefined) return [];
  const scope = { accounts: new Set(accounts), anchors: undefined };
  const found: Listed[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.list({
      ...{ shape: anchorShape, scope, order: anchor.list.order, limit: PAGE },
      ...(after === undefined ? {} : { cursor: { side: 'after', unique_identifier: after } }),
    });
    const records = page?.records ?? [];
    const ids = records.map(({ unique_identifier }) => unique_identifier);
    const rows = await store.locationSettings.of([...ids, ...accounts]);
    const byId = new Map(rows.map((row) => [row.unique_identifier, row]));
    for (const record of records) {
      const { name } = JSON.parse(presentEntry(anchor, record)) as { readonly name: string };
      found.push({ record, name, settings: effectiveSettings(record, (id) => byId.get(id)) });
    }
    after = ids.at(-1);
    if (page?.more !== true) return found;
  }
}

const HEADINGS = ['LOCATION', 'NAME', 'TIME ZONE', 'REGION', 'STATE', 'EXTERNAL IDENTIFIER'];

function rowOf({ record, name, settings }: Listed): string[] {
  const { unique_identifier, time_zone, region, state } = settings;
  return [
    ...[unique_identifier, name, time_zone, region ?? '', state ?? ''],
    record.external_identifier ?? '',
  ];
}
