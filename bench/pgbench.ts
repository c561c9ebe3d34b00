/** Rounds of one-row upserts by pgbench, prepared, one commit each, with nothing in between. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, percentile } from './measure.ts';
import { KNOWN } from './world.ts';

export interface PgbenchRound {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** One upsert as SQL: of the record whose external identifier is what `name` gives; `:n` is a number that changes. */
export type Upsert = (name: string) => string;

export interface PgbenchLoad {
  /** The folder of pgbench, and one to work in. */
  readonly programs: string;
  readonly folder: string;
  /** The address of the database. */
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Makes the identifiers of new records this round's own. */
  readonly prefix: string;
}

/** How long it runs before it counts, and so does our service beside it. */
export const WARM_UP_S = 1;

export async function runPgbench(upsert: Upsert, load: PgbenchLoad): Promise<PgbenchRound> {
  const { programs, folder, url, connections, seconds } = load;
  const own = mkdtempSync(join(folder, 'pgbench-'));
  writeFileSync(join(own, 'script'), scriptOf(upsert, load));
  // Its time begins with the connecting, which takes the server some 10 ms for each.
  const time = Math.ceil(WARM_UP_S + seconds + connections / 100);
  const args = [
    ...['--no-vacuum', '--protocol', 'prepared', '--file', 'script', '--define', 'n=0'],
    ...['--client', `${connections}`, '--jobs', '1', '--time', `${time}`],
    ...['--log', '--log-prefix', 'latency', url],
  ];
  const pgbench = promisify(execFile);
  const { stderr } = await pgbench(join(programs, 'pgbench'), args, {
    cwd: own,
    // Otherwise each session would plan each statement five times before it keeps a plan.
    env: { ...process.env, PGOPTIONS: '-c plan_cache_mode=force_generic_plan' },
  });
  const done = transactionsIn(own).toSorted((one, other) => one.at - other.at);
  rmSync(own, { recursive: true });
  const [first, last] = [done[0], done.at(-1)];
  if (first === undefined || last === undefined)
    throw new Error(`pgbench gave no result:\n${stderr}`);
  // New sessions have their catalogs to read, which those of our service have done before.
  const from = first.at + WARM_UP_S;
  const until = Math.min(from + seconds, last.at);
  const latencies = done.flatMap(({ at, ms }) => (at >= from && at < until ? [ms] : []));
  return {
    perSecond: latencies.length / (until - from),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  };
}

/** Medians over the rounds. */
export function pgbenchMedians(rounds: readonly PgbenchRound[]): PgbenchRound {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  };
}

/**
 * Half new records, half updates of the known ones, as the load on our service.
 * Each client has known records of its own, so that none waits for another's:
 * neither do two requests under way on our service name the same one.
 */
function scriptOf(upsert: Upsert, { connections, prefix }: PgbenchLoad): string {
  const each = Math.floor(KNOWN / connections);
  return [
    '\\set n :n + 1',
    `\\set known :client_id * ${each} + :n / 2 * 7919 % ${each}`,
    '\\set even :n % 2',
    '\\if :even',
    `${upsert("'known-' || :known::text")};`,
    '\\else',
    `${upsert(`'${prefix}-' || :client_id::text || '-' || :n::text`)};`,
    '\\endif',
    '',
  ].join('\n');
}

interface Transaction {
  /** When it was done, in seconds since 1970. */
  readonly at: number;
  readonly ms: number;
}

/** The words of a line: client, count, microseconds, script, and when it was done in seconds and microseconds. */
function transactionsIn(folder: string): Transaction[] {
  const logs = readdirSync(folder).filter((name) => name.startsWith('latency'));
  return logs.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [, , took, , seconds, microseconds] = line.split(' ').map(Number);
        return {
          at: Number(seconds) + Number(microseconds) / 1e6,
          ms: Number(took) / 1000,
        };
      }),
  );
}
