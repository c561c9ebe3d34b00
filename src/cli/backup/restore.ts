/** `ledgerstone restore`: makes a new store from a backup; with `--check`, only tests whether that works. */

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Settings } from '../../core/config.ts';
import { present } from '../../core/objects/own-object.ts';
import { type StaffMember, staffMember, statusOfStaff } from '../../core/objects/staff-member.ts';
import { resources } from '../../core/registry.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import { temporaryFolder } from '../../core/temporary.ts';
import { featureRestored } from '../../features/command.ts';
import { createPositions } from '../../services/backup/folder/increment.ts';
import { readOverlay } from '../../services/backup/folder/overlay.ts';
import { BackupUnusable } from '../../services/backup/format.ts';
import { partsOf } from '../../services/backup/parts.ts';
import { type Restoring, restoreBackup } from '../../services/backup/restore.ts';
import { createErasureJournal } from '../../services/erasures/journal.ts';
import { compareJournal } from '../../services/erasures/journal-copy.ts';
import { JOURNAL_FILE, JournalUnusable } from '../../services/erasures/journal-lines.ts';
import { stepAside } from '../../services/transfer/pace.ts';
import type { JournalBook, JournalLine, NewLine } from '../../store/books/erasing/journal.ts';
import {
  fileOf,
  isSqliteFile,
  openCopy,
  openLoading,
  pendingMigrations,
  type StoreSettings,
  whichStore,
} from '../../store/open.ts';
import type { Store } from '../../store/promises/store.ts';
import { ACCEPT, appliedWords } from '../erasures/erasures-files.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { align, countingProgress, print, secondsSince, warn } from '../output.ts';
import { settingOption, settingsFor } from '../service/settings.ts';
import { sealerOf, storeSettings, withStore } from '../store.ts';
import { readEarlier } from '../time.ts';
import {
  aheadWords,
  brokenWords,
  isFile,
  isFolder,
  namedBackup,
  noteChecked,
  openBackup,
  ownStore,
  toldApart,
  type WhichBackup,
} from './backup-file.ts';

interface Options {
  readonly erasures?: string;
  readonly withoutErasures?: true;
  readonly acceptMissingLines?: true;
  readonly at?: string;
  readonly store?: string;
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
      '--store <identifier>':
        'From a folder with backups of several stores, those of this one: the messages of restore and doctor name them',
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
      '--accept-missing-lines': ACCEPT,
      '--json': 'Print one JSON document',
    })
    .examples({
      'ledgerstone restore /backups/ledgerstone-20260101T000000Z.ndjson.zst': 'Restore a backup',
      'ledgerstone restore --check /backups': 'Check that the newest backup can be restored',
      'ledgerstone restore store.backup --database-url postgres://…': 'Move a store to PostgreSQL',
    })
    .addHelpText(
      'after',
      '\nExit status: 0 all is restored, or the check found it whole; 1 nothing is restored; 2 what --check found whole is not the last backup of the folder: that one is damaged, or none.',
    )
    .action((file: string, options: Options, command: Command) =>
      (options.check ? check : restore)(file, options, command),
    );
}

async function restore(file: string, options: Options, command: Command): Promise<void> {
  const { json, suspendKeys = false, acceptMissingLines = false } = options;
  const settings = storeSettings(command);
  const paths = journalsFor(file, options, settingsFor(command, 'erasures_to', 'database_url'));
  const sealer = paths?.length ? sealerOf(command) : undefined;
  if (isFile(file) && (await isSqliteFile(file))) {
    const place = await openCopy(whichStore(settings), file);
    // It goes back to the version that made it: opened by this one, it would be brought to this one's schema.
    if ((await pendingMigrations(whichStore(settings))).steps.length > 0) {
      print(json, { place, erased_again: 0 }, `Restored ${place} from the copy.`, OF_ANOTHER);
      return;
    }
    await withStore(command, {}, async (store) => {
      const journal = journalOn(store, sealer);
      for (const path of paths ?? []) await journal.take(path, acceptMissingLines);
      const erased_again = await journal.apply();
      const isOpen = paths?.length === 0 && (await store.journal.last()) !== undefined;
      const lines = [...appliedWords(erased_again), ...(isOpen ? [OPEN] : [])];
      print(json, { place, erased_again }, `Restored ${place} from the copy.`, ...lines);
    });
    return;
  }
  const began = performance.now();
  const journal = (lines: readonly JournalLine[]) =>
    linesSince(lines, paths, sealer, acceptMissingLines);
  const backup = await bring(file, settings, { ...options, journal });
  await withStore(command, {}, async (store) => {
    const erased_again = await journalOn(store, sealer).apply();
    const { members, lines } = await readRestored(store, command, suspendKeys);
    const done = [
      words(backup, began, 'Restored'),
      ...alsoSaid(backup),
      ...appliedWords(erased_again),
    ];
    const answer = { ...backupJson(backup, began), erased_again, ...members };
    print(json, answer, ...done, ...lines);
  });
}

