/** `ledgerstone locations`: lists locations with their time zones, regions and states, and sets them. */
import { SETTINGS, type SetMembers } from '../../core/objects/location-settings.ts';
import { anchor, resources } from '../../core/registry.ts';
import { readerOf } from '../../core/schema/parse/parse.ts';
import {
  locationSettingsOperations,
  settingsMembers,
} from '../../edge/operations/location-settings.ts';
import { asStored } from '../../services/locations/settings.ts';
import { onStore } from '../derived/on-store.ts';
import { asMistake } from '../derived/operation.ts';
import { type At, addDerived, type Options, type Shown } from '../derived.ts';
import { locationCalled } from '../directory.ts';
import { type Command, optionsOf } from '../help.ts';
import { accountsOrOpen } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { count, rowsOf } from '../output.ts';
import { getOf, listOf } from '../records/operations.ts';
import { readRows } from '../table-file.ts';

export function addLocations(program: Command): void {
  addDerived(program, {
    name: 'locations',
    says: 'List and show locations, and change their time zones, regions and states',
    operations: locationSettingsOperations(resources),
    options: optionsOf({
      '--account <id...>': 'Only those of these accounts, by identifier or name',
    }),
    takes: ['locationSettings'],
    called: 'LOCATION is its identifier or external identifier',
    identify: async (called, { directory, options, missing }) => {
      const within = await accountsOrOpen(directory, accountsOf(options));
      const found = await locationCalled(directory, called, within);
      if (found === undefined) throw missing('location');
      return found.unique_identifier;
    },
    commands: {
      list: {
        says: 'List the locations of all open accounts with their settings',
        flags: { account: false },
        options: optionsOf({ '--region <text>': 'Only those of this region' }),
        examples: { '--region Northeast': 'See the locations of a region' },
        runs: listed,
        none: 'There are no such locations.',
        columns: [
          ['LOCATION', 'unique_identifier'],
          ...['name', 'time_zone', 'region', 'state', 'external_identifier'],
        ],
      },
      'show <location>': {
        of: 'retrieve_location_settings',
        says: 'Show the settings of a location: its own, and those of its account',
        examples: { 'oak-street': 'See the settings of one location' },
      },
      'change [location]': {
        of: 'patch_location_settings',
        says: 'Change the time zone, region and state of a location, or of all those in a file. A cell or option that is left out leaves what is set. What a location lacks comes from its account: see "ledgerstone accounts change"',
        options: optionsOf({
          '--file <file>':
            'A table of locations: the columns location, account, time_zone, region and state; "-" is standard input',
          '--dry-run': 'Check everything, and change nothing',
        }),
        instead: (at) => {
          const { file } = at.options;
          if ((at.id === '') === (file === undefined))
            throw new Mistake('Name one location, or a table of them with --file.');
          if (file === undefined) return undefined;
          return onStore(at).audit.command(true, () => setLocations(at, String(file)));
        },
        runs: changed,
        prints: (one) =>
          'dry_run' in one ? ['Dry run: nothing is wrong. Nothing was changed.'] : rowsOf(one),
        examples: {
          'oak-street --state NY --region Northeast': 'One location',
          '--file homes.csv --dry-run': 'Check a table of locations',
        },
      },
    },
  });
}

async function changed({ members, flags, options, call }: At): Promise<object> {
  if (Object.keys(members).length === 0)
    throw new Mistake('Say what to set: --time-zone, --region or --state.');
  if (!options.dryRun) return call('patch_location_settings');
  readSettings(members, flags);
  return { dry_run: true };
}

const accountsOf = ({ account }: Options) => account as readonly string[] | undefined;

