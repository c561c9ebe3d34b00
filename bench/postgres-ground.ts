/** A database with all that is measured in it: a world for our service, and tables for pgbench with as many records. */
import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import type { RecordShape } from '../src/core/schema/shape.ts';
import { quoteName, tableName, tableOf } from '../src/store/names.ts';
import { type Workload, workloads } from './bodies.ts';
import { documentSql } from './document-sql.ts';
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

/** Makes it with the records that the table like ours has by now. */
async function makeBareTable(client: Client, shape: RecordShape): Promise<void> {
  await client.query(`
    CREATE TABLE ${bareTable(shape)} (
      account text COLLATE "C",
      parent text COLLATE "C",
      external_identifier text COLLATE "C",
      document jsonb NOT NULL,
      version bigint NOT NULL DEFAULT 1,
      inserted_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (account, parent, external_identifier)
    )`);
  await client.query(
    `INSERT INTO ${bareTable(shape)} (account, parent, external_identifier, document)
     SELECT 'account', 'parent', external_identifier, document FROM ${likeTable(shape)}`,
  );
}

/** Merged into what is there by `merge_patch`. */
function bareUpsert(shape: RecordShape, workload: Workload): Upsert {
  return (name) =>
    [
      `INSERT INTO ${bareTable(shape)} AS record (account, parent, external_identifier, document)`,
      `VALUES ('account', 'parent', ${name}, ${documentSql(shape, workload, name)})`,
      'ON CONFLICT (account, parent, external_identifier) DO UPDATE',
      'SET document = merge_patch(record.document, excluded.document),',
      'version = record.version + 1, updated_at = now()',
      'RETURNING document, version',
    ].join(' ');
}

function bareTable(shape: RecordShape): string {
  return quoteName(`bare_${tableName(shape)}`);
}

const SLICE = 250_000;

/**
 * Fills the table with copies of a record that it has. They differ only in their
 * identifiers, whatever columns the table has.
 */
async function fillTable(
  client: Client,
  table: string,
  present: number,
  records: number,
  onProgress: (done: number) => void,
): Promise<void> {
  for (let from = present; from < records; from += SLICE) {
    const last = Math.min(from + SLICE, records) - 1;
    await client.query(
      `INSERT INTO ${table}
       SELECT copy.*
       FROM (SELECT record FROM ${table} AS record LIMIT 1) AS first (record),
         generate_series(${from}, ${last}) AS number,
         LATERAL jsonb_populate_record(record, jsonb_build_object(
           'unique_identifier', left((record).unique_identifier, 8)
             || lpad(number::text, length((record).unique_identifier) - 8, '0'),
           'external_identifier', 'earlier-' || number)) AS copy`,
    );
    onProgress(last + 1);
  }
}
