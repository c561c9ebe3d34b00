/** `ledgerstone keys rotate`: replaces keys with new ones, and ends the old ones. */

import type { StoredKey } from '../../core/objects/api-key.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { MAX_OVERLAP_MS, type Rotation, rotationOf } from '../../records/auth/rotate-key.ts';
import type { Command } from '../help.ts';
import { readEach } from '../import/table-file.ts';
import { Mistake } from '../mistake.ts';
import { count, print } from '../output.ts';
import { withStore } from '../store.ts';
import { readDuration, readMoment } from '../time.ts';
import { keyJson, newKeyLines } from './key-view.ts';
import { checkWhich, DRY_RUN, keyOf, MANY, type ManyOptions, printDryRun } from './keys-change.ts';
import { keyFinder, makeWithFile, readKeyTable, withSecretFile } from './keys-file.ts';

interface Options extends ManyOptions {
  readonly overlap: string;
  readonly expires?: string;
  readonly out?: string;
}

export function addRotate(keys: Command): void {
  keys
    .command('rotate [id]')
    .description('Create a key like this one, and let the old one expire after the overlap')
    .option(
      '--overlap <duration>',
      'How long the old key keeps working: 24h, 30m, at most 90d, or 0 to stop it at once',
      '24h',
    )
    .option('--expires <when>', 'When the new key expires; by default, when the old one would have')
    .option(...MANY)
    .option(
      '--out <file>',
      'Where --many writes the rows with the new keys and secrets: a new file, readable only by its owner; FILE.rotated.keys.csv by default',
    )
    .option(...DRY_RUN)
    .option('--json', 'Print the new key as one JSON document')
    .examples(
      ['ledgerstone keys rotate key_…', 'Change to a new key within a day'],
      ['ledgerstone keys rotate key_… --overlap 0', 'Replace a leaked key at once'],
      [
        'ledgerstone keys rotate --many homes.keys.csv --overlap 14d',
        'Replace the keys of a file, and write those of the new ones to homes.rotated.keys.csv',
      ],
    )
    .action(async (id: string | undefined, options: Options, command: Command) => {
      checkWhich(id, options);
      if (options.many !== undefined) return rotateMany(command, options.many, options);
      if (options.out !== undefined) throw new Mistake('--out works only with --many.');
      const rotated = await withStore(command, {}, async (store) => {
        const one = rotation(options, Date.now())(await keyOf(store, id ?? ''));
        if (options.dryRun) return undefined;
        const [key] = await store.keys.createAll([one.newKey], [one.change]);
        return key && { ...one, key };
      });
      if (rotated === undefined) return printDryRun('rotate', 1);
      const { key, secret, replaces } = rotated;
      const ends = presentTime(replaces.expires_at);
      print(
        options.json,
        { ...keyJson({ ...key, secret }), replaces: { ...replaces, expires_at: ends } },
        ...newKeyLines(key, secret),
        '',
        `The old key, ${replaces.unique_identifier}, expires at ${ends}.`,
      );
    });
}

async function rotateMany(command: Command, input: string, options: Options): Promise<void> {
  const table = readKeyTable(input);
  const path =
    options.out ?? `${input.replace(/(\.rotated)?(\.keys)?\.csv$/i, '')}.rotated.keys.csv`;
  const rotated = await withStore(command, {}, async (store) => {
    const find = await keyFinder(store);
    const rotate = rotation(options, Date.now());
    const made = await readEach(table.rows, async (row) => ({ row, ...rotate(find(row)) }));
    if (!options.dryRun) {
      const changes = made.map(({ change }) => change);
      await withSecretFile(path, (file) =>
        makeWithFile(file, table, made, (keys) => store.keys.createAll(keys, changes)),
      );
    }
    return made;
  });
  if (options.dryRun) return printDryRun('rotate', rotated.length);
  const last = Math.max(...rotated.map(({ replaces }) => replaces.expires_at));
  print(
    options.json,
    { rotated: rotated.length, file: path },
    `Rotated ${count(rotated.length, 'key')}. The new secrets are in ${path} and nowhere else. The old keys expire by ${presentTime(last)}.`,
  );
}

/** Prepares the successor of a key. */
function rotation({ overlap: given, expires }: Options, now: number) {
  const overlap = readDuration(given, '--overlap');
  if (overlap > MAX_OVERLAP_MS) throw new Mistake('--overlap must be at most 90d.');
  const expires_at = expires === undefined ? undefined : readMoment(expires, '--expires', now);
  return (old: StoredKey): Rotation => rotationOf(old, { now, overlap, expires_at });
}
