/** `ledgerstone backup`: everything in the store, as one file. */
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { resources } from '../../core/registry.ts';
import {
  FolderLocked,
  makeFolder,
  momentOf,
  placeOf,
  writeFile,
} from '../../services/backup/file.ts';
import { expired, type Keep, readKeep } from '../../services/backup/folder/keep.ts';
import { partsOf } from '../../services/backup/parts.ts';
import { writeBackup } from '../../services/backup/write.ts';
import { CopyUnreachable, completeCopy } from '../../services/erasures/journal-copy.ts';
import { JournalUnusable } from '../../services/erasures/journal-lines.ts';
import { followFolder } from '../../services/moments/follow-folder.ts';
import { stepAside } from '../../services/transfer/pace.ts';
import type { Store } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import {
  count as counted,
  countingProgress,
  megabytes,
  print,
  printLines,
  secondsSince,
} from '../output.ts';
import { fastOption, type PaceOptions, paceOf } from '../pace.ts';
import { settingOption } from '../service/settings.ts';
import { stopSignal } from '../service/until-stopped.ts';
import { withStore } from '../store.ts';
import { readDuration } from '../time.ts';
import { isFolder } from './backup-file.ts';

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
  const everyMs = readDuration(every, '--every');
  if (everyMs < 1000) throw new Mistake('--every must be 1s or longer.');
  const keepMs = readDuration(keep, '--keep with --follow');
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
          if (options.json) process.stdout.write(`${JSON.stringify(followed)}\n`);
          else printLines(`${file}: ${rows} rows, ${bytes} bytes.`);
          if (left_out > 0)
            process.stderr.write(
              `ledgerstone: Changes that are damaged in the store are not in ${file}: ${left_out}. Run "ledgerstone verify", which names them.\n`,
            );
        },
        shows() {
          hasBegun = true;
        },
        failed(error) {
          if (!hasBegun && error instanceof FolderLocked) throw new Mistake(error.message);
          process.stderr.write(`ledgerstone: ${error.message} Trying again.\n`);
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
  if (process.stdout.isTTY)
    throw new Mistake(
      'A backup is not written to a terminal. Name a file, or pipe it to a program.',
    );
  await using snapshot = await store.snapshot();
  const { bytes, written } = begin(store, snapshot, options);
  await pipeline(bytes, process.stdout, { end: false });
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
  await using snapshot = await store.snapshot();
  using progress = countingProgress();
  const file = placeOf(target, snapshot.taken_at);
  const { bytes, written } = begin(store, snapshot, options, (rows) =>
    progress.show('Backing up', rows),
  );
  const size = await writeFile(file, bytes);
  const { header, trailer, leftOut } = await written;
  const removed = keep === undefined ? [] : removeOld(target, keep);
  const seconds = secondsSince(began);
  progress.clear();
  reportLeftOut(leftOut);
  if (fault !== undefined) {
    process.exitCode = 2;
    process.stderr.write(
      `ledgerstone: The backup is written, without the journal of erasures beside it. ${fault}\n`,
    );
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
  process.stderr.write(
    `ledgerstone: ${counted(count, 'change')} in the log of the store ${are} damaged and ${are} not in the backup. Run "ledgerstone verify", which names ${count === 1 ? 'it' : 'them'}.\n`,
  );
}

function begin(
  store: Store,
  snapshot: Awaited<ReturnType<Store['snapshot']>>,
  options: PaceOptions,
  onRows = (_rows: number): void => {},
) {
  const parts = partsOf(resources);
  return writeBackup({ snapshot, parts, place: store.place, pace: paceOf(options), onRows });
}

function removeOld(folder: string, keep: Keep): readonly string[] {
  const files = new Map(
    readdirSync(folder).flatMap((name) => {
      const moment = momentOf(basename(name));
      return moment === undefined ? [] : [[moment, name] as const];
    }),
  );
  const names = expired([...files.keys()], keep).map((moment) => files.get(moment) ?? '');
  for (const name of names) rmSync(join(folder, name), { force: true });
  return names;
}
