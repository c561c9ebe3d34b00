/** What a serving process's upserts take while an import, an export or a backup runs beside it. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../measure.ts';
import { say } from '../progress.ts';
import { startService } from '../service.ts';
import type { World } from '../world.ts';
import { LAUNCHER, startCommand } from './command.ts';
import { writeRows } from './rows.ts';
import { type Answered, steady } from './steady.ts';

/** Far from what the service can do: what counts is how long others hold it up. */
const PER_SECOND = 500;
/** More than an import takes in during a second. */
const ROWS = 20_000;

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
  readonly asked: (what: string) => boolean;
}

export async function beside(options: BesideOptions): Promise<readonly Beside[]> {
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
  const asked = commands.filter(([name]) => options.asked(`beside ${name}`));
  if (asked.length === 0) return [];
  const service = await startService(url);
  const found = new Map<string, Answered[]>();

  const measure = async (name: string, round: number, words?: readonly string[]): Promise<void> => {
    say(`beside ${name}, round ${round + 1}`);
    const stop = new AbortController();
    const running = words && repeat(words, stop.signal);
    await running?.begun;
    const answered = await steady({
      ...{ port: service.port, world, perSecond: PER_SECOND, ms: 1000 * seconds },
      prefix: `steady-${name}-${round}`,
    });
    stop.abort();
    await running?.ended;
    found.set(name, [...(found.get(name) ?? []), answered]);
  };

  /** Runs the command, and again as often as it comes to its end, until the signal is aborted. */
  const repeat = (words: readonly string[], signal: AbortSignal) => {
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

  try {
    await measure('warm-up', 0);
    for (let round = 0; round < rounds; round++) {
      for (const [name, words] of asked) {
        writeRows(rows, world, ROWS * seconds, `beside-${round}`);
        await measure('nothing', round);
        await measure(name, round, words);
        fresh();
      }
    }
  } finally {
    await service.stop();
  }
  found.delete('warm-up');
  const p99Of = (name: string): number => median((found.get(name) ?? []).map((one) => one.p99Ms));
  return [...found].map(([name, all]) => ({
    beside: name,
    p50Ms: median(all.map((one) => one.p50Ms)),
    p99Ms: p99Of(name),
    ratio: p99Of(name) / p99Of('nothing'),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  }));
}
