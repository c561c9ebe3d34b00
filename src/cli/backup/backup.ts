/** `ledgerstone backup`: everything in the store, as one file. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { FOLLOWED_EVERY, FOLLOWED_KEEP } from '../../core/config/readers.ts';
import { makeFolder } from '../../core/owners.ts';
import { resources } from '../../core/registry.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import {
  FolderLocked,
  holdPartial,
  placeOf,
  removeLeftPartials,
  writeFile,
} from '../../services/backup/file.ts';
import { expiredBesideWhole, type Keep, readKeep } from '../../services/backup/folder/keep.ts';
import { listBackups, type OfStore } from '../../services/backup/folder/listed.ts';
import { type Broken, isDamaged, isSealed } from '../../services/backup/folder/usable.ts';
import type { Made } from '../../services/backup/format.ts';
import { partsOf } from '../../services/backup/parts.ts';
import { writeBackup } from '../../services/backup/write.ts';
import { CopyUnreachable, completeCopy } from '../../services/erasures/journal-copy.ts';
import { JournalUnusable } from '../../services/erasures/journal-lines.ts';
import { followFolder } from '../../services/moments/follow-folder.ts';
import { type Pacing, stepAside } from '../../services/transfer/pace.ts';
import { AHEAD_MS } from '../../store/believed-time.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import {
  count as counted,
  countingProgress,
  isTerminal,
  megabytes,
  pour,
  print,
  printJsonLines,
  printLines,
  secondsSince,
  warn,
} from '../output.ts';
import { fastOption, type PaceOptions, paceOf } from '../pace.ts';
import { settingOption } from '../service/settings.ts';
import { stopSignal } from '../service/until-stopped.ts';
import { withStore } from '../store.ts';
import { readDuration } from '../time.ts';
import { brokenWords, isFolder, ROOT, toldApart } from './backup-file.ts';

interface Options extends PaceOptions {
  readonly follow?: true;
  readonly every?: string;
  readonly keep?: string;
}

export function addBackup(program: Command): void {
  program
    .command('backup')
    .description(
      'Write everything in the store to one file, while the service runs: accounts, keys, records, removed records, receipts and the log of changes',
    )
    .argument(
      '<target>',
      'A new file, a folder in which files are named by their time, or - for standard output',
    )
    .addOption(settingOption('database_distribution'))
    .addOptions({
      '--keep <counts>':
        'Then remove old backups from the folder: 7d,4w,12m keeps the newest of each of the last 7 days, 4 weeks and 12 months that have one. With --follow, a duration such as 7d',
      '--follow':
        'Keep running: write a whole backup each day, and what has changed every few seconds, so that restore --at can go back to a moment of the last days',
      '--every <duration>': 'With --follow, how often to look for changes; by default 10s',
    })
    .addOption(fastOption())
    .option('--json', 'Print one JSON document; with --follow one for each file, a line each')
    .examples({
      'ledgerstone backup /backups': 'Write a file named by the time',
      'ledgerstone backup /backups --keep 7d,4w,12m': 'The same, and remove old ones',
      'ledgerstone backup --follow /backups/moments': 'Keep each moment of the last 7 days',
      'ledgerstone backup - | age -r age1… > store.backup.age': 'Encrypt it on the way',
    })
    .addHelpText(
      'after',
      '\nExit status: 0 all is in the backup; 1 there is no backup; 2 the backup is written, without changes of the log that are damaged in the store, or without the journal of erasures beside it.',
    )
    .action((target: string, options: Options, command: Command) =>
      withStore(command, {}, (options.follow ? following : writing)(target, options)),
    );
}

type Work = (store: Store) => Promise<void>;

/** Until a signal ends it. What cannot be read or written for a while is tried again, once it has begun. */
function following(target: string, options: Options): Work {
  if (target === '-') throw new Mistake('--follow writes to a folder. Name one.');
  if (options.fast) throw new Mistake('--fast does not work with --follow.');
  stepAside();
  const { every = '10s', keep = '7d' } = options;
  const everyMs = readDuration(every, '--every', FOLLOWED_EVERY);
  const keepMs = readDuration(keep, '--keep with --follow', FOLLOWED_KEEP);
  return async (store) => {
    const folder = resolve(target);
    try {
      makeFolder(folder);
    } catch {
      throw new Mistake(
        `The folder ${target} does not exist and cannot be created. Name one that this user may write to.`,
      );
    }
    let hasBegun = false;
    await followFolder({
      ...{ store, folder, everyMs, keepMs },
      signal: stopSignal(),
      holder: randomUUID(),
      isService: false,
      notices: {
        wrote(followed) {
          const { file, rows, bytes, left_out } = followed;
          if (options.json) printJsonLines(followed);
          else printLines(`${file}: ${rows} rows, ${bytes} bytes.`);
          if (left_out > 0)
            warn(
              `Changes that are damaged in the store are not in ${file}: ${left_out}. Run "ledgerstone verify", which names them.`,
            );
        },
        shows() {
          hasBegun = true;
        },
        failed(error) {
          if (!hasBegun && error instanceof FolderLocked) throw new Mistake(error.message);
          warn(`${error.message} Trying again.`);
        },
      },
    });
  };
}

