/**
 * What becomes of our service when far more is sent than it can do: whether it
 * still does nearly as much as it can, what the others are told, and how soon
 * it is as before when that ends.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Workload, workloads } from './bodies.ts';
import { type Round, runLoad } from './load.ts';
import { median, percentile } from './measure.ts';
import type { Options } from './options.ts';
import { startPostgres } from './postgres-server.ts';
import { type Sample, startProbe } from './probe.ts';
import { say, sayFilled } from './progress.ts';
import { type Columns, machine, type Report, table, whole } from './report.ts';
import type { ServerProcess } from './server-process.ts';
import { slowDisk, startService } from './service.ts';
import { makeWorld } from './world.ts';

const CONNECTIONS = [64, 128, 256];
/** Four times as many as may wait for a commit. */
const MANY = 8_192;
const THREADS = 2;
/** How much longer than another round the overload lasts. */
const LONGER = 3;
/** Few enough to take little from the load, often enough to tell how long 100 ms of requests took. */
const PROBE = { clients: 16, pauseMs: 2 };
const WINDOW_MS = 100;
const AROUND_MS = 3_000;

/** Goodput within 15 % of the best; as before, which is within twice its p99, after two seconds. */
const GOAL = { goodput: 0.85, normalMs: 2_000, slower: 2 };

interface Window {
  /** Milliseconds since the first. */
  readonly at: number;
  readonly p99Ms: number;
  readonly answered: number;
  readonly refused: number;
}