const journalOn = (store: Store, sealer: Sealer | undefined) =>
  createErasureJournal(store, { resources, sealer, folders: [], now: Date.now });

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
  const { at, store: of } = options;
  const own = isFolder(file) ? await ownStore(command) : undefined;
  const backup = await bring(file, settings, {
    ...(at === undefined ? {} : { at }),
    ...(of === undefined ? {} : { store: of }),
    own,
  });
  const noted = await noteChecked(command, backup, backup.marks);
  // A script that reads only the exit status must learn of it. A file dated in the future was never the last backup.
  if (backup.found.passedOver.some(({ moment }) => moment <= Date.now())) process.exitCode = 2;
  print(
    options.json,
    { ok: true, ...backupJson(backup, began), noted: noted === 'noted' },
    words(backup, began, 'The backup is whole. Restored and removed again'),
    ...alsoSaid(backup),
    noted === 'other' && OTHER,
  );
}

type Brought = Awaited<ReturnType<typeof bring>>;

/** `last`: the name of the last file that was read of a folder; `marks`: those of the last change of each account. */
async function bring(
  file: string,
  settings: StoreSettings,
  {
    at,
    store: of,
    own,
    suspendKeys = false,
    journal,
  }: Pick<Options, 'at' | 'store'> & Pick<WhichBackup, 'own'> & Partial<Restoring>,
) {
  if (at !== undefined && !isFolder(file))
    throw new Mistake(
      '--at works only with a folder that BACKUP_TO or "backup --follow" writes to. Name that folder.',
    );
  using progress = countingProgress();
  const marking = createPositions(partsOf(resources));
  const { parts } = marking;
  // Without `--at` there is no limit: the files may be from a clock that is ahead of this one.
  const until = at === undefined ? undefined : readEarlier(at, '--at', Date.now());
  const found = await namedBackup(file, { until, of, own });
  const { file: whole, chain, passedOver } = found;
  if (passedOver.length > 0)
    warn(`${brokenWords(file, passedOver)} They say that they are later, and are passed over.`);
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
      suspendKeys,
      ...(journal === undefined ? {} : { journal }),
    });
    const alone = whole === file ? undefined : basename(whole);
    const last = (chain?.increments.at(-1) ?? chain?.base)?.name ?? alone;
    return { ...backup, last, found, marks: marking.marks.changes };
  } catch (error) {
    // For a folder the options do not say which file it is.
    if (!(error instanceof BackupUnusable) || whole === file) throw error;
    throw new BackupUnusable(`${whole}: ${error.message}`);
  } finally {
    overlay?.close();
  }
}

function backupJson({ header, trailer, last }: Brought, began: number) {
  const { taken_at, version, of } = header;
  const { rows, digests } = trailer;
  return {
    taken_at,
    file: last ?? null,
    store: of?.store ?? null,
    version,
    seconds: secondsSince(began),
    rows,
    digests,
  };
}

function words({ header, trailer, last }: Brought, began: number, done: string): string {
  const rows = Object.values(trailer.rows).reduce((sum, count) => sum + count, 0);
  const by = last === undefined ? '' : `, by ${last}`;
  return `${done} in ${secondsSince(began)} seconds: ${rows.toLocaleString('en-US')} rows, as they stood at ${header.taken_at}${by}.`;
}

/** Says what else there is to know of a backup that was restored. */
function alsoSaid({ header, found: { others } }: Brought): readonly string[] {
  const ahead = aheadWords(header.taken_at);
  const more =
    others.length === 0
      ? []
      : [
          `This is the store ${header.of?.store ?? 'without a name'}. The folder has backups of other stores, too: if you want one of them, name it with --store. ${toldApart(others)}`,
        ];
  return [...(ahead === undefined ? [] : [ahead]), ...more];
}

/**
 * Who and what may do something in the new store, with what features say of it, as members and lines. `areSuspended`: no
 * person and no key may do anything until an operator allows it.
 */