function writing(target: string, options: Options): Work {
  if (options.every !== undefined) throw new Mistake('--every works only with --follow.');
  const keep = keepIn(options, target);
  return (store) =>
    target === '-' ? toOutput(store, options) : toFile(store, target, keep, options);
}

function keepIn({ keep }: Options, target: string): Keep | undefined {
  if (keep === undefined) return undefined;
  const read = readKeep(keep);
  if (read === undefined)
    throw new Mistake(
      `--keep must be counts of days, weeks, months or years such as 7d,4w,12m, not ${JSON.stringify(keep)}.`,
    );
  if (target === '-' || !(target.endsWith('/') || isFolder(target)))
    throw new Mistake(
      '--keep works only with a folder that exists. Name the folder of your backups.',
    );
  return read;
}

async function toOutput(store: Store, options: Options): Promise<void> {
  if (options.json)
    throw new Mistake('--json and the backup cannot both go to standard output. Name a file.');
  if (isTerminal())
    throw new Mistake(
      'A backup is not written to a terminal. Name a file, or pipe it to a program.',
    );
  const of = await nextOf(store);
  await using snapshot = await store.snapshot();
  const { bytes, written } = begin(store, snapshot, of, options);
  await pour(bytes);
  reportLeftOut((await written).leftOut);
}

async function toFile(
  store: Store,
  target: string,
  keep: Keep | undefined,
  options: Options,
): Promise<void> {
  const began = performance.now();
  const fault = await copyJournal(store, target);
  const folder = target.endsWith('/') || isFolder(target) ? target : undefined;
  const of = await nextOf(store, folder);
  const left = folder === undefined ? [] : removeLeftPartials(folder, Date.now());
  await using snapshot = await store.snapshot();
  using progress = countingProgress();
  const file = placeOf(target, snapshot.taken_at);
  using _ = folder === undefined ? undefined : holdPartial(file);
  const { bytes, written } = begin(store, snapshot, of, options, (rows) =>
    progress.show('Backing up', rows),
  );
  const size = await writeFile(file, bytes);
  const { header, trailer, leftOut } = await written;
  const removed = [
    ...left,
    ...(folder === undefined
      ? []
      : await tidy(store, { folder, file, pace: paceOf(options) }, of.store, keep)),
  ];
  const seconds = secondsSince(began);
  progress.clear();
  reportLeftOut(leftOut);
  if (fault !== undefined) {
    process.exitCode = 2;
    warn(`The backup is written, without the journal of erasures beside it. ${fault}`);
  }
  const { taken_at } = header;
  const { rows, digests } = trailer;
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  print(
    options.json,
    { file, bytes: size, seconds, taken_at, rows, digests, removed, left_out: leftOut },
    `${file}: ${all.toLocaleString('en-US')} rows, ${megabytes(size)}, in ${seconds} seconds.`,
    ...removed.map((name) => `Removed ${name}.`),
  );
}

/** Before the backup, which has no line that the journal beside it lacks. Returns what is wrong with that. */
async function copyJournal(store: Store, target: string): Promise<string | undefined> {
  try {
    await completeCopy(dirname(placeOf(target, 0)), store.journal);
    return undefined;
  } catch (error) {
    if (!(error instanceof CopyUnreachable || error instanceof JournalUnusable)) throw error;
    return error.message;
  }
}

