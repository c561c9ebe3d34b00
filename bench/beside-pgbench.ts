/** Our service on PostgreSQL beside pgbench on the same server, in turn. */
import { type Workload, workloads } from './bodies.ts';
import { fillCheckIns } from './fill.ts';
import { type Measured, measure, median, type Other } from './measure.ts';
import type { Options } from './options.ts';
import { type Manner, type PgbenchRound, preparePgbench } from './pgbench.ts';
import { startPostgres } from './postgres-server.ts';
import { say, sayFilled } from './progress.ts';
import { type Columns, machine, type Report, tables, whole } from './report.ts';
import { startService, startUpMs } from './service.ts';
import { KNOWN, makeWorld } from './world.ts';

type Rounds = Readonly<Record<Manner, PgbenchRound>>;

interface Result extends Measured {
  /** What pgbench gave: medians over the rounds. */
  readonly pgbench: Rounds;
  /** Ours to pgbench's merged upserts, pair by pair. */
  readonly ratio: number;
}

const CONNECTIONS = [64, 256];

const COLUMNS: Columns<Result> = [
  ['connections', (one) => String(one.connections)],
  ['upserts/s', (one) => whole(one.perSecond)],
  ['p50 ms', (one) => one.p50Ms.toFixed(2)],
  ['p99 ms', (one) => one.p99Ms.toFixed(2)],
  ['pgbench merged/s', (one) => whole(one.pgbench.merged.perSecond)],
  ['p50 ms', (one) => one.pgbench.merged.p50Ms.toFixed(2)],
  ['p99 ms', (one) => one.pgbench.merged.p99Ms.toFixed(2)],
  ['ratio', (one) => one.ratio.toFixed(2)],
  ['overwritten/s', (one) => whole(one.pgbench.overwritten.perSecond)],
  ['CPU service', (one) => one.serviceCpu.toFixed(2)],
  ['CPU load', (one) => one.loadCpu.toFixed(2)],
  ['MiB', (one) => one.residentMiB.toFixed(0)],
  ['failed', (one) => String(one.failed)],
];

export async function besidePgbench(options: Options, folder: string): Promise<Report> {
  const { connections: numbers = CONNECTIONS, rounds, seconds } = options;
  const records = Math.max(options.records, KNOWN);
  const server = await startPostgres(folder);
  try {
    const world = await makeWorld(server.url, KNOWN, (done) => sayFilled(done, records));
    const bytesPerRecord = await fillCheckIns(server.url, KNOWN, records, (done) =>
      sayFilled(done, records),
    );
    const pgbench = await preparePgbench(server, folder, records);
    const startMs = await startUpMs(server.url, {}, world);
    const service = await startService(server.url);
    const { authorization } = world;
    const results: Result[] = [];
    for (const workload of workloads(world)) {
      // How a body is written down is nothing to pgbench.
      if (!workload.name.endsWith('JSON') || workload.keyed) continue;
      if (!workload.name.includes(options.only ?? '')) continue;
      const document = documentOf(workload);
      const besides =
        (connections: number): Other<Rounds> =>
        async (round) => ({
          merged: await pgbench.run(document, 'merged', { ...round, connections }),
          overwritten: await pgbench.run(document, 'overwritten', { ...round, connections }),
        });
      await measure(service, workload, 16, { authorization, seconds: 2, rounds: 1 }, besides(16));
      for (const connections of numbers) {
        say(`${workload.name}, ${connections} connections`);
        const plan = { authorization, seconds, rounds };
        const other = besides(connections);
        const { measured, pairs } = await measure(service, workload, connections, plan, other);
        const others = pairs.map((pair) => pair.other);
        results.push({
          ...measured,
          pgbench: {
            merged: medians(others.map(({ merged }) => merged)),
            overwritten: medians(others.map(({ overwritten }) => overwritten)),
          },
          ratio: median(pairs.map(({ ours, other }) => ours.perSecond / other.merged.perSecond)),
        });
      }
    }
    await service.stop();
    const { version } = server;
    const text = [
      `${machine()}, ${version}; medians of ${rounds} rounds of ${seconds} s`,
      `From start to the first answered upsert: ${startMs.toFixed(0)} ms. ${bytesPerRecord.toFixed(0)} bytes a record.`,
      '',
      tables(COLUMNS, results),
    ].join('\n');
    return {
      text,
      json: { machine: machine(), version, options, startMs, bytesPerRecord, results },
      chart: {
        title: 'Durable upserts a second on one PostgreSQL, by connections',
        bars: results.flatMap(({ workload, connections, perSecond, pgbench: { merged } }) => [
          {
            panel: `${workload}, by connections`,
            group: `${connections}`,
            name: 'Ledgerstone',
            value: perSecond,
          },
          {
            panel: `${workload}, by connections`,
            group: `${connections}`,
            name: 'pgbench',
            value: merged.perSecond,
          },
        ]),
      },
    };
  } finally {
    await server.stop();
  }
}

function medians(rounds: readonly PgbenchRound[]): PgbenchRound {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  };
}

/** What a table of one's own would keep of the body: all but who the record is. */
function documentOf({ template }: Workload): string {
  const { external_identifier: _, ...members } = JSON.parse(template) as Record<string, unknown>;
  const own = Object.entries(members).filter(([name]) => !name.endsWith('_unique_identifier'));
  return JSON.stringify(Object.fromEntries(own));
}
