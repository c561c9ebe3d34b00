/** Our service on PostgreSQL while somebody holds a snapshot of the database, as `pg_dump` does: the rate must stay. */
import { Client } from 'pg';
import { type Workload, workloads } from './bodies.ts';
import { type Round, runLoad } from './load.ts';
import type { Options } from './options.ts';
import { makeGround } from './postgres-ground.ts';
import { startPostgres } from './postgres-server.ts';
import { type Columns, machine, type Report, tables, whole } from './report.ts';
import { startService } from './service.ts';
import { KNOWN } from './world.ts';

interface Result {
  readonly workload: string;
  readonly connections: number;
  readonly snapshot: 'none' | 'held';
  readonly second: number;
  readonly round: Round;
}

const COLUMNS: Columns<Result> = [
  ['connections', (one) => String(one.connections)],
  ['snapshot', (one) => one.snapshot],
  ['after s', (one) => String(one.second)],
  ['upserts/s', (one) => whole(one.round.perSecond)],
  ['p50 ms', (one) => one.round.p50Ms.toFixed(2)],
  ['p99 ms', (one) => one.round.p99Ms.toFixed(2)],
  ['failed', (one) => String(one.round.failed)],
];

export async function heldSnapshot(options: Options, folder: string): Promise<Report> {
  const { connections = [64], seconds, rounds } = options;
  const server = await startPostgres(folder);
  try {
    const { url, world } = await makeGround(server, folder, 'large', KNOWN);
    const service = await startService(url);
    const workload = workloads(world)[0] as Workload;
    const { authorization } = world;
    const load = {
      ...workload,
      authorization,
      url: `http://127.0.0.1:${service.port}${workload.path}`,
    };
    const results: Result[] = [];
    for (const count of connections) {
      for (const snapshot of ['none', 'held'] as const) {
        await server.checkpoint();
        const holder = new Client(url);
        await holder.connect();
        if (snapshot === 'held') {
          await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
          await holder.query('SELECT count(*) FROM account');
        }
        for (let window = 0; window < rounds; window++) {
          const prefix = `${snapshot}-${count}-${window}`;
          const round = await runLoad({ ...load, connections: count, seconds, prefix });
          const second = window * seconds;
          results.push({ workload: workload.name, connections: count, snapshot, second, round });
        }
        await holder.end();
      }
    }
    await service.stop();
    const { version } = server;
    const text = [
      `${machine()}, ${version}; rounds of ${seconds} s in a row`,
      '',
      tables(COLUMNS, results),
    ].join('\n');
    const bars = results.map(({ connections, snapshot, second, round }) => ({
      panel: `${connections} connections, by seconds`,
      group: String(second),
      name: `snapshot: ${snapshot}`,
      value: round.perSecond,
    }));
    const chart = { title: 'Durable upserts a second under a snapshot that is held', bars };
    return { text, json: { machine: machine(), version, options, results }, chart };
  } finally {
    await server.stop();
  }
}