interface Latency {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

interface Memory {
  readonly before: number;
  readonly highest: number;
  readonly after: number;
}

interface Result {
  readonly goodputs: readonly { readonly connections: number; readonly perSecond: number }[];
  readonly best: number;
  readonly connections: number;
  readonly offeredPerSecond: number;
  /** How many times the best. */
  readonly offered: number;
  readonly goodput: number;
  /** Of the best. */
  readonly share: number;
  readonly refusedPerSecond: number;
  readonly answeredMs: Latency;
  readonly refusedMs: Latency;
  readonly residentMiB: Memory;
  readonly normalP99Ms: number;
  readonly normalAfterMs: number | undefined;
  readonly after: readonly Window[];
}

const WINDOWS: Columns<Window> = [
  ['ms after', (one) => String(one.at)],
  ['p99 ms', (one) => one.p99Ms.toFixed(1)],
  ['200s', (one) => String(one.answered)],
  ['refused', (one) => String(one.refused)],
];

export async function overload(options: Options, folder: string): Promise<Report> {
  const server = options.database === 'postgres' ? await startPostgres(folder) : undefined;
  const url = server?.url ?? `sqlite:${join(folder, 'data', 'ledgerstone.db')}`;
  const { records, seconds, rounds, connections: numbers = CONNECTIONS } = options;
  const world = await makeWorld(url, records, (done) => sayFilled(done, records));
  // All of them are one key's, which may have half of those that are allowed.
  const environment = { ...slowDisk(folder, options.slowDisk), MAX_CONNECTIONS: '20000' };
  const service = await startService(url, environment);
  const [workload] = workloads(world) as [Workload];
  const { authorization } = world;
  const load = (connections: number, threads: number, longer: number): Promise<Round> =>
    runLoad({
      ...workload,
      ...{ authorization, connections, threads, seconds: seconds * longer },
      url: `http://127.0.0.1:${service.port}${workload.path}`,
      prefix: `new-${Date.now().toString(36)}`,
    });

  const goodputs: { connections: number; perSecond: number }[] = [];
  for (const connections of numbers) {
    say(`best goodput: ${connections} connections`);
    const each: number[] = [];
    for (let round = 0; round < rounds; round++)
      each.push(goodputOf(await load(connections, 1, 1)));
    goodputs.push({ connections, perSecond: median(each) });
  }
  const best = Math.max(...goodputs.map(({ perSecond }) => perSecond));

  const origin = `http://127.0.0.1:${service.port}`;
  const memory = watchMemory(service);
  const probe = startProbe(origin, workload, authorization, PROBE);
  say('before');
  await pause(AROUND_MS);
  const began = performance.now();
  say(`overload: ${MANY} connections`);
  const round = await load(MANY, THREADS, LONGER);
  const ended = performance.now();
  say('after');
  await pause(AROUND_MS);
  await probe.stop();
  const mib = memory.stop();
  await service.stop();
  await server?.stop();

  const between = (from: number, to: number): Sample[] =>
    probe.samples
      .filter(({ sent }) => sent >= from && sent < to)
      .sort((one, other) => one.sent - other.sent);
  const normal = median(windowsOf(between(began - AROUND_MS, began)).map(({ p99Ms }) => p99Ms));
  const windows = windowsOf(between(ended, ended + AROUND_MS));
  const goodput = goodputOf(round);
  const result: Result = {
    goodputs,
    best,
    connections: MANY,
    offeredPerSecond: round.perSecond,
    offered: round.perSecond / best,
    goodput,
    share: goodput / best,
    refusedPerSecond: round.refusedPerSecond,
    answeredMs: latency(between(began, ended), (status) => status === 200),
    refusedMs: latency(between(began, ended), (status) => status !== 200),
    residentMiB: mib,
    normalP99Ms: normal,
    normalAfterMs: normalAfter(windows, normal),
    after: windows,
  };
  return {
    text: textOf(result),
    json: { machine: machine(), options, result },
    chart: {
      title: 'Durable upserts a second, at the best and under overload',
      bars: [...goodputs, { connections: MANY, perSecond: goodput }].map((one) => ({
        panel: 'by connections',
        group: `${one.connections}`,
        name: 'Ledgerstone',
        value: one.perSecond,
      })),
    },
  };
}

function goodputOf({ perSecond, refusedPerSecond }: Round): number {
  return perSecond - refusedPerSecond;
}

function latency(samples: readonly Sample[], takes: (status: number) => boolean): Latency {
  const times = samples.filter(({ status }) => takes(status)).map(({ ms }) => ms);
  return { count: times.length, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

/** Samples by the 100 ms in which they were sent. */
function windowsOf(samples: readonly Sample[]): Window[] {
  const start = samples[0]?.sent ?? 0;
  const windows = Map.groupBy(samples, ({ sent }) => Math.floor((sent - start) / WINDOW_MS));
  return [...windows].map(([window, of]) => ({
    at: window * WINDOW_MS,
    p99Ms: percentile(
      of.map(({ ms }) => ms),
      0.99,
    ),
    answered: of.filter(({ status }) => status === 200).length,
    refused: of.filter(({ status }) => status !== 200).length,
  }));
}

/** When the first window began in which all is as before, if there was one. */
function normalAfter(windows: readonly Window[], normalP99Ms: number): number | undefined {
  return windows.find(({ p99Ms, refused }) => refused === 0 && p99Ms <= GOAL.slower * normalP99Ms)
    ?.at;
}

/** The memory of the service, looked at again and again: at first, at most, at last. */
function watchMemory(service: ServerProcess): { stop(): Memory } {
  const seen = [service.residentMiB()];
  const timer = setInterval(() => seen.push(service.residentMiB()), WINDOW_MS);
  return {
    stop() {
      clearInterval(timer);
      return { before: seen[0] ?? 0, highest: Math.max(...seen), after: seen.at(-1) ?? 0 };
    },
  };
}

function textOf(result: Result): string {
  const { goodputs, answeredMs, refusedMs, residentMiB: mib, normalAfterMs } = result;
  const asWanted = (met: boolean): string => (met ? 'as wanted' : 'NOT as wanted');
  const soon = normalAfterMs !== undefined && normalAfterMs <= GOAL.normalMs;
  const times = ({ count, p50, p99 }: Latency): string =>
    count === 0 ? 'none seen' : `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  return [
    machine(),
    `Best goodput: ${goodputs.map((one) => `${whole(one.perSecond)}/s at ${one.connections} connections`).join(', ')}.`,
    `Overload: ${whole(result.connections)} connections, each asking again at once, send ${whole(result.offeredPerSecond)}/s, ${result.offered.toFixed(1)} times the best.`,
    `  answered 200: ${whole(result.goodput)}/s, ${(result.share * 100).toFixed(0)} % of the best (goal: ${GOAL.goodput * 100} %, ${asWanted(result.share >= GOAL.goodput)}); ${times(answeredMs)}`,
    `  refused: ${whole(result.refusedPerSecond)}/s; ${times(refusedMs)}`,
    `  memory: ${mib.before.toFixed(0)} MiB before, ${mib.highest.toFixed(0)} at most, ${mib.after.toFixed(0)} after`,
    `After it: p99 as before (${result.normalP99Ms.toFixed(1)} ms; up to ${GOAL.slower} times that) ${normalAfterMs === undefined ? 'not seen' : `after ${normalAfterMs} ms`} (goal: ${GOAL.normalMs} ms, ${asWanted(soon)}).`,
    '',
    table(WINDOWS, result.after),
  ].join('\n');
}
