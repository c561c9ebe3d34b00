/**
 * Whether an upsert costs the same however many records there are: our service
 * on a large database and on a small one of the same server, in turn, and so pgbench.
 */
import type { Workload } from './bodies.ts';
import { runLoad } from './load.ts';
import { median, type Plan } from './measure.ts';
import { WARM_UP_S } from './pgbench.ts';
import type { Ground } from './postgres-ground.ts';
import { say } from './progress.ts';
import { type Columns, whole } from './report.ts';
import type { ServerProcess } from './server-process.ts';
import { startService } from './service.ts';

/** What was measured on the large database and on the small one. */
interface Sides<T> {
  readonly large: T;
  readonly small: T;
}

interface Rate {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Medians over the rounds, and large to small, pair by pair. */
interface Compared extends Sides<Rate> {
  readonly ratio: number;
}

export interface Flat {
  readonly workload: string;
  readonly connections: number;
  readonly ours: Compared;
  /** Merged upserts into a table like ours. */
  readonly pgbench: Compared;
}

export interface FlatPlan extends Pick<Plan, 'seconds' | 'rounds' | 'prepare'> {
  readonly connections: readonly number[];
}

export const FLAT_COLUMNS: Columns<Flat> = [
  ['connections', (one) => String(one.connections)],
  ['upserts/s, large', (one) => whole(one.ours.large.perSecond)],
  ['small', (one) => whole(one.ours.small.perSecond)],
  ['ratio', (one) => one.ours.ratio.toFixed(2)],
  ['p99 ms, large', (one) => one.ours.large.p99Ms.toFixed(2)],
  ['small', (one) => one.ours.small.p99Ms.toFixed(2)],
  ['pgbench merged/s, large', (one) => whole(one.pgbench.large.perSecond)],
  ['small', (one) => whole(one.pgbench.small.perSecond)],
  ['ratio', (one) => one.pgbench.ratio.toFixed(2)],
];

const SMALL_PORT = 18_081;
const WARM_UP = { connections: 16, seconds: 2 };

/** Starts a service on each, which nothing has been asked of yet: what one had done before would tell. */
export async function measureFlat(
  grounds: Sides<Ground>,
  workload: (ground: Ground) => Workload,
  plan: FlatPlan,
): Promise<Flat[]> {
  const services = {
    large: await startService(grounds.large.url),
    small: await startService(grounds.small.url, {}, SMALL_PORT),
  };
  const round = async (connections: number, seconds: number, index: number) => {
    const prefix = `flat-${Date.now().toString(36)}`;
    await plan.prepare?.();
    const load = { connections, seconds, prefix };
    const of = (side: keyof Sides<Ground>) => [services[side], grounds[side]] as const;
    return {
      ours: await inTurn(index, (side) => runOurs(...of(side), workload(grounds[side]), load)),
      pgbench: await inTurn(index, (side) =>
        grounds[side].pgbench(workload(grounds[side]), 'merged', load),
      ),
    };
  };
  await round(WARM_UP.connections, WARM_UP.seconds, 0);
  const results: Flat[] = [];
  for (const connections of plan.connections) {
    const { name } = workload(grounds.large);
    say(`${name}, ${connections} connections, large and small`);
    const rounds: Awaited<ReturnType<typeof round>>[] = [];
    for (let index = 0; index < plan.rounds; index++) {
      rounds.push(await round(connections, plan.seconds, index));
    }
    results.push({
      workload: name,
      connections,
      ours: compared(rounds.map(({ ours }) => ours)),
      pgbench: compared(rounds.map(({ pgbench }) => pgbench)),
    });
  }
  await services.large.stop();
  await services.small.stop();
  return results;
}

/** The one first in one round, the other one in the next. */
async function inTurn<T>(
  round: number,
  run: (side: keyof Sides<T>) => Promise<T>,
): Promise<Sides<T>> {
  if (round % 2 === 0) return { large: await run('large'), small: await run('small') };
  const small = await run('small');
  return { large: await run('large'), small };
}

async function runOurs(
  { port }: ServerProcess,
  { world: { authorization } }: Ground,
  workload: Workload,
  load: { readonly connections: number; readonly seconds: number; readonly prefix: string },
): Promise<Rate> {
  const own = { ...workload, ...load, url: `http://127.0.0.1:${port}${workload.path}` };
  const prefix = `warm-${load.prefix}`;
  await runLoad({ ...own, authorization, seconds: WARM_UP_S, prefix });
  return runLoad({ ...own, authorization });
}

function compared(pairs: readonly Sides<Rate>[]): Compared {
  const rate = (rates: readonly Rate[]): Rate => ({
    perSecond: median(rates.map(({ perSecond }) => perSecond)),
    p99Ms: median(rates.map(({ p99Ms }) => p99Ms)),
  });
  return {
    large: rate(pairs.map(({ large }) => large)),
    small: rate(pairs.map(({ small }) => small)),
    ratio: median(pairs.map(({ large, small }) => large.perSecond / small.perSecond)),
  };
}
