/** Where PostgreSQL stores are in tests: new databases on real servers. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { Pool } from 'pg';
import { ALL } from './all.ts';
import { whenOver } from './at-end.ts';
import { checkLockOrder } from './lock-order.ts';
import { type Pooler, startPooler } from './pooler.ts';
import { MAJORS, type Major, NEWEST } from './postgres-programs.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import type { Ground } from './store-world.ts';

export interface PostgresCase {
  /** The version, for people. */
  readonly name: string;
  /** The address of the server's superuser, or of whoever `TEST_DATABASE_URL` names. */
  readonly url: string;
  ground(): Promise<PostgresGround>;
}

checkLockOrder();

/** In the inner loop the newest. */
const VERSIONS = ALL ? MAJORS : [NEWEST];

/**
 * Lets tests run on PostgreSQL, once for each version: on servers that last as
 * long as this process, or once on the one that `TEST_DATABASE_URL` names.
 * Where there can be no server the tests are skipped and say why; with `CI` set they fail.
 */
export async function onPostgres(
  tests: (given: PostgresCase) => void,
  majors: readonly Major[] = VERSIONS,
): Promise<void> {
  const given = process.env.TEST_DATABASE_URL;
  for (const major of given === undefined ? majors : [undefined]) {
    const name = major === undefined ? 'given PostgreSQL' : `PostgreSQL ${major}`;
    const url = await orSkip(name, () => findServer(major));
    if (url !== undefined) tests({ name, url, ground: () => postgresGround(url) });
  }
}

/** The same for tests that stop and kill their server, which is their own for that reason. */
export async function onOwnPostgres(tests: (server: PostgresServer) => void): Promise<void> {
  const server = await orSkip(`PostgreSQL ${NEWEST}`, () => startPostgres(NEWEST));
  if (server !== undefined) tests(server);
}

async function orSkip<T>(name: string, start: () => Promise<T>): Promise<T | undefined> {
  try {
    return await start();
  } catch (error) {
    const why = `There is no ${name} here: ${error instanceof Error ? error.message : error}`;
    const skip = process.env.CI ? false : why;
    it(`all of this holds on ${name}`, { skip }, () => assert.fail(why));
    return undefined;
  }
}

/**
 * The server that `TEST_DATABASE_URL` names, or else one of that version: the one that a whole run of tests
 * shares, by `TEST_POSTGRES`, or one started for this process.
 */
export async function findServer(major: Major = NEWEST): Promise<string> {
  const { TEST_DATABASE_URL, TEST_POSTGRES } = process.env;
  const running = TEST_DATABASE_URL ?? (major === NEWEST ? TEST_POSTGRES : undefined);
  return running ?? (await startPostgres(major)).url;
}

const pools = new Map<string, Pool>();

/** Connections that are used again, and keep no test from ending. */
function poolOf(server: string): Pool {
  const known = pools.get(server);
  if (known !== undefined) return known;
  // A session of a cluster's server does not notice that another server was started again since.
  const maxUses = isSpread(server) ? 1 : Number.POSITIVE_INFINITY;
  const pool = new Pool({ connectionString: server, allowExitOnIdle: true, maxUses });
  // A server that is stopped ends the idle ones, too: they are made again.
  pool.on('error', () => {});
  pools.set(server, pool);
  return pool;
}

const poolers = new Map<string, Promise<Pooler>>();

/** The PgBouncer before that server where `TEST_POOLER` names its program; `undefined` where it does not. */
export function poolerOf(server: string): Promise<Pooler> | undefined {
  const program = process.env.TEST_POOLER;
  if (program === undefined) return undefined;
  const known = poolers.get(server) ?? startPooler(program, server);
  poolers.set(server, known);
  return known;
}

export interface PostgresGround extends Ground {
  /** Of the database, or of the schema, and of no other. */
  readonly name: string;
  /** Makes that role its owner. */
  giveTo(role: string): Promise<void>;
}

/** A database that is there and empty, or a copy of `template`, and gone with the test, the suite or the file that makes it. */
export async function postgresGround(
  server: string,
  template = 'template0',
): Promise<PostgresGround> {
  const pool = poolOf(server);
  const name = `ledgerstone_test_${randomBytes(8).toString('hex')}`;
  if (isSpread(server)) return schemaOf(pool, server, name);
  // An order of its own, which must not become that of any list.
  const order = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'";
  // Copying files takes half of what writing each page to the log does, also when they go.
  const how = `TEMPLATE ${template} STRATEGY file_copy`;
  await pool.query(`CREATE DATABASE ${name} ${how} ENCODING 'UTF8' ${order}`);
  const url = new URL(server);
  url.pathname = name;
  const pooler = await poolerOf(server);
  if (pooler !== undefined) {
    url.host = `127.0.0.1:${pooler.port}`;
  }
  return {
    url: url.href,
    name,
    async giveTo(role) {
      await pool.query(`ALTER DATABASE ${name} OWNER TO ${role}`);
    },
    remove: whenOver(async () => {
      await pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }),
  };
}

/** Few parts of a table are enough to lie on several servers, and are made and dropped sooner. */
const SHARDS = 4;

/** In a database that knows its other servers, where a schema is made much sooner than another such database. */
async function schemaOf(pool: Pool, server: string, name: string): Promise<PostgresGround> {
  await pool.query(`CREATE SCHEMA ${name}`);
  const url = new URL(server);
  url.searchParams.set('options', `-c search_path=${name} -c citus.shard_count=${SHARDS}`);
  return {
    url: url.href,
    name,
    distribution: 'citus',
    async giveTo(role) {
      await pool.query(`ALTER SCHEMA ${name} OWNER TO ${role}`);
    },
    remove: whenOver(async () => {
      await pool.query(`DROP SCHEMA ${name} CASCADE`);
    }),
  };
}

/** Whether it is the server that `TEST_DATABASE_URL` names, and its database is one of several servers. */
export function isSpread(server: string): boolean {
  const { TEST_DATABASE_URL, TEST_DISTRIBUTION = '', TEST_POOLER } = process.env;
  if (TEST_DISTRIBUTION === '' || server !== TEST_DATABASE_URL) return false;
  if (TEST_DISTRIBUTION !== 'citus')
    throw new Error('TEST_DISTRIBUTION must be citus, or not set.');
  if (TEST_POOLER === undefined) return true;
  throw new Error(
    'Set TEST_DISTRIBUTION or TEST_POOLER, and not both: a pooler loses which schema is to be used.',
  );
}
