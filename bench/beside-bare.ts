/** Our service on SQLite beside a bare `node:http` server, under the same load, in turn. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workloads } from './bodies.ts';
import { runLoad } from './load.ts';
import { type Measured, measure, median, type Other } from './measure.ts';
import type { Options } from './options.ts';
import { say, sayFilled } from './progress.ts';
import { type Columns, machine, type Report, tables, whole } from './report.ts';
import { startServer } from './server-process.ts';
import { slowDisk, startService, startUpMs, upsertOnce } from './service.ts';
import { KNOWN, makeWorld } from './world.ts';

interface Result extends Measured {
  readonly barePerSecond: number;
  /** Ours to the bare server's, pair by pair. */
  readonly ratio: number;
}

const BARE = fileURLToPath(new URL('./bare.ts', import.meta.url));
const BARE_PORT = 18_081;
const CONNECTIONS = [1, 16, 64, 256];

const COLUMNS: Columns<Result> = [
  ['connections', (one) => String(one.connections)],
  ['upserts/s', (one) => whole(one.perSecond)],
  ['bare/s', (one) => whole(one.barePerSecond)],
  ['ratio', (one) => one.ratio.toFixed(2)],
  ['p50 ms', (one) => one.p50Ms.toFixed(2)],
  ['p99 ms', (one) => one.p99Ms.toFixed(2)],
  ['max ms', (one) => one.maxMs.toFixed(1)],
  ['CPU service', (one) => one.serviceCpu.toFixed(2)],
  ['CPU load', (one) => one.loadCpu.toFixed(2)],
  ['MiB', (one) => one.residentMiB.toFixed(0)],
  ['failed', (one) => String(one.failed)],
];

export async function besideBare(options: Options, folder: string): Promise<Report> {
  const file = join(folder, 'data', 'ledgerstone.db');
  const url = `sqlite:${file}`;
  const { connections: numbers = CONNECTIONS, records, rounds, seconds } = options;
  const world = await makeWorld(url, records, (done) => sayFilled(done, records));
  const bytesPerRecord = statSync(file).size / (Math.max(records, KNOWN) + KNOWN);
  const environment = slowDisk(folder, options.slowDisk);
  const startMs = await startUpMs(url, environment, world);
  const service = await startService(url, environment);
  const results: Result[] = [];
  for (const workload of workloads(world)) {
    if (!workload.name.includes(options.only ?? '')) continue;
    const size = Buffer.byteLength(await upsertOnce(service, workload, world));
    const bare = await startServer(
      process.execPath,
      [BARE, String(BARE_PORT), String(size)],
      BARE_PORT,
    );
    const { authorization } = world;
    const besides =
      (connections: number): Other<number> =>
      async (round) => {
        const load = { ...workload, ...round, authorization, connections };
        return (await runLoad({ ...load, url: `http://127.0.0.1:${bare.port}/` })).perSecond;
      };
    await measure(service, workload, 16, { authorization, seconds: 2, rounds: 1 }, besides(16));
    for (const connections of numbers) {
      say(`${workload.name}, ${connections} connections`);
      const plan = { authorization, seconds, rounds };
      const other = besides(connections);
      const { measured, pairs } = await measure(service, workload, connections, plan, other);
      results.push({
        ...measured,
        barePerSecond: median(pairs.map((pair) => pair.other)),
        ratio: median(pairs.map((pair) => pair.ours.perSecond / pair.other)),
      });
    }
    await bare.stop();
  }
  await service.stop();
  const text = [
    `${machine()}; medians of ${rounds} rounds of ${seconds} s`,
    `From start to the first answered upsert: ${startMs.toFixed(0)} ms. ${bytesPerRecord.toFixed(0)} bytes a record.`,
    '',
    tables(COLUMNS, results),
  ].join('\n');
  return {
    text,
    json: { machine: machine(), options, startMs, bytesPerRecord, results },
    chart: {
      title: 'Durable upserts a second, and the requests of a bare node:http server',
      bars: results.flatMap(({ workload, connections, perSecond, barePerSecond }) => [
        {
          panel: `${workload}, by connections`,
          group: `${connections}`,
          name: 'Ledgerstone',
          value: perSecond,
        },
        {
          panel: `${workload}, by connections`,
          group: `${connections}`,
          name: 'bare node:http',
          value: barePerSecond,
        },
      ]),
    },
  };
}
