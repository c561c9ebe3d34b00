/** Processes of the service over one PostgreSQL database, and an administrator beside them. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe } from 'node:test';
import { withAll } from './all.ts';
import { ask } from './ask.ts';
import { whenOver } from './at-end.ts';
import { ARRANGEMENTS, arrangement, startLoad } from './cli-load.ts';
import { ownFolder } from './cli-program.ts';
import { connect, type Received } from './cli-request.ts';
import { type RunningService, startProcess } from './cli-service.ts';
import { makeAccount, makeLocation } from './cli-setup.ts';
import { storeEnv } from './service-ground.ts';
import { onPostgres, postgresGround } from './store-postgres.ts';
import { LONG_MS, until } from './until.ts';

export interface Shared extends Sender {
  /** The address of the database, for a user who owns it and may do nothing else. */
  readonly url: string;
  /** The settings that name it for a process. */
  readonly env: Readonly<Record<string, string>>;
  /** That user's name. */
  readonly user: string;
  readonly database: string;
  /** A folder of the test's own. */
  readonly cwd: string;
  /** A process that serves. */
  readonly service: RunningService;
  readonly account: string;
  readonly secret: string;
  /** The unique identifier of that key. */
  readonly key: string;
  readonly location: string;
  /** One more process, over that address or another of the same database. */
  start(url?: string): Promise<RunningService>;
  /** What the server's superuser asks for, in a database of its own. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends all connections of the service. */
  disconnect(): Promise<void>;
}

/** A new database on that server, in a tablespace where one is named, and a service over it with an account, a key and a location. */
export async function sharedDatabase(server: string, tablespace?: string): Promise<Shared> {
  const cwd = ownFolder();
  const services: RunningService[] = [];
  const empty = await emptyDatabase(server, services);
  if (tablespace !== undefined) {
    await empty.query(`ALTER DATABASE ${empty.database} SET TABLESPACE ${tablespace}`);
  }
  const { url } = empty;
  const start: Shared['start'] = async (other = url) => {
    const one = await startProcess({ cwd, env: { ...empty.env, DATABASE_URL: other } });
    services.push(one);
    return one;
  };
  const service = await start();
  const made = await makeAccount(cwd, empty.env);
  const location = await makeLocation(service.url, made.secret, made.account);
  const disconnect = async (): Promise<void> => {
    await empty.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${empty.user}'`,
    );
  };
  const sender = senderTo(service, made.secret, location);
  return { ...empty, ...made, ...sender, cwd, service, location, start, disconnect };
}

/** A new database with nothing in it, of a user of its own. When the test is over these services end, and then it goes. */
export async function emptyDatabase(
  server: string,
  services: readonly RunningService[] = [],
): Promise<Pick<Shared, 'url' | 'env' | 'user' | 'database' | 'query'>> {
  const ground = await postgresGround(server);
  const query: Shared['query'] = (text) => ask(server, text);
  const url = new URL(ground.url);
  const { name } = ground;
  url.username = name;
  url.password = randomBytes(16).toString('hex');
  await query(`CREATE ROLE ${name} LOGIN PASSWORD '${url.password}'`);
  await ground.giveTo(name);
  whenOver(async () => {
    await Promise.all(services.map((service) => service.stop('SIGKILL')));
    await ground.remove();
    await query(`DROP ROLE ${name}`);
  });
  const env = storeEnv({ ...ground, url: url.href });
  return { url: url.href, env, user: name, database: url.pathname.slice(1), query };
}

/** Settings that name a store which is not there yet, or is empty. */
export type FindStore = () => Promise<Readonly<Record<string, string>>>;

/** Describes the same for a store in SQLite and on each version of PostgreSQL, there by `ring`. */
export async function onEachStore(
  tests: (find: FindStore) => void,
  ring: object = withAll,
): Promise<void> {
  describe('on SQLite', () => tests(async () => ({})));
  await onPostgres(({ name, url }) => {
    describe(`on ${name}`, ring, () => tests(async () => (await emptyDatabase(url)).env));
  });
}

type Sender = ReturnType<typeof senderTo>;

/** What is sent to that process, or to another one named, by that key for records of that location. */
export function senderTo(service: RunningService, secret: string, location: string) {
  const upsert = (name: string, more?: object, at = service): Promise<Received> =>
    upsertOnce(at.url, secret, arrangement(location, name, more));
  return {
    /** An upsert on a connection of its own, which must be answered before patience ends. */
    upsert,
    /** The same, answered 200. */
    async written(name: string, more?: object, at = service): Promise<Received> {
      const answer = await upsert(name, more, at);
      assert.equal(answer.status, 200, answer.text);
      return answer;
    },
    /** The same, refused for now. */
    wantRefused: async (name = 'refused', at = service) =>
      wantRefusal(await upsert(name, undefined, at)),
    /** Sends upserts until one is answered 200; until then each must be answered 503 and say when to come again. */
    async wantRecovery(at = service, within = LONG_MS): Promise<void> {
      let count = 0;
      await until(async () => {
        const answer = await upsert(`recovery ${count++}`, undefined, at);
        if (answer.status !== 200) wantRefusal(answer);
        return answer.status === 200;
      }, within);
    },
    load: (name: string, { url } = service) => startLoad({ url, secret, location, name }),
  };
}

/** Waits until `/readyz` tells that writes are taken, or that they are not. */
export function wantReady({ url }: RunningService, ready: boolean): Promise<void> {
  return until(async () => (await fetch(`${url}/readyz`)).status === (ready ? 200 : 503));
}

/** 503 for now, in the service's own words, which tell nothing of what is behind it. */
export function wantRefusal({ status, headers, text }: Received): void {
  assert.equal(status, 503, text);
  assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
  const { error } = JSON.parse(text);
  // Where the answer of a commit was lost, the service says that it does not know.
  const isUnknown = error.message.includes('cannot tell right now');
  assert.equal(error.code, isUnknown ? 'outcome_unknown' : 'service_unavailable');
  // The identifier of a request is random, and may spell anything.
  assert.doesNotMatch(text.replace(error.request_id, ''), /postgres|sql|database/i);
}

/** The service gives up after about five seconds: this is far more, also on a busy machine. */
const PATIENCE_MS = 30_000;

async function upsertOnce(url: string, secret: string, body: object): Promise<Received> {
  const connection = connect(url, secret, 1);
  const began = performance.now();
  try {
    const answer = await connection.upsert(ARRANGEMENTS, body);
    const ms = performance.now() - began;
    assert.ok(ms < PATIENCE_MS, `answered ${answer.status} after ${ms.toFixed(0)} ms`);
    return answer;
  } finally {
    connection.close();
  }
}
