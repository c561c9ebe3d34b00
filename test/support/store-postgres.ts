/** Where PostgreSQL stores are in tests: new databases on real servers. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { it } from 'node:test';
import { Pool } from 'pg';
import { MAJORS, type Major, NEWEST } from './postgres-programs.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import type { Ground } from './store-world.ts';

export interface PostgresCase {
  /** The version, for people. */
  readonly name: string;
  /** The address of the server's superuser, or of whoever `TEST_DATABASE_URL` names. */
  readonly url: string;
  ground(): Promise<Ground>;
}

/**
 * Lets tests run on PostgreSQL, once for each version: on servers that last as
 * long as this process, or once on the one that `TEST_DATABASE_URL` names.
 * Where there can be no server the tests are skipped and say why; with `CI` set they fail.
 */
export async function onPostgres(
  tests: (given: PostgresCase) => void,
  majors: readonly Major[] = MAJORS,
): Promise<void> {
  const given = process.env.TEST_DATABASE_URL;
  for (const major of given === undefined ? majors : [undefined]) {
    const name = major === undefined ? 'the PostgreSQL that was given' : `PostgreSQL ${major}`;
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

/** The server that `TEST_DATABASE_URL` names, or else one of that version, started for this process. */
export async function findServer(major: Major = NEWEST): Promise<string> {
  return process.env.TEST_DATABASE_URL ?? (await startPostgres(major)).url;
}

const pools = new Map<string, Pool>();

/** Connections that are used again, and keep no test from ending. */
function poolOf(server: string): Pool {
  const known = pools.get(server);
  if (known !== undefined) return known;
  const pool = new Pool({ connectionString: server, allowExitOnIdle: true });
  // A server that is stopped ends the idle ones, too: they are made anew.
  pool.on('error', () => {});
  pools.set(server, pool);
  return pool;
}

/** A database that is there and empty, and gone after `remove`. */
export async function postgresGround(server: string): Promise<Ground> {
  const pool = poolOf(server);
  const name = `ledgerstone_test_${randomBytes(8).toString('hex')}`;
  // An order of its own, which must not become that of any list.
  const order = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'";
  await pool.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' ${order}`);
  const url = new URL(server);
  url.pathname = name;
  return {
    url: url.href,
    async remove() {
      await pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
