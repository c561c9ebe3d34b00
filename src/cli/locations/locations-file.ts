/** `ledgerstone locations change --file`: sets the locations of a table, all or none. */
import type { Command } from '../help.ts';
import { readEach, readTable } from '../import/table-file.ts';
import { accountsOrOpen, locationCalled } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { count, printJson, printLines } from '../output.ts';
import { withStore } from '../store.ts';
import { readSettings, type SetOptions, settingsIn } from './settings-options.ts';

const COLUMNS = ['location', 'account', 'time_zone', 'region', 'state'] as const;

export async function setFromFile(command: Command, options: SetOptions): Promise<void> {
  const { file = '', account, dryRun = false, json } = options;
  const { rows } = readTable(file, COLUMNS);
  const given = settingsIn(options);
  const changed = await withStore(command, { acts: true }, async (store) => {
    const accounts = await accountsOrOpen(store, account);
    const lines = new Map<string, number>();
    const changes = await readEach(rows, async (row, faults) => {
      const set = readSettings(
        {
          time_zone: row.says('time_zone') ?? given.time_zone,
          region: row.says('region') ?? given.region,
          state: row.says('state') ?? given.state,
        },
        faults,
      );
      const name = row.says('location');
      if (name === undefined)
        throw new Mistake('location is empty: put in its identifier or external identifier.');
      const said = row.says('account');
      const within = said === undefined ? accounts : await accountsOrOpen(store, said);
      const found = await locationCalled(store, name, within);
      if (found === undefined) throw new Mistake(`There is no location ${JSON.stringify(name)}.`);
      const { unique_identifier } = found;
      const line = lines.get(unique_identifier);
      if (line !== undefined)
        throw new Mistake(`location ${JSON.stringify(name)} is that of line ${line}, too.`);
      lines.set(unique_identifier, row.line);
      return { unique_identifier, account: found.account, ...set };
    });
    if (!dryRun) await store.locationSettings.change(changes);
    return changes.length;
  });
  if (json) printJson({ locations: changed, dry_run: dryRun });
  else if (dryRun)
    printLines(`Dry run: ${count(changed, 'location')} would be set. Nothing was changed.`);
  else printLines(`Set ${count(changed, 'location')}.`);
}
