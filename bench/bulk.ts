/**
 * Many rows by few requests beside single upserts by many connections, of the
 * same records and in turn; and what single upserts wait beside a long stream.
 */
import { execFile } from 'node:child_process';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Workload, workloads } from './bodies.ts';
import type { BulkLoad, BulkRound } from './bulk-load.ts';
import { type Measured, measure, median, type Plan, percentile } from './measure.ts';
import type { Options } from './options.ts';
import { startPostgres } from './postgres-server.ts';
import { say, sayFilled } from './progress.ts';
import { type Columns, machine, type Report, tables, whole } from './report.ts';
import type { ServerProcess } from './server-process.ts';
import { slowDisk, startService } from './service.ts';
import { KNOWN, makeWorld } from './world.ts';

const LOAD = fileURLToPath(new URL('./bulk-load.ts', import.meta.url));
const SINGLE_CONNECTIONS = 64;
const STREAMS = [1, 4];
/** Rows of all streams of a round together: half of them update known records, each once. */
const ROWS = 2 * KNOWN;
const PROBE = { clients: 4, pauseMs: 5 };

interface Result {
  readonly workload: string;
  readonly streams: number;
  readonly rowsPerSecond: number;
  readonly singlesPerSecond: number;
  /** Rows to single upserts, pair by pair. */
  readonly ratio: number;
  /** What single upserts of a few clients took beside the streams, and alone. */
  readonly besideP50Ms: number;
  readonly besideP99Ms: number;
  readonly aloneP99Ms: number;
  readonly residentMiB: number;
  readonly failed: number;
}

const COLUMNS: Columns<Result> = [
  ['streams', (one) => String(one.streams)],
  ['rows/s', (one) => whole(one.rowsPerSecond)],
  [`single upserts/s at ${SINGLE_CONNECTIONS}`, (one) => whole(one.singlesPerSecond)],
  ['ratio', (one) => one.ratio.toFixed(2)],
  ['single p50 ms beside', (one) => one.besideP50Ms.toFixed(2)],
  ['p99 ms beside', (one) => one.besideP99Ms.toFixed(2)],
  ['p99 ms alone', (one) => one.aloneP99Ms.toFixed(2)],
  ['MiB', (one) => one.residentMiB.toFixed(0)],
  ['failed', (one) => String(one.failed)],
];

export async function bulk(options: Options, folder: string): Promise<Report> {
  const { connections: streams = STREAMS, records, rounds } = options;
  const postgres = options.database === 'postgres' ? await startPostgres(folder) : undefined;
  const url = postgres?.url ?? `sqlite:${join(folder, 'data', 'ledgerstone.db')}`;
  const world = await makeWorld(url, records, (done) => sayFilled(done, records));
  const service = await startService(url, slowDisk(folder, options.slowDisk));
  const results: Result[] = [];
  for (const workload of workloads(world)) {
    // A stream is JSON, and takes no Idempotency-Key.
    if (workload.contentType !== 'application/json' || workload.keyed) continue;
    if (!workload.name.includes(options.only ?? '')) continue;
    for (const count of streams) {
      say(`${workload.name}, ${count} streams`);
      const { authorization } = world;
      const plan = { ...options, authorization, ...(postgres && { prepare: postgres.checkpoint }) };
      results.push(await measureBulk(service, workload, count, plan));
    }
  }
  await service.stop();
  await postgres?.stop();
  const text = [`${machine()}; medians of ${rounds} rounds`, '', tables(COLUMNS, results)].join(
    '\n',
  );
  return { text, json: { machine: machine(), options, results }, chart: chartOf(results) };
}

async function measureBulk(
  service: ServerProcess,
  workload: Workload,
  streams: number,
  plan: Plan,
): Promise<Result> {
  const { authorization } = plan;
  const origin = `http://127.0.0.1:${service.port}`;
  const load = {
    url: `${origin}${workload.path}_many`,
    authorization,
    template: workload.template,
    streams,
    rows: Math.floor(ROWS / streams),
  };
  await runBulk({ ...load, rows: 10_000, prefix: 'warm' });
  const { measured, pairs } = await measure(
    service,
    workload,
    SINGLE_CONNECTIONS,
    plan,
    ({ prefix }) => runBulk({ ...load, prefix: `${prefix}-bulk` }),
  );
  const probed = async (work: () => Promise<unknown>): Promise<number[]> => {
    const probe = startProbe(origin, workload, authorization, PROBE);
    await work();
    await probe.stop();
    return probe.samples.map(({ ms }) => ms);
  };
  const alone = await probed(() => new Promise((resolve) => setTimeout(resolve, 2000)));
  const beside = await probed(() => runBulk({ ...load, prefix: `beside-${Date.now()}` }));
  return {
    workload: workload.name.replace(', JSON', ''),
    streams,
    rowsPerSecond: median(pairs.map(({ other }) => other.perSecond)),
    singlesPerSecond: (measured as Measured).perSecond,
    ratio: median(pairs.map(({ ours, other }) => other.perSecond / ours.perSecond)),
    besideP50Ms: percentile(beside, 0.5),
    besideP99Ms: percentile(beside, 0.99),
    aloneP99Ms: percentile(alone, 0.99),
    residentMiB: service.residentMiB(),
    failed: measured.failed + pairs.reduce((sum, { other }) => sum + other.failed, 0),
  };
}

async function runBulk(load: BulkLoad): Promise<BulkRound> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [LOAD, JSON.stringify(load)]);
  return JSON.parse(stdout);
}

function chartOf(results: readonly Result[]): Report['chart'] {
  return {
    title: 'Durable rows a second: many by few requests, and single upserts',
    bars: results.flatMap(({ workload, streams, rowsPerSecond, singlesPerSecond }) => {
      const bar = { panel: `${workload}, by streams`, group: String(streams) };
      return [
        { ...bar, name: 'many at once', value: rowsPerSecond },
        { ...bar, name: 'single upserts', value: singlesPerSecond },
      ];
    }),
  };
}

interface Sample {
  /** When it was sent, as `performance.now()` tells. */
  readonly sent: number;
  readonly ms: number;
  /** 0 where there was no answer. */
  readonly status: number;
}

interface Probe {
  /** All so far. */
  readonly samples: readonly Sample[];
  stop(): Promise<void>;
}

/** Starts clients that update known records; each waits for its answer, and then `pauseMs`. */
function startProbe(
  url: string,
  workload: Workload,
  authorization: string,
  { clients, pauseMs }: { readonly clients: number; readonly pauseMs: number },
): Probe {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const samples: Sample[] = [];
  let going = true;
  const ask = (body: string): Promise<number> =>
    new Promise((resolve) => {
      const headers = {
        Authorization: authorization,
        'Content-Type': workload.contentType,
        'Content-Length': Buffer.byteLength(body),
      };
      const sending = request(url + workload.path, { agent, method: 'POST', headers }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
        answer.on('error', () => resolve(0));
      });
      sending.on('error', () => resolve(0));
      sending.end(body);
    });
  const work = async (client: number): Promise<void> => {
    for (let count = client; going; count += clients) {
      const body = workload.template
        .replaceAll('@ID@', `known-${count % KNOWN}`)
        .replaceAll('@N@', String(count));
      const sent = performance.now();
      const status = await ask(body);
      samples.push({ sent, ms: performance.now() - sent, status });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const working = Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  return {
    samples,
    async stop() {
      going = false;
      await working;
      agent.destroy();
    },
  };
}
