/** Rounds of load on our service and on the bare server, in turn, and what they give together. */
import type { Workload } from './bodies.ts';
import { type Round, runLoad } from './load.ts';
import type { ServerProcess } from './server-process.ts';

/** One line of the results: medians over the rounds. */
export interface Result {
  readonly workload: string;
  readonly connections: number;
  readonly perSecond: number;
  readonly barePerSecond: number;
  /** Ours to the bare server's, pair by pair. */
  readonly ratio: number;
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
}

/** Measures one workload at one number of connections. */
export async function measure(
  service: ServerProcess,
  bare: ServerProcess,
  workload: Workload,
  connections: number,
  plan: Plan,
): Promise<Result> {
  const pairs: { ours: Round; bare: Round; serviceCpu: number }[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const load = {
      authorization: plan.authorization,
      contentType: workload.contentType,
      template: workload.template,
      connections,
      seconds: plan.seconds,
      prefix: `new-${Date.now().toString(36)}`,
    };
    const before = service.cpuSeconds();
    const ours = await runLoad({
      ...load,
      url: `http://127.0.0.1:${service.port}${workload.path}`,
    });
    const serviceCpu = (service.cpuSeconds() - before) / plan.seconds;
    pairs.push({
      ours,
      serviceCpu,
      bare: await runLoad({ ...load, url: `http://127.0.0.1:${bare.port}/` }),
    });
  }
  const over = (take: (pair: (typeof pairs)[number]) => number): number => median(pairs.map(take));
  return {
    workload: workload.name,
    connections,
    perSecond: over(({ ours }) => ours.perSecond),
    barePerSecond: over((pair) => pair.bare.perSecond),
    ratio: over((pair) => pair.ours.perSecond / pair.bare.perSecond),
    p50Ms: over(({ ours }) => ours.p50Ms),
    p99Ms: over(({ ours }) => ours.p99Ms),
    maxMs: over(({ ours }) => ours.maxMs),
    serviceCpu: over((pair) => pair.serviceCpu),
    loadCpu: over(({ ours }) => ours.loadCpu),
    residentMiB: service.residentMiB(),
    failed: pairs.reduce((sum, { ours }) => sum + ours.failed, 0),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
