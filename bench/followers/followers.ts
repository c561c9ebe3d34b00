/** Followers beside writers while processes are killed: what each got is the log, each change once. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../measure.ts';
import type { Options } from '../options.ts';
import { startPostgres } from '../postgres-server.ts';
import { say, sayFilled } from '../progress.ts';
import { type Columns, machine, type Report, table, whole } from '../report.ts';
import type { ServerProcess } from '../server-process.ts';
import { startService } from '../service.ts';
import { makeWorld, type World } from '../world.ts';
import { type Change, startFollowers } from './follow.ts';
import { startWriting } from './write.ts';

const PORT = 18_100;
/** On PostgreSQL; SQLite has one. */
const PROCESSES = 3;
/** Between two kills. */
const KILL_MS = 5_000;
/** How long followers may take for what was written last. */
const LAST_MS = 60_000;

interface Result {
  readonly follower: string;
  readonly changes: number;
  /** Changes of the log that it was not given, given twice, or given out of order. */
  readonly missing: number;
  readonly repeated: number;
  readonly misplaced: number;
  readonly cuts: number;
  readonly lagP50Ms: number;
  readonly lagP99Ms: number;
  readonly worstMs: number;
}

const COLUMNS: Columns<Result> = [
  ['follower', (one) => one.follower],
  ['changes', (one) => whole(one.changes)],
  ['missing', (one) => String(one.missing)],
  ['repeated', (one) => String(one.repeated)],
  ['out of order', (one) => String(one.misplaced)],
  ['cut off', (one) => String(one.cuts)],
  ['lag p50 ms', (one) => whole(one.lagP50Ms)],
  ['p99 ms', (one) => whole(one.lagP99Ms)],
  ['worst ms', (one) => whole(one.worstMs)],
];

export async function followers(options: Options, folder: string): Promise<Report> {
  const { records, followers: seconds = 600 } = options;
  const postgres = options.database === 'postgres' ? await startPostgres(folder) : undefined;
  const url = postgres?.url ?? `sqlite:${join(folder, 'data', 'ledgerstone.db')}`;
  const world = await makeWorld(url, records, (done) => sayFilled(done, records));
  const ports = Array.from(
    { length: postgres === undefined ? 1 : PROCESSES },
    (_, at) => PORT + at,
  );
  const services = await Promise.all(ports.map((port) => startService(url, {}, port)));
  let next = 0;
  const base = (): string => `http://127.0.0.1:${ports[next++ % ports.length]}`;

  const from = (await pageAfter(base(), world, 'now')).position;
  const [stopWriting, stopFollowing] = [new AbortController(), new AbortController()];
  const writing = startWriting(world, base, stopWriting.signal);
  const all = startFollowers({
    base,
    authorization: world.authorization,
    from,
    signal: stopFollowing.signal,
  });
  const failed = Promise.race(all.map(({ end }) => end.then(() => new Promise<never>(() => {}))));
  const kills = await Promise.race([killInTurn(services, url, ports, seconds), failed]);
  stopWriting.abort();
  const { answered, unsure } = await writing.end;

  const log = await wholeLog(base(), world, from);
  const latest = performance.now() + LAST_MS;
  const last = log.at(-1)?.unique_identifier;
  while (all.some((one) => one.identifiers.at(-1) !== last) && performance.now() < latest) {
    await Promise.race([pause(100), failed]);
  }
  stopFollowing.abort();
  await Promise.all(all.map(({ end }) => end));
  await Promise.all(services.map((service) => service.stop()));
  await postgres?.stop();

  const names = log.map((one) => one.unique_identifier);
  const logged = new Set(log.map(({ record, version }) => `${record} ${version}`));
  const lost = [...answered.keys()].filter((name) => !logged.has(name)).length;
  const results = all.map(({ name, identifiers, received, cuts }): Result => {
    const given = new Set(identifiers);
    const lags = lagsOf(answered, received);
    return {
      follower: name,
      changes: identifiers.length,
      missing: names.filter((one) => !given.has(one)).length,
      repeated: identifiers.length - given.size,
      misplaced: identifiers.filter((one, at) => one !== names[at]).length,
      cuts: cuts(),
      lagP50Ms: percentile(lags, 0.5),
      lagP99Ms: percentile(lags, 0.99),
      worstMs: percentile(lags, 1),
    };
  });
  const good =
    lost === 0 && results.every((one) => one.missing + one.repeated + one.misplaced === 0);
  const text = [
    `${machine()}; ${seconds} s, ${ports.length} processes of the service, ${kills} killed`,
    `${whole(log.length)} changes in the log; ${whole(answered.size)} were answered to writers, ${lost} of these are not in the log; ${unsure} requests got no answer`,
    good
      ? 'Every follower was given the log: each change once, in its order.'
      : 'NOT what the log has.',
    '',
    table(COLUMNS, results),
  ].join('\n');
  if (!good) process.exitCode = 1;
  return {
    text,
    json: { machine: machine(), options, kills, log: log.length, lost, unsure, results },
    chart: { title: 'Followers', bars: [] },
  };
}

/** Kills one process after the other, and starts it again; how often. */
async function killInTurn(
  services: ServerProcess[],
  url: string,
  ports: readonly number[],
  seconds: number,
): Promise<number> {
  const ends = performance.now() + seconds * 1000;
  for (let kills = 0; ; kills++) {
    const left = ends - performance.now();
    say(`${Math.max(0, Math.round(left / 1000))} s to go, ${kills} killed`);
    await pause(Math.max(0, Math.min(KILL_MS, left)));
    if (performance.now() >= ends) return kills;
    const at = kills % services.length;
    await services[at]?.stop('SIGKILL');
    services[at] = await startService(url, {}, ports[at]);
  }
}

interface Page {
  readonly data: readonly Change[];
  readonly has_more: boolean;
  readonly position: string;
}

async function pageAfter(base: string, world: World, position: string): Promise<Page> {
  const answer = await fetch(`${base}/v1/changes?limit=1000&starting_after=${position}`, {
    headers: { Authorization: world.authorization },
  });
  if (!answer.ok) throw new Error(`The log answers ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Page;
}

async function wholeLog(base: string, world: World, from: string): Promise<Change[]> {
  const log: Change[] = [];
  for (let position = from; ; ) {
    const page = await pageAfter(base, world, position);
    log.push(...page.data);
    if (!page.has_more) return log;
    position = page.position;
  }
}

/** Milliseconds from the answer to a writer until a follower had the change. */
function lagsOf(
  answered: ReadonlyMap<string, number>,
  received: ReadonlyMap<string, number>,
): number[] {
  return [...answered].flatMap(([version, at]) => {
    const there = received.get(version);
    return there === undefined ? [] : [Math.max(0, there - at)];
  });
}
