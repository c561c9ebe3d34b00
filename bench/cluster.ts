/** Check-ins on a cluster of Citus, a coordinator and two workers, in turn with one PostgreSQL server. */

import { median } from './measure.ts';
import type { Options } from './options.ts';
import { makeDatabase } from './postgres-ground.ts';
import {
  type BenchPostgres,
  newPassword,
  onServer,
  type PostgresPart,
  startPostgres,
} from './postgres-server.ts';
import { say } from './progress.ts';
import { type Columns, machine, type Report, tables, whole } from './report.ts';
import type { ServerProcess } from './server-process.ts';
import { startService } from './service.ts';
import { medians, type Rate, runOn, type Side, sideOf } from './several.ts';
import { KNOWN, makeWorlds } from './world.ts';

const ACCOUNTS = [1, 16];
const CONNECTIONS = [64, 256];
const WORKERS = 2;
const WARM_UP_S = 3;
/** The port of the coordinator; the workers' follow. */
const SERVER_PORT = 18_083;
const SERVICE_PORT = 18_090;

/** What was measured on one of both. */
interface Measured extends Rate {
  /** Microseconds of processor time a request: of all servers, and of the coordinator. */
  readonly serversUs: number;
  readonly coordinatorUs: number;
}

interface Result {
  readonly workload: string;
  readonly connections: number;
  readonly one: Measured;
  readonly cluster: Measured;
  /** The cluster to the one server, pair by pair. */
  readonly ratios: readonly number[];
}

const COLUMNS: Columns<Result> = [
  ['connections', (result) => String(result.connections)],
  ['one server/s', (result) => whole(result.one.perSecond)],
  ['Citus/s', (result) => whole(result.cluster.perSecond)],
  ['ratio', (result) => median(result.ratios).toFixed(2)],
  ['from', (result) => Math.min(...result.ratios).toFixed(2)],
  ['to', (result) => Math.max(...result.ratios).toFixed(2)],
  ['p99 ms, one', (result) => result.one.p99Ms.toFixed(1)],
  ['Citus', (result) => result.cluster.p99Ms.toFixed(1)],
  ['server µs, one', (result) => result.one.serversUs.toFixed(0)],
  ['Citus', (result) => result.cluster.serversUs.toFixed(0)],
  ['coordinator µs', (result) => result.cluster.coordinatorUs.toFixed(0)],
  ['service µs, one', (result) => result.one.cpuUs.toFixed(0)],
  ['Citus', (result) => result.cluster.cpuUs.toFixed(0)],
  ['failed', (result) => String(result.one.failed + result.cluster.failed)],
];

/** A database with the servers that it needs, the coordinator first. */
interface Ground {
  readonly url: string;
  readonly servers: readonly BenchPostgres[];
  readonly distribution?: 'citus';
}