/** A backup without some changes of the log is worth more than none; the exit status shows it. */
function reportLeftOut(count: number): void {
  if (count === 0) return;
  process.exitCode = 2;
  const are = count === 1 ? 'is' : 'are';
  warn(
    `${counted(count, 'change')} in the log of the store ${are} damaged and ${are} not in the backup. Run "ledgerstone verify", which names ${count === 1 ? 'it' : 'them'}.`,
  );
}

function begin(
  store: Store,
  snapshot: Awaited<ReturnType<Store['snapshot']>>,
  of: Made,
  options: PaceOptions,
  onRows = (_rows: number): void => {},
) {
  const parts = partsOf(resources);
  const { place } = store;
  return writeBackup({ snapshot, parts, place, of, pace: paceOf(options), onRows });
}

/**
 * Counts the backup. Where the folder has a later one of the store than it has made, the store was set back, or is a
 * copy of one that goes on: it is another one from now on.
 */
async function nextOf(store: Store, target?: string): Promise<Made> {
  const { backups } = store;
  const folder = target !== undefined && isFolder(target) ? target : undefined;
  const { stores } =
    folder === undefined ? { stores: [] } : await listBackups(folder, ROOT, Date.now());
  const own = await backups.identity();
  const there = stores.find((one) => one.store === own.store);
  const last = Math.max(0, ...(there?.backups ?? []).map(({ of }) => of?.number ?? 0));
  if (last > own.made) {
    await backups.descend(own, last);
    warn(
      `${folder} has later backups of this store than it has made, so it was set back, or is a copy of a store that goes on. It is another store from now on: --keep leaves those backups as they are.`,
    );
  }
  const number = await backups.count(
    folder === undefined ? {} : { folder: resolve(folder), host: hostname() },
  );
  const { store: name, origins } = await backups.identity();
  return { store: name, number, origins };
}

/** Removes old backups of this store from the folder, and names other stores that use it. Returns the names of the files. */
async function tidy(
  store: Store,
  {
    folder,
    file,
    pace,
  }: { readonly folder: string; readonly file: string; readonly pace: Pacing | undefined },
  own: string,
  keep: Keep | undefined,
) {
  const now = Date.now();
  const { stores, broken } = await listBackups(folder, ROOT, now);
  warnOfOthers(folder, stores, own);
  warnOfBroken(folder, broken);
  const made = stores.find((one) => one.store === own)?.backups ?? [];
  if (keep === undefined) return [];
  const seen = await store.seenTime();
  if (seen !== undefined && now - seen > AHEAD_MS) {
    warn(
      `Nothing was removed: the clock says ${presentTime(now)}, and the store was last served at ${presentTime(seen)}. Old backups are removed again once the service has run for an hour, or the clock is set.`,
    );
    return [];
  }
  const files = made.filter(({ chain }) => chain === undefined);
  const { gone, damaged } = await expiredBesideWhole(
    files,
    keep,
    now,
    async ({ name }) => name === basename(file) || isSealed(join(folder, name), pace),
  );
  warnOfBroken(
    folder,
    damaged.map(({ name }) => ({ name, why: isDamaged().why })),
  );
  const names = gone.map(({ name }) => name);
  for (const name of names) rmSync(join(folder, name), { force: true });
  return names;
}

/** Warns of files that are no backups: they stay, and no backup goes for their sake. */
function warnOfBroken(folder: string, broken: readonly Pick<Broken, 'name' | 'why'>[]): void {
  if (broken.length === 0) return;
  warn(`${brokenWords(folder, broken)} Nothing was removed for their sake: remove them by hand.`);
}

function warnOfOthers(folder: string, stores: readonly OfStore[], own: string): void {
  const origins = stores.find(({ store }) => store === own)?.origins ?? [];
  const others = stores.filter(({ store }) => store !== own);
  const isOrigin = ({ store }: OfStore) => origins.some((one) => one.store === store);
  const [before, strange] = [others.filter(isOrigin), others.filter((one) => !isOrigin(one))];
  if (strange.length > 0)
    warn(
      `${folder} has backups of other stores, too, which --keep leaves as they are: name a folder for each store, or restore must be told with --store which one is meant. This one is ${own}. ${toldApart(strange)}`,
    );
  if (before.length > 0)
    warn(
      `${folder} has backups of the store that this one was restored from, too, which --keep leaves as they are: remove them by hand when you need them no more. ${toldApart(before)}`,
    );
}
