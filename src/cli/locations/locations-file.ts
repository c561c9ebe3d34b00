/** `ledgerstone locations change --file`: sets the locations of a table, all or none. */
import { Faults } from '../../core/errors.ts';
import { SETTINGS, type SetMembers } from '../../core/objects/location-settings.ts';
import { readMembers } from '../../core/schema/fields/members.ts';
import { checkText } from '../../core/schema/text.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { settingsMembers } from '../../edge/operations/location-settings.ts';
import { asStored } from '../../services/locations/settings.ts';
import type { At, Shown } from '../derived.ts';
import { optionsOf, readEach, readTable } from '../import/table-file.ts';
import { accountsOrOpen, locationCalled } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { count } from '../output.ts';

const COLUMNS = ['location', 'account', 'time_zone', 'region', 'state'] as const;

/** Sets the locations of the file that `--file` names. */
export function setFromFile(at: At): Promise<Shown> | undefined {
  const { file } = at.options;
  if ((at.id === '') === (file === undefined))
    throw new Mistake('Name one location, or a table of them with --file.');
  return file === undefined
    ? undefined
    : at.audit.command(true, () => setLocations(at, String(file)));
}

async function setLocations(at: At, file: string): Promise<Shown> {
  const { store, options } = at;
  const { rows } = readTable(file, COLUMNS);
  const lines = new Map<string, number>();
  const changes = await readEach(rows, async (row, faults) => {
    const { account, timeZone: time_zone, region, state } = optionsOf(at, row, COLUMNS);
    const set = readSettings({ time_zone, region, state }, faults);
    const name = row.says('location');
    if (name === undefined)
      throw new Mistake('location is empty: put in its identifier or external identifier.');
    const within = await accountsOrOpen(store, account as readonly string[] | undefined);
    const found = await locationCalled(store, name, within);
    if (found === undefined) throw new Mistake(`There is no location ${JSON.stringify(name)}.`);
    const { unique_identifier } = found;
    const line = lines.get(unique_identifier);
    if (line !== undefined)
      throw new Mistake(`location ${JSON.stringify(name)} is that of line ${line}, too.`);
    lines.set(unique_identifier, row.line);
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

/** The settings as they are stored. Adds faults, each under its option. */
export function readSettings(
  sent: { readonly [name in keyof SetMembers]?: unknown },
  faults: string[],
): Partial<SetMembers> {
  const found = new Faults();
  const given: JsonObject = {};
  for (const name of SETTINGS) if (sent[name] !== undefined) given[name] = String(sent[name]);
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