/** The locations of some accounts, or of all open ones, with the settings that apply to them. */
async function listed(at: At): Promise<readonly object[]> {
  const { every, directory, here, options } = at;
  await here?.take(['query']);
  const named = accountsOf(options);
  const accounts = await accountsOrOpen(directory, named);
  const open = new Set(accounts.map(({ unique_identifier }) => unique_identifier));
  const found: object[] = [];
  // One walk over all, or one over each that is named.
  for (const account of named === undefined ? [undefined] : open) {
    const rows = await every<Settings>('list_location_settings', { members: { account } });
    const settingsOf = new Map(rows.map((row) => [row.unique_identifier, row]));
    for (const record of await recordsOf(at, account)) {
      const { unique_identifier, external_identifier, location_name: name } = record;
      const { account_unique_identifier: its } = record;
      // One that sets nothing has the settings of its account.
      const settings = settingsOf.get(unique_identifier) ?? {
        ...(settingsOf.get(its) as Settings),
        unique_identifier,
        inherited: SETTINGS,
      };
      if (open.has(its) && (options.region ?? settings.region) === settings.region)
        found.push({ ...settings, external_identifier, name });
    }
  }
  return found;
}

/** The locations themselves: their list has less of each. */
async function recordsOf(
  { call, every }: At,
  account: string | undefined,
): Promise<readonly LocationRecord[]> {
  const filter = account === undefined ? {} : { [anchor.parentParam ?? '']: account };
  const list = listOf(anchor, new URLSearchParams(filter));
  const entries = await every<{ unique_identifier: string }>(list, { members: {}, account });
  const all: LocationRecord[] = [];
  for (let from = 0; from < entries.length; from += READ_AT_ONCE) {
    const some = entries
      .slice(from, from + READ_AT_ONCE)
      .map(({ unique_identifier: id }) => call<LocationRecord>(one, { id, members: {} }));
    all.push(...(await Promise.all(some)));
  }
  return all;
}

const READ_AT_ONCE = 8;
const one = getOf(anchor);

interface LocationRecord
  extends Readonly<
    Record<'unique_identifier' | 'account_unique_identifier' | 'location_name', string>
  > {
  readonly external_identifier: string | null;
}

interface Settings {
  readonly unique_identifier: string;
  readonly region: string | null;
}

const COLUMNS = ['location', 'account', 'time_zone', 'region', 'state'] as const;

async function setLocations(at: At, file: string): Promise<Shown> {
  const { directory, options } = at;
  const { store } = onStore(at);
  const lines = new Map<string, number>();
  const { results: changes } = await readRows(at, file, COLUMNS, async (row) => {
    const { account, timeZone: time_zone, region, state } = row.options;
    const name = row.says('location');
    if (name === undefined)
      throw new Mistake('location is empty: put in its identifier or external identifier.');
    const within = await accountsOrOpen(directory, account as readonly string[] | undefined);
    const found = await locationCalled(directory, name, within);
    if (found === undefined) throw new Mistake(`There is no location ${JSON.stringify(name)}.`);
    const { unique_identifier } = found;
    const line = lines.get(unique_identifier);
    if (line !== undefined)
      throw new Mistake(`location ${JSON.stringify(name)} is that of line ${line}, too.`);
    lines.set(unique_identifier, row.line);
    const set = readSettings({ time_zone, region, state }, at.flags);
    return { unique_identifier, account: found.account, ...set };
  });
  const locations = changes.length;
  if (!options.dryRun) await store.locationSettings.change(changes);
  return {
    answer: { locations, dry_run: options.dryRun === true },
    lines: [
      options.dryRun
        ? `Dry run: ${count(locations, 'location')} would be set. Nothing was changed.`
        : `Set ${count(locations, 'location')}.`,
    ],
  };
}

/** The settings as they are stored. Throws a `Mistake` with all that is wrong with them. */
function readSettings(sent: object, flags: At['flags']): Partial<SetMembers> {
  const how = { encoding: 'json', unknown: 'refuse', query: '' } as const;
  const body = Buffer.from(JSON.stringify(sent));
  try {
    return asStored(readerOf({ body: settingsMembers }, { ...how, body })());
  } catch (error) {
    throw asMistake(error, flags);
  }
}
