/** `ledgerstone restore`: makes a new store from a backup; with `--check`, only tests whether that works. */
import { join } from 'node:path';
import { resources } from '../../core/registry.ts';
import { temporaryFolder } from '../../core/temporary.ts';
import { createMarking } from '../../services/backup/folder/increment.ts';
import { readOverlay } from '../../services/backup/folder/overlay.ts';
import { BackupUnusable } from '../../services/backup/format.ts';
import { partsOf } from '../../services/backup/parts.ts';
import { type Restoring, restoreBackup } from '../../services/backup/restore.ts';
import { createErasureJournal } from '../../services/erasures/journal.ts';
import { stepAside } from '../../services/transfer/pace.ts';
import type { JournalLine } from '../../store/books/erasing/journal.ts';
import {
  isSqliteFile,
  openCopy,
  openLoading,
  pendingMigrations,
  type StoreSettings,
  whichStore,
} from '../../store/open.ts';
import { appliedWords } from '../erasures/erasures-files.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { countingProgress, print, secondsSince } from '../output.ts';
import { settingOption, settingsFor } from '../service/settings.ts';
import { sealerOf, storeSettings, withStore } from '../store.ts';
import { readPast } from '../time.ts';
import { isFile, isFolder, namedBackup, noteChecked, openBackup } from './backup-file.ts';
import { type JournalOptions, journalsFor, linesSince } from './restore-journal.ts';
import { readRestored, restoredJson, restoredWords } from './restored.ts';

interface Options extends JournalOptions {
  readonly at?: string;
  readonly check?: true;
  readonly suspendKeys?: true;
  readonly json?: true;
}

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description(
      'Create a store from a backup, or from a copy that migrate made, all of it or nothing. The store must be empty, and no service may use it',
    )
    .argument('<file>', 'The backup, a folder for the newest one in it, or - for standard input')
    .addOption(settingOption('database_partitions'))
    .addOption(settingOption('database_distribution'))
    .addOptions({
      '--at <time>':
        'From a folder of BACKUP_TO or backup --follow, restore the last moment recorded by this time, such as 2027-01-31T18:00:00Z; by default, the last one',
      '--check': 'Restore into a temporary store, check it and remove it',
      '--suspend-keys':
        'Restore all API keys as suspended, until "keys resume", and all people as disabled, until "staff invite"; open invitations end',
    })
    .addOption(settingOption('secret_key_file'))
    .addOptions({
      '--erasures <file>':
        'The journal of erasures, which says who was erased since the backup; by default each erasures.ndjson beside the backup, in ERASURES_TO and beside the new store',
      '--without-erasures':
        'Restore without the journal: who was erased since the backup is in the new store',
      '--json': 'Print one JSON document',
    })
    .examples({
      'ledgerstone restore /backups/ledgerstone-20260101T000000Z.ndjson.zst': 'Restore a backup',
      'ledgerstone restore --check /backups': 'Check that the newest backup can be restored',
      'ledgerstone restore store.backup --database-url postgres://…': 'Move a store to PostgreSQL',
    })
    .action(async (file: string, options: Options, command: Command) => {
      if (options.check) await check(file, options, command);
      else await restore(file, options, command);
    });
}

async function restore(file: string, options: Options, command: Command): Promise<void> {
  const { json, suspendKeys = false } = options;
  const settings = storeSettings(command);
  const paths = journalsFor(file, options, settingsFor(command, 'erasures_to', 'database_url'));
  const sealer = paths?.length ? sealerOf(command) : undefined;
  if (isFile(file) && isSqliteFile(file)) {
    const place = await openCopy(whichStore(settings), file);
    // It goes back to the version that made it: opened by this one, it would be brought to this one's schema.
    if ((await pendingMigrations(whichStore(settings))).length > 0) {
      print(json, { place, erased_again: 0 }, `Restored ${place} from the copy.`, OF_ANOTHER);
      return;
    }
    await withStore(command, {}, async (store) => {
      const journal = createErasureJournal(store, {
        resources,
        sealer,
        folders: [],
        now: Date.now,
      });
      for (const path of paths ?? []) await journal.take(path);
      const erased_again = await journal.apply();
      const isOpen = paths?.length === 0 && (await store.journal.last()) !== undefined;
      const lines = [...appliedWords(erased_again), ...(isOpen ? [OPEN] : [])];
      print(json, { place, erased_again }, `Restored ${place} from the copy.`, ...lines);
    });
    return;
  }
  const began = performance.now();
  const journal = (lines: readonly JournalLine[]) => linesSince(lines, paths, sealer);
  const backup = await bring(file, settings, { ...options, journal });
  await withStore(command, {}, async (store) => {
    const parts = { resources, sealer, folders: [], now: Date.now };
    const erased_again = await createErasureJournal(store, parts).apply();
    const restored = await readRestored(store, command);
    const done = [...words(backup, began, 'Restored'), ...appliedWords(erased_again)];
    const answer = { ...backupJson(backup, began), erased_again, ...restoredJson(restored) };
    print(json, answer, ...done, ...restoredWords(restored, suspendKeys));
  });
}

