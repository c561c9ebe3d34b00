/** Our service with several accounts, or in several processes, beside one account in one process, in turn. */
import { join } from 'node:path';
import { type Workload, workloads } from './bodies.ts';
import { type Load, type Round, runLoad } from './load.ts';
import { median } from './measure.ts';
import type { Options } from './options.ts';
import { makeDatabase } from './postgres-ground.ts';
import { type BenchPostgres, startPostgres } from './postgres-server.ts';
import { say } from './progress.ts';
import { type Columns, machine, type Report, tables, whole } from './report.ts';
import type { ServerProcess } from './server-process.ts';
import { startService } from './service.ts';
import { KNOWN, makeWorlds, type World } from './world.ts';

const CONNECTIONS = [64, 256];
const WARM_UP_S = 3;
/** The port of the first process. */
const PORT = 18_090;

export interface Rate {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly failed: number;
  /** Microseconds of processor time a request, in all processes of the service. */
  readonly cpuUs: number;
}

interface Result {
  readonly workload: string;
  readonly connections: number;
  readonly one: Rate;
  readonly several: Rate;
  /** Several to one, pair by pair. */
  readonly ratio: number;
}

const COLUMNS: Columns<Result> = [
  ['connections', (result) => String(result.connections)],
  ['one/s', (result) => whole(result.one.perSecond)],
  ['several/s', (result) => whole(result.several.perSecond)],
  ['ratio', (result) => result.ratio.toFixed(2)],
  ['p99 ms, one', (result) => result.one.p99Ms.toFixed(2)],
  ['several', (result) => result.several.p99Ms.toFixed(2)],
  ['CPU µs a request, one', (result) => result.one.cpuUs.toFixed(0)],
  ['several', (result) => result.several.cpuUs.toFixed(0)],
  ['failed', (result) => String(result.one.failed + result.several.failed)],
];

/** Who is asked, and in the name of whom. */
export interface Side {
  readonly services: readonly ServerProcess[];
  readonly load: Omit<Load, 'url' | 'connections' | 'seconds' | 'prefix'>;
  readonly path: string;
}

export async function several(options: Options, folder: string): Promise<Report> {
  const { connections = CONNECTIONS, rounds, seconds, accounts = 1, processes = 1 } = options;
  if (processes > 1 && options.database === 'sqlite') {
    throw new Error('One process serves a SQLite file: use --database postgres with --processes.');
  }
  const server = options.database === 'postgres' ? await startPostgres(folder) : undefined;
  const services: ServerProcess[] = [];
  try {
    const url = server
      ? await makeDatabase(server, 'several')
      : `sqlite:${join(folder, 'data', 'ledgerstone.db')}`;
    const known = Math.ceil(KNOWN / accounts);
    const worlds = await makeWorlds(url, accounts, known);
    while (services.length < processes) {
      services.push(await startService(url, {}, PORT + services.length));
    }
    const one = sideOf(services.slice(0, 1), worlds.slice(0, 1), known);
    const all = sideOf(services, worlds, known);
    const name = `check-ins; accounts: ${accounts}, processes: ${processes}`;
    const results: Result[] = [];
    for (const count of connections) {
      say(`${name}, ${count} connections`);
      const plan = { connections: count, rounds, seconds, server };
      results.push({ workload: name, connections: count, ...(await compare(one, all, plan)) });
    }
    return reportOf(results, options, server);
  } finally {
    for (const service of services) await service.stop();
    await server?.stop();
  }
}

export function sideOf(
  services: readonly ServerProcess[],
  worlds: readonly World[],
  known: number,
): Side {
  const checkIns = worlds.map((world) => workloads(world)[0] as Workload);
  const { path, contentType } = checkIns[0] as Workload;
  const authorization = worlds.map((world) => world.authorization).join('\n');
  const template = checkIns.map((one) => one.template).join('\n');
  return { services, load: { authorization, contentType, template, known }, path };
}

interface Plan {
  readonly connections: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly server: BenchPostgres | undefined;
}

async function compare(
  one: Side,
  all: Side,
  { connections, rounds, seconds, server }: Plan,
): Promise<Pick<Result, 'one' | 'several' | 'ratio'>> {
  const rates = new Map<Side, Rate[]>([
    [one, []],
    [all, []],
  ]);
  for (const side of [one, all]) await runOn(side, connections, WARM_UP_S, 'warm');
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? [one, all] : [all, one]) {
      await server?.checkpoint();
      rates.get(side)?.push(await runOn(side, connections, seconds, `${connections}-${round}`));
    }
  }
  const [ofOne = [], ofAll = []] = [rates.get(one), rates.get(all)];
  const pairs = ofOne.map((rate, at) => (ofAll[at]?.perSecond ?? Number.NaN) / rate.perSecond);
  return { one: medians(ofOne), several: medians(ofAll), ratio: median(pairs) };
}

/** Its processes share the connections. */
export async function runOn(
  side: Side,
  connections: number,
  seconds: number,
  name: string,
): Promise<Rate> {
  const { services, load, path } = side;
  const used = (): number => services.reduce((sum, service) => sum + service.cpuSeconds(), 0);
  const before = used();
  const share = Math.ceil(connections / services.length);
  const began = Date.now().toString(36);
  const rounds: readonly Round[] = await Promise.all(
    services.map(({ port }) => {
      const url = `http://127.0.0.1:${port}${path}`;
      const prefix = `${began}-${name}-${port}`;
      return runLoad({ ...load, url, connections: share, seconds, prefix });
    }),
  );
  const sum = (take: (round: Round) => number): number =>
    rounds.reduce((total, round) => total + take(round), 0);
  const perSecond = sum((round) => round.perSecond);
  return {
    perSecond,
    p99Ms: Math.max(...rounds.map((round) => round.p99Ms)),
    failed: sum((round) => round.failed),
    cpuUs: ((used() - before) / seconds / perSecond) * 1e6,
  };
}

export function medians(rates: readonly Rate[]): Rate {
  const of = (take: (rate: Rate) => number): number => median(rates.map(take));
  return {
    perSecond: of((rate) => rate.perSecond),
    p99Ms: of((rate) => rate.p99Ms),
    failed: rates.reduce((sum, { failed }) => sum + failed, 0),
    cpuUs: of((rate) => rate.cpuUs),
  };
}

function reportOf(
  results: readonly Result[],
  options: Options,
  server: BenchPostgres | undefined,
): Report {
  const { rounds, seconds } = options;
  const on = server?.version ?? 'SQLite';
  return {
    text: [
      `${machine()}, ${on}; medians of ${rounds} rounds of ${seconds} s`,
      '',
      tables(COLUMNS, results),
    ].join('\n'),
    json: { machine: machine(), version: on, options, results },
    chart: {
      title: 'Durable upserts a second: one account in one process, and several',
      bars: results.flatMap(({ workload, connections, one, several }) => {
        const bar = { panel: `${workload}, by connections`, group: String(connections) };
        return [
          { ...bar, name: 'one', value: one.perSecond },
          { ...bar, name: 'several', value: several.perSecond },
        ];
      }),
    },
  };
}
