/** Rounds of load on our service and on something else, in turn, and what they give together. */
import type { Workload } from './bodies.ts';
import { type Round, runLoad } from './load.ts';
import type { ServerProcess } from './server-process.ts';

/** What our service gave: medians over the rounds. */
export interface Measured {
  readonly workload: string;
  readonly connections: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Processor seconds per second: of the service, and of the load generator beside it. */
  readonly serviceCpu: number;
  readonly loadCpu: number;
  readonly residentMiB: number;
  readonly failed: number;
}

export interface Plan {
  readonly authorization: string;
  readonly seconds: number;
  readonly rounds: number;
  /** What is done before each round. */
  readonly prepare?: () => Promise<void>;
  /** How long the load is on our service before it counts, in each round; not at all where it is not said. */
  readonly warmUpSeconds?: number;
}

/** What is measured in turn with our service, under the same load. */
export type Other<T> = (round: { readonly seconds: number; readonly prefix: string }) => Promise<T>;

export interface Pair<T> {
  readonly ours: Round;
  readonly other: T;
}

/** Measures one workload at one number of connections. */
export async function measure<T>(
  service: ServerProcess,
  workload: Workload,
  connections: number,
  plan: Plan,
  other: Other<T>,
): Promise<{ measured: Measured; pairs: readonly Pair<T>[] }> {
  const pairs: (Pair<T> & { serviceCpu: number })[] = [];
  const { seconds, authorization, warmUpSeconds } = plan;
  const url = `http://127.0.0.1:${service.port}${workload.path}`;
  const load = { ...workload, url, authorization, connections };
  for (let round = 0; round < plan.rounds; round++) {
    const prefix = `new-${Date.now().toString(36)}`;
    await plan.prepare?.();
    if (warmUpSeconds !== undefined) {
      await runLoad({ ...load, seconds: warmUpSeconds, prefix: `warm-${prefix}` });
    }
    const before = service.cpuSeconds();
    const ours = await runLoad({ ...load, seconds, prefix });
    const serviceCpu = (service.cpuSeconds() - before) / seconds;
    pairs.push({ ours, serviceCpu, other: await other({ seconds, prefix }) });
  }
  const over = (take: (pair: (typeof pairs)[number]) => number): number => median(pairs.map(take));
  const measured = {
    workload: workload.name,
    connections,
    perSecond: over(({ ours }) => ours.perSecond),
    p50Ms: over(({ ours }) => ours.p50Ms),
    p99Ms: over(({ ours }) => ours.p99Ms),
    maxMs: over(({ ours }) => ours.maxMs),
    serviceCpu: over((pair) => pair.serviceCpu),
    loadCpu: over(({ ours }) => ours.loadCpu),
    residentMiB: service.residentMiB(),
    failed: pairs.reduce((sum, { ours }) => sum + ours.failed, 0),
  };
  return { measured, pairs };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** The value below which a share of all values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