const OF_ANOTHER =
  'Its schema is that of an older version, and is left so. The journal of erasures is applied before the store is served.';
const OTHER =
  'It is a backup of another store than the one that the settings name: for that one it does not count as a checked backup.';
const OPEN =
  'There is no journal of erasures beside the copy or the store. If people were erased since, run "ledgerstone erasures apply FILE" before the store is served.';

async function check(file: string, options: Options, command: Command): Promise<void> {
  const began = performance.now();
  using folder = temporaryFolder('check');
  stepAside();
  const database_url = `sqlite:${join(folder.path, 'store')}`;
  const settings = { ...storeSettings(command), database_url, database_distribution: undefined };
  const { at } = options;
  const backup = await bring(file, settings, at === undefined ? {} : { at });
  const noted = await noteChecked(command, backup, backup.marks);
  print(
    options.json,
    { ok: true, ...backupJson(backup, began), noted: noted === 'noted' },
    ...words(backup, began, 'The backup is whole. Restored and removed again'),
    ...(noted === 'other' ? [OTHER] : []),
  );
}

type Brought = Awaited<ReturnType<typeof bring>>;

/** `last`: the name of the last file that was read of a folder; `marks`: those of the last change of each account. */
async function bring(
  file: string,
  settings: StoreSettings,
  { at, suspendKeys, journal }: Pick<Options, 'at' | 'suspendKeys'> & Pick<Restoring, 'journal'>,
) {
  if (at !== undefined && !isFolder(file))
    throw new Mistake(
      '--at works only with a folder that BACKUP_TO or "backup --follow" writes to. Name that folder.',
    );
  using progress = countingProgress(process.stderr);
  const marking = createMarking();
  const parts = partsOf(resources).map((part) => marking.watched(part));
  // Without `--at` there is no limit: the files may be from a clock that is ahead of this one.
  const until = at === undefined ? undefined : readPast(at, '--at', Date.now());
  const { file: whole, chain } = namedBackup(file, until);
  const overlay =
    chain === undefined || chain.increments.length === 0
      ? undefined
      : await readOverlay(file, chain, parts);
  try {
    const backup = await restoreBackup({
      bytes: openBackup(whole),
      parts,
      overlay,
      begin: () => openLoading(whichStore(settings)),
      onRows: (rows) => progress.show('Restoring', rows),
      now: Date.now,
      suspendKeys: suspendKeys ?? false,
      ...(journal === undefined ? {} : { journal }),
    });
    const last = (chain?.increments.at(-1) ?? chain?.base)?.name;
    return { ...backup, last, marks: marking.marks.changes };
  } catch (error) {
    // For a folder the options do not say which file it is.
    if (!(error instanceof BackupUnusable) || whole === file) throw error;
    throw new BackupUnusable(`${whole}: ${error.message}`);
  } finally {
    overlay?.close();
  }
}

function backupJson({ header, trailer, last }: Brought, began: number) {
  const { taken_at, version } = header;
  const { rows, digests } = trailer;
  return { taken_at, file: last ?? null, version, seconds: secondsSince(began), rows, digests };
}

function words({ header, trailer, last }: Brought, began: number, done: string): readonly string[] {
  const rows = Object.values(trailer.rows).reduce((sum, count) => sum + count, 0);
  const by = last === undefined ? '' : `, by ${last}`;
  return [
    `${done} in ${secondsSince(began)} seconds: ${rows.toLocaleString('en-US')} rows, as they stood at ${header.taken_at}${by}.`,
  ];
}