export async function cluster(options: Options, folder: string): Promise<Report> {
  const { connections = CONNECTIONS, accounts } = options;
  const servers: BenchPostgres[] = [];
  const start = async (part: Partial<PostgresPart>): Promise<BenchPostgres> => {
    const server = await startPostgres(folder, part);
    servers.push(server);
    return server;
  };
  try {
    const one = await start({});
    const spread = await startCluster(start);
    const results: Result[] = [];
    for (const count of accounts === undefined ? ACCOUNTS : [accounts]) {
      const name = `accounts_${count}`;
      const grounds: Ground[] = [
        { url: await makeDatabase(one, name), servers: [one] },
        { url: await makeCluster(spread, name), servers: spread, distribution: 'citus' },
      ];
      results.push(...(await onGrounds(grounds, count, connections, options)));
    }
    return reportOf(results, options, one);
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function startCluster(
  start: (part: Partial<PostgresPart>) => Promise<BenchPostgres>,
): Promise<readonly BenchPostgres[]> {
  const password = newPassword();
  const settings = {
    shared_preload_libraries: 'citus',
    'citus.shard_count': String(WORKERS),
    'citus.local_hostname': '127.0.0.1',
    // The one server and its clients do not encrypt either.
    'citus.node_conninfo': 'sslmode=disable',
  };
  const servers: BenchPostgres[] = [];
  for (let nth = 0; nth <= WORKERS; nth++) {
    const name = nth === 0 ? 'coordinator' : `worker-${nth}`;
    servers.push(await start({ name, port: SERVER_PORT + nth, password, settings }));
  }
  return servers;
}

/** Makes a database on all servers; gives its address at the coordinator. */
async function makeCluster(servers: readonly BenchPostgres[], name: string): Promise<string> {
  const urls: string[] = [];
  for (const server of servers) {
    const url = await makeDatabase(server, name);
    await onServer(url, (client) => client.query('CREATE EXTENSION citus'));
    urls.push(url);
  }
  const [url = '', ...workers] = urls;
  await onServer(url, async (client) => {
    await client.query(`SELECT citus_set_coordinator_host('127.0.0.1', ${SERVER_PORT})`);
    for (const worker of workers) {
      await client.query(`SELECT citus_add_node('127.0.0.1', ${new URL(worker).port})`);
    }
  });
  return url;
}

async function onGrounds(
  grounds: readonly Ground[],
  accounts: number,
  connections: readonly number[],
  { rounds, seconds }: Options,
): Promise<readonly Result[]> {
  const services: ServerProcess[] = [];
  try {
    const known = Math.ceil(KNOWN / accounts);
    const sides: Side[] = [];
    for (const [at, { url, distribution }] of grounds.entries()) {
      const worlds = await makeWorlds(url, accounts, known, distribution);
      const own = distribution === undefined ? {} : { DATABASE_DISTRIBUTION: distribution };
      const service = await startService(url, own, SERVICE_PORT + at);
      services.push(service);
      sides.push(sideOf([service], worlds, known));
    }
    const results: Result[] = [];
    for (const count of connections) {
      const workload = `check-ins; accounts: ${accounts}`;
      say(`${workload}, ${count} connections`);
      const measured: Measured[][] = grounds.map(() => []);
      for (const side of sides) await runOn(side, count, WARM_UP_S, 'warm');
      for (let round = 0; round < rounds; round++) {
        for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
          const run = () => runOn(sides[at] as Side, count, seconds, `${count}-${round}`);
          measured[at]?.push(await runMeasured(run, grounds[at] as Ground, seconds));
        }
      }
      const [ofOne = [], ofCluster = []] = measured;
      const ratios = ofOne.map(
        (rate, at) => (ofCluster[at]?.perSecond ?? Number.NaN) / rate.perSecond,
      );
      const [one, cluster] = [mediansOf(ofOne), mediansOf(ofCluster)];
      results.push({ workload, connections: count, one, cluster, ratios });
    }
    return results;
  } finally {
    for (const service of services) await service.stop();
  }
}

async function runMeasured(
  run: () => Promise<Rate>,
  { servers }: Ground,
  seconds: number,
): Promise<Measured> {
  for (const server of servers) await server.checkpoint();
  const before = servers.map((server) => server.cpuSeconds());
  const rate = await run();
  const used = servers.map(
    (server, at) => ((server.cpuSeconds() - (before[at] ?? 0)) / seconds / rate.perSecond) * 1e6,
  );
  return {
    ...rate,
    serversUs: used.reduce((sum, one) => sum + one, 0),
    coordinatorUs: used[0] ?? 0,
  };
}

function mediansOf(rounds: readonly Measured[]): Measured {
  return {
    ...medians(rounds),
    serversUs: median(rounds.map((one) => one.serversUs)),
    coordinatorUs: median(rounds.map((one) => one.coordinatorUs)),
  };
}

function reportOf(
  results: readonly Result[],
  options: Options,
  { version }: BenchPostgres,
): Report {
  const { rounds, seconds } = options;
  return {
    text: [
      `${machine()}, ${version}; medians of ${rounds} rounds of ${seconds} s`,
      '',
      tables(COLUMNS, results),
    ].join('\n'),
    json: { machine: machine(), version, options, results },
    chart: {
      title: 'Durable upserts a second: one server, and a cluster of Citus',
      bars: results.flatMap(({ workload, connections, one, cluster }) => {
        const bar = { panel: `${workload}, by connections`, group: String(connections) };
        return [
          { ...bar, name: 'one server', value: one.perSecond },
          { ...bar, name: 'Citus', value: cluster.perSecond },
        ];
      }),
    },
  };
}
