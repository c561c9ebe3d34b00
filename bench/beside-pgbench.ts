/** Our service on PostgreSQL beside pgbench on the same server, in turn. */
import { type Workload, workloads } from './bodies.ts';
import { FLAT_COLUMNS, type Flat, type FlatPlan, measureFlat } from './flat.ts';
import { type Measured, measure, median, type Other } from './measure.ts';
import type { Options } from './options.ts';
import { type PgbenchRound, pgbenchMedians, WARM_UP_S } from './pgbench.ts';
import { FILLED, type Ground, makeGround, type Rival } from './postgres-ground.ts';
import { startPostgres } from './postgres-server.ts';
import { say } from './progress.ts';
import { type Columns, machine, type Report, tables, whole } from './report.ts';
import { startService, startUpMs } from './service.ts';
import { KNOWN } from './world.ts';

type Rounds = Readonly<Record<Rival, PgbenchRound>>;

interface Result extends Measured {
  /** What pgbench gave: medians over the rounds. */
  readonly pgbench: Rounds;
  /** Ours to pgbench's merged upserts into a table like ours, pair by pair. */
  readonly ratio: number;
  /** Ours to its merged upserts into a bare table, pair by pair. */
  readonly bareRatio: number;
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
  ['bare merged/s', (one) => whole(one.pgbench.bare.perSecond)],
  ['ratio to bare', (one) => one.bareRatio.toFixed(2)],
  ['CPU service', (one) => one.serviceCpu.toFixed(2)],
  ['CPU load', (one) => one.loadCpu.toFixed(2)],
  ['MiB', (one) => one.residentMiB.toFixed(0)],
  ['failed', (one) => String(one.failed)],
];

const LEGEND = [
  'pgbench merges, or overwrites, in a table with the columns and indexes of ours, and only under a parent that is there.',
  'Bare: it merges in a table whose only index is its primary key, and looks for no parent.',
].join('\n');

export async function besidePgbench(options: Options, folder: string): Promise<Report> {
  const { connections = CONNECTIONS, rounds, seconds, only = '' } = options;
  const records = Math.max(options.records, KNOWN);
  const server = await startPostgres(folder);
  try {
    const ground = await makeGround(server, folder, 'large', records);
    const small = records > KNOWN ? await makeGround(server, folder, 'small', KNOWN) : undefined;
    const startMs = await startUpMs(ground.url, {}, ground.world);
    const plan = { connections, rounds, seconds, prepare: server.checkpoint };
    const measured = workloadsOf(ground).filter(({ name }) => name.includes(only));
    const flat: Flat[] = [];
    for (const { name, resource } of measured) {
      if (small === undefined || resource !== FILLED) continue;
      const same = (of: Ground): Workload =>
        workloadsOf(of).find((one) => one.name === name) as Workload;
      flat.push(...(await measureFlat({ large: ground, small }, same, plan)));
    }
    const results = await measureBeside(ground, measured, plan);
    const { version } = server;
    const { bytesPerRecord } = ground;
    const text = [
      `${machine()}, ${version}; medians of ${rounds} rounds of ${seconds} s`,
      `From start to the first answered upsert: ${startMs.toFixed(0)} ms. ${bytesPerRecord.toFixed(0)} bytes a record.`,
      LEGEND,
      '',
      tables(COLUMNS, results),
      ...(flat.length === 0 ? [] : ['', flatText(flat, records)]),
    ].join('\n');
    const json = { machine: machine(), version, options, startMs, bytesPerRecord, results, flat };
    return { text, json, chart: chartOf(results) };
  } finally {
    await server.stop();
  }
}

/** How a body is written down is nothing to pgbench. */
function workloadsOf({ world }: Ground): Workload[] {
  return workloads(world).filter(({ name, keyed }) => name.endsWith('JSON') && !keyed);
}

async function measureBeside(
  ground: Ground,
  measuredWorkloads: readonly Workload[],
  plan: FlatPlan,
): Promise<Result[]> {
  const service = await startService(ground.url);
  const { authorization } = ground.world;
  const results: Result[] = [];
  for (const workload of measuredWorkloads) {
    const besides =
      (connections: number): Other<Rounds> =>
      async (round) => {
        const load = { ...round, connections };
        return {
          merged: await ground.pgbench(workload, 'merged', load),
          overwritten: await ground.pgbench(workload, 'overwritten', load),
          bare: await ground.pgbench(workload, 'bare', load),
        };
      };
    await measure(service, workload, 16, { authorization, seconds: 2, rounds: 1 }, besides(16));
    for (const connections of plan.connections) {
      say(`${workload.name}, ${connections} connections`);
      const { measured, pairs } = await measure(
        service,
        workload,
        connections,
        { ...plan, authorization, warmUpSeconds: WARM_UP_S },
        besides(connections),
      );
      const of = (rival: Rival): PgbenchRound =>
        pgbenchMedians(pairs.map(({ other }) => other[rival]));
      const to = (rival: Rival): number =>
        median(pairs.map(({ ours, other }) => ours.perSecond / other[rival].perSecond));
      results.push({
        ...measured,
        pgbench: { merged: of('merged'), overwritten: of('overwritten'), bare: of('bare') },
        ratio: to('merged'),
        bareRatio: to('bare'),
      });
    }
  }
  await service.stop();
  return results;
}

function flatText(flat: readonly Flat[], records: number): string {
  const [large, small] = [records, KNOWN].map(whole);
  return [
    `Large: this database, with ${large} check-ins. Small: another one of the same server with ${small}, in turn with it.`,
    '',
    tables(FLAT_COLUMNS, flat),
  ].join('\n');
}

function chartOf(results: readonly Result[]): Report['chart'] {
  return {
    title: 'Durable upserts a second on one PostgreSQL, by connections',
    bars: results.flatMap(({ workload, connections, perSecond, pgbench: { merged, bare } }) => {
      const bar = { panel: `${workload}, by connections`, group: `${connections}` };
      return [
        { ...bar, name: 'Ledgerstone', value: perSecond },
        { ...bar, name: 'pgbench', value: merged.perSecond },
        { ...bar, name: 'pgbench, one index and no parent', value: bare.perSecond },
      ];
    }),
  };
}
