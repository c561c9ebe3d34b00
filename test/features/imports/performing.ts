/** Performs the commands of imports. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PerformingGround } from '../../support/performing.ts';

/** On a store, they say where rejected rows lie. */
export const unlike = {
  'imports list': 'the folder of rejected rows is that of the machine',
  'imports show': 'the folder of rejected rows is that of the machine',
};

export async function performs({
  account,
  at,
  cwd,
  elsewhere,
  json,
}: PerformingGround): Promise<void> {
  const file = 'locations.csv';
  writeFileSync(join(cwd, file), 'external_identifier,location_name\nhill,Hill\nvale,Vale\n');
  const { import: run } = await json('import', file, '--account', account);
  for (const words of [['list'], ['show', String(run)]])
    await at.json('imports', ...words, ...elsewhere);
  await json('imports', 'undo', String(run), '--yes');
}
