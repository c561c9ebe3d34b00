/** A database with all that is measured in it: a world for our service, and tables for pgbench with as many records. */
import { readFileSync } from 'node:fs';
import { tableOf } from '../src/store/postgres/schema/tables.ts';
import { bareUpsert, makeBareTable } from './bare-table.ts';
import { type Workload, workloads } from './bodies.ts';
import { fillTable } from './fill.ts';
import {
  likeTable,
  likeUpsert,
  type Manner,
  makeIdentifiers,
  makeLikeTable,
  type Place,
} from './like-table.ts';
import { type PgbenchLoad, type PgbenchRound, runPgbench, type Upsert } from './pgbench.ts';
import { type BenchPostgres, onServer } from './postgres-server.ts';
import { sayFilled } from './progress.ts';
import { KNOWN, makeWorld, shapeOf, type World } from './world.ts';

/** Upserts into a table like ours, in either manner, or merged ones into a bare table. */
export type Rival = Manner | 'bare';

export type Load = Pick<PgbenchLoad, 'connections' | 'seconds' | 'prefix'>;

export interface Ground {
  readonly url: string;
  readonly world: World;
  /** How many check-ins there are, in each table. */
  readonly records: number;
  /** What one of ours takes with its indexes. */
  readonly bytesPerRecord: number;
  pgbench(workload: Workload, rival: Rival, load: Load): Promise<PgbenchRound>;
}

/** What there can be more of than the known ones. */
export const FILLED = 'event_check_in_record';

const MERGE_PATCH = readFileSync(new URL('./merge-patch.sql', import.meta.url), 'utf8');

/** Makes the database, with so many check-ins in it. */
export async function makeGround(
  server: BenchPostgres,
  folder: string,
  name: string,
  records: number,
): Promise<Ground> {
  const url = await makeDatabase(server, name);
  const onProgress = (done: number): void => sayFilled(done, records);
  const world = await makeWorld(url, KNOWN, onProgress);
  return onServer(url, async (client) => {
    await client.query(MERGE_PATCH);
    await makeIdentifiers(client);
    const shapes = [...new Set(workloads(world).map(({ resource }) => resource))].map(shapeOf);
    const places = new Map<string, Place>();
    for (const shape of shapes) places.set(shape.resource, await makeLikeTable(client, shape));
    const filled = shapeOf(FILLED);
    for (const table of [tableOf(filled), likeTable(filled)]) {
      await fillTable(client, table, KNOWN, records, onProgress);
    }
    for (const shape of shapes) await makeBareTable(client, shape);
    // Or the server would do so while we measure.
    await client.query('VACUUM ANALYZE');
    const { rows } = await client.query<{ bytes: string }>(
      'SELECT pg_total_relation_size($1) AS bytes',
      [tableOf(filled)],
    );
    const { programs } = server;
    return {
      url,
      world,
      records,
      bytesPerRecord: Number(rows[0]?.bytes) / records,
      pgbench: (workload, rival, load) =>
        runPgbench(upsertOf(workload, rival, places), { ...load, programs, folder, url }),
    };
  });
}

/** Gives its address. */
export async function makeDatabase({ url }: BenchPostgres, name: string): Promise<string> {
  await onServer(url, (client) => client.query(`CREATE DATABASE ${name}`));
  const made = new URL(url);
  made.pathname = name;
  return made.href;
}

function upsertOf(workload: Workload, rival: Rival, places: ReadonlyMap<string, Place>): Upsert {
  const shape = shapeOf(workload.resource);
  if (rival === 'bare') return bareUpsert(shape, workload);
  return likeUpsert(shape, workload, places.get(workload.resource) as Place, rival);
}