async function readRestored(store: Store, command: Command, areSuspended: boolean) {
  const now = Date.now();
  const keys = (await store.keys.list()).filter(({ revoked_at }) => revoked_at === null);
  const people = await store.staff.list();
  const loaded = featureRestored.map(async (load) => (await load())(store, command));
  const more = await Promise.all(loaded);
  const isOpen = ({ invitation_expires_at: until }: StaffMember) => until !== null && until > now;
  const members = {
    keys: keys.map(({ unique_identifier, name, ending, suspended_at, expires_at }) => {
      return { unique_identifier, name, ending, suspended: suspended_at !== null, expires_at };
    }),
    people: people.map((one) => present(staffMember, one, 'cli', now)),
    ...Object.assign({}, ...more.map((one) => one.members)),
  };
  const lines = [
    ...section(
      areSuspended
        ? 'These API keys are suspended. Resume each one that should work again: ledgerstone keys resume KEY.'
        : 'These API keys work as they did at that time. Revoke any that you have revoked since: ledgerstone keys revoke KEY.',
      ['KEY', 'SECRET', 'NAME'],
      keys.map((key) => [key.unique_identifier, `…${key.ending}`, key.name ?? '']),
    ),
    ...section(
      areSuspended
        ? 'These people are disabled, and their invitations have ended. Let each one in again: ledgerstone staff invite --email EMAIL'
        : 'These people may sign in as they did at that time, with the passwords and invitations that they had. Disable any that you have disabled since: ledgerstone staff disable EMAIL.',
      ['EMAIL', 'ROLE', 'STATUS', 'INVITATION'],
      people.map((one) => [one.email, one.role, statusOfStaff(one), isOpen(one) ? 'open' : '']),
    ),
    ...more.flatMap((one) => one.lines),
  ];
  return { members, lines };
}

function section(
  says: string,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  return rows.length === 0 ? [] : ['', says, ...align([headings, ...rows])];
}

const WITHOUT =
  'Say --without-erasures to restore all the same: people who were erased since the backup are in the new store then.';

/**
 * The files to read: the one that is named, or those beside the backup, in ERASURES_TO and beside the new store.
 * `undefined`: none is to be read.
 */
function journalsFor(
  backup: string,
  { erasures, withoutErasures }: Options,
  { erasures_to, database_url }: Partial<Pick<Settings, 'erasures_to' | 'database_url'>>,
): readonly string[] | undefined {
  if (withoutErasures) {
    if (erasures !== undefined)
      throw new Mistake('Say --erasures or --without-erasures, not both.');
    return undefined;
  }
  if (erasures !== undefined) {
    const path = isFolder(erasures) ? join(erasures, JOURNAL_FILE) : erasures;
    if (existsSync(path)) return [path];
    throw new Mistake(`The file ${path} does not exist.`);
  }
  const beside = isFolder(backup) ? backup : dirname(backup);
  const file = fileOf(database_url ?? '');
  const folders = [backup === '-' ? undefined : beside, erasures_to, file && dirname(file)];
  const paths = folders.flatMap((one) => (one === undefined ? [] : resolve(one, JOURNAL_FILE)));
  return [...new Set(paths)].filter((path) => existsSync(path));
}

/** The lines of journals that a backup lacks. Throws a `Mistake`, or `JournalUnusable`. */
async function linesSince(
  known: readonly NewLine[],
  paths: readonly string[] | undefined,
  sealer: Sealer | undefined,
  acceptMissing: boolean,
): Promise<readonly NewLine[]> {
  if (paths === undefined) return [];
  if (paths.length === 0) {
    if (known.length === 0) return [];
    throw new Mistake(
      `The backup is of a store in which people were erased, and there is no ${JOURNAL_FILE} beside it, which says who was erased since. Name the journal with --erasures. ${WITHOUT} Nothing was restored.`,
    );
  }
  const compared = await Promise.all(
    paths.map((path) => compareJournal(path, inMemory([...known]))),
  );
  const least = Math.min(...compared.map(({ lacks }) => lacks.length));
  if (least > 0)
    throw new JournalUnusable(
      `${paths.join(', ')} lacks ${least} of the ${known.length} lines that the backup has: it was cut, or is an old copy. Name the newest copy with --erasures. ${WITHOUT}`,
    );
  const lines = [...known];
  const journal = journalOn({ journal: inMemory(lines) } as Store, sealer);
  // What one copy lacks, another one may have had.
  const wholeFirst = compared.toSorted((one, two) => one.missing.length - two.missing.length);
  for (const { path } of wholeFirst) await journal.take(path, acceptMissing);
  return lines.slice(known.length);
}

/** The lines of a store that is not there yet. */
function inMemory(lines: NewLine[]): Pick<JournalBook, keyof JournalBook> {
  return {
    last: async () => lines.at(-1),
    after: async (line, limit) => lines.filter((one) => one.line > line).slice(0, limit),
    unapplied: async () => [],
    unlisted: async () => [],
    listedUpTo: async () => 0,
    applied: async () => undefined,
    async append(added) {
      lines.push(...added);
      return true;
    },
  };
}
