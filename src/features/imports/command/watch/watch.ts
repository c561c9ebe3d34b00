/** `ledgerstone import --watch`: imports the files of a folder as they come, each once. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from '../../../../cli/help.ts';
import { Mistake } from '../../../../cli/mistake.ts';
import { printJsonLines, printLines, say } from '../../../../cli/output.ts';
import { stopSignal } from '../../../../cli/service/until-stopped.ts';
import { readDuration } from '../../../../cli/time.ts';
import type { ImportFlags } from '../asked.ts';
import { importerAt } from './at-service.ts';
import { takeFile } from './file.ts';
import { type FoundFile, Stays, watchedFolder } from './folder.ts';
import { importerInto } from './into-store.ts';
import { AnotherWatches, journalIn } from './journal.ts';

const QUIET = '10s';
/** How long a file may have to be unchanged, at the least and the most. */
const QUIETS = ['0s', '1d'] as const;
/** The pause between two looks at the folder. */
const LOOK_MS = { least: 500, most: 5_000 };
/** The pause before a file is tried again, which doubles. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export interface WatchFlags extends ImportFlags {
  readonly watch: string;
}

/** Throws a `Mistake` for options that say nothing of files to come. */
export function checkWatch(files: readonly string[], flags: ImportFlags): void {
  if (flags.watch === undefined) {
    if (flags.quiet !== undefined) throw new Mistake('--quiet goes with --watch only.');
    return;
  }
  if (files.length > 0)
    throw new Mistake('--watch takes the files of its folder: name no others beside it.');
  if (flags.source === undefined)
    throw new Mistake('--watch needs --source: it says who sends the files, and notices silence.');
  const { rejected, saveMap, dryRun, fromStart } = flags;
  const others = { '--rejected': rejected, '--save-map': saveMap, '--dry-run': dryRun };
  for (const [name, is] of Object.entries({ ...others, '--from-start': fromStart }))
    if (is !== undefined)
      throw new Mistake(`${name} is for files that are named, not for --watch.`);
}

/** Imports what comes until a signal ends it, between two steps. */
export async function watchFolder(flags: WatchFlags, command: Command): Promise<void> {
  const quietMs = readDuration(flags.quiet ?? QUIET, '--quiet', QUIETS);
  const folder = watchedFolder(flags.watch);
  const importer = await (flags.url === undefined
    ? importerInto(flags, command)
    : importerAt(flags.url, flags));
  const journal = journalIn(folder);
  const stopping = stopSignal();
  const told = new Map<string, string>();
  const tell = (name: string, why: string): void => {
    if (told.get(name) === why) return;
    told.set(name, why);
    say(`${name}: ${why}`);
  };
  const tries = new Map<string, { readonly count: number; readonly from: number }>();
  const isDue = ({ name }: FoundFile) => (tries.get(name)?.from ?? 0) <= performance.now();

  /** `false`: it stays, and is tried again later. */
  const take = async (file: FoundFile): Promise<void> => {
    try {
      const done = await takeFile(file, { folder, journal, importer, flags, stopping });
      if (done === undefined) return;
      told.delete(file.name);
      tries.delete(file.name);
      if (flags.json) printJsonLines(done.json);
      else printLines(done.says);
    } catch (error) {
      if (error instanceof AnotherWatches) throw error;
      if (stopping.aborted) return;
      const count = (tries.get(file.name)?.count ?? 0) + 1;
      const ms = Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), LONGEST_PAUSE_MS);
      tries.set(file.name, { count, from: performance.now() + ms });
      const again = error instanceof Stays ? '' : ' It waits, and is tried again.';
      tell(file.name, `${importer.inWords(error, file.name)}${again}`);
    }
  };

  say(`Watching ${folder.path}. Ctrl-C or SIGTERM ends it.`);
  const look = async (): Promise<void> => {
    folder.prepare();
    journal.check();
    const { found, names } = await folder.ready(quietMs, tell);
    for (const name of told.keys()) if (name !== '' && !names.has(name)) told.delete(name);
    for (const file of found) {
      if (stopping.aborted) return;
      if (isDue(file)) await take(file);
    }
    told.delete('');
  };
  while (!stopping.aborted) {
    await look().catch((error: unknown) => {
      if (error instanceof AnotherWatches) throw error;
      const why = error instanceof Stays ? error.message : importer.inWords(error, folder.path);
      if (told.get('') !== why) say(`${why} It is looked again.`);
      told.set('', why);
    });
    const ms = Math.min(Math.max(quietMs / 2, LOOK_MS.least), LOOK_MS.most);
    await pause(ms, undefined, { signal: stopping }).catch(() => undefined);
  }
  process.exitCode = 0;
  say('Ended. What was begun goes on when the same command is run again.');
}
