/** What a serving process's upserts take while an import, an export or a backup runs beside it, or a person exports from its console. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../measure.ts';
import { say } from '../progress.ts';
import { startService } from '../service.ts';
import type { World } from '../world.ts';
import { LAUNCHER, startCommand } from './command.ts';
import { type ConsoleExport, ConsolePerson } from './console.ts';
import { writeRows } from './rows.ts';
import { type Answered, steady } from './steady.ts';

/** Far from what the service can do: what counts is how long others hold it up. */
const PER_SECOND = 500;
/** More than an import takes in during a second. */
const ROWS = 20_000;
/** Formats of a person's exports. */
const FROM_CONSOLE = ['csv', 'xlsx'] as const;

export interface Beside {
  readonly beside: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** To that of the rounds with nothing beside. */
  readonly ratio: number;
  readonly failed: number;
}

export interface BesideOptions {
  readonly url: string;
  readonly world: World;
  readonly folder: string;
  readonly seconds: number;
  readonly rounds: number;
  readonly isWanted: (what: string) => boolean;
}

/** Something beside: when it has begun, and when it has ended. */
interface Running {
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
}

export interface BesideResults {
  readonly besides: readonly Beside[];
  readonly exports: readonly ConsoleExport[];
}

export async function beside(options: BesideOptions): Promise<BesideResults> {
  const { url, world, folder, seconds, rounds } = options;
  const files = join(folder, 'beside');
  mkdirSync(files);
  const rows = join(files, 'rows.csv');
  const fresh = (): void => rmSync(join(files, 'out'), { recursive: true, force: true });
  const commands = [
    ['import', ['import', rows, '--resource', 'events']],
    ['export', ['export', '--format', 'csv', '--out', join(files, 'out/')]],
    ['backup', ['backup', join(files, 'out')]],
  ] as const;
  /** Runs a command, and again as often as it comes to its end, until the signal is aborted. */
  const repeat = (words: readonly string[], signal: AbortSignal): Running => {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const run = async (): Promise<void> => {
      while (!signal.aborted) {
        fresh();
        const where = { cwd: folder, env: { DATABASE_URL: url } };
        const { child, ended, said } = startCommand(LAUNCHER, words, where);
        const end = (): void => void child.kill('SIGINT');
        signal.addEventListener('abort', end);
        // An import says how it reads the file, and begins.
        const isImport = words.includes('import');
        while (isImport && child.exitCode === null && !said().includes(' rows of '))
          await pause(20);
        resolve();
        await ended;
        signal.removeEventListener('abort', end);
      }
    };
    return { begun, ended: run() };
  };

  const names = [...commands.map(([name]) => name), ...FROM_CONSOLE.map((one) => `console ${one}`)];
  const wanted = names.filter((name) => options.isWanted(`beside ${name}`));
  if (wanted.length === 0) return { besides: [], exports: [] };
  const service = await startService(url);
  const person = await ConsolePerson.signIn(service, url);
  const found = new Map<string, Answered[]>();

  const begin = (name: string, signal: AbortSignal): Running => {
    const words = commands.find(([one]) => one === name)?.[1];
    return words === undefined
      ? person.begin(name.slice('console '.length), signal)
      : repeat(words, signal);
  };

  const measure = async (name: string, round: number, isBeside = false): Promise<void> => {
    say(`beside ${name}, round ${round + 1}`);
    const stop = new AbortController();
    const running = isBeside ? begin(name, stop.signal) : undefined;
    await running?.begun;
    const answered = await steady({
      port: service.port,
      world,
      perSecond: PER_SECOND,
      ms: 1000 * seconds,
      prefix: `steady-${name}-${round}`,
    });
    stop.abort();
    await running?.ended;
    found.set(name, [...(found.get(name) ?? []), answered]);
  };

  try {
    await measure('warm-up', 0);
    for (let round = 0; round < rounds; round++) {
      for (const name of wanted) {
        if (name === 'import') writeRows(rows, world, ROWS * seconds, `beside-${round}`);
        await measure('nothing', round);
        await measure(name, round, true);
        fresh();
      }
    }
  } finally {
    await service.stop();
  }
  found.delete('warm-up');
  const p99Of = (name: string): number => median((found.get(name) ?? []).map((one) => one.p99Ms));
  const besides = [...found].map(([name, all]) => ({
    beside: name,
    p50Ms: median(all.map((one) => one.p50Ms)),
    p99Ms: p99Of(name),
    ratio: p99Of(name) / p99Of('nothing'),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  }));
  return { besides, exports: person.results() };
}
