/** Services that are killed at each step of what they do, and others that go on where they were. */

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { ALL } from './all.ts';
import { emptyDatabase } from './cli-postgres.ts';
import { LAUNCHER, ownFolder, programIn, run } from './cli-program.ts';
import { call, type RunningService, startProcess } from './cli-service.ts';
import { makeAccount, makeLocation } from './cli-setup.ts';
import { NEWEST } from './postgres-programs.ts';
import { secretKeyFile } from './secret-key.ts';
import { eventBody, locationBody, visitorBody } from './sent.ts';
import type { Body } from './service.ts';
import { onPostgres } from './store-postgres.ts';
import { until } from './until.ts';

const PRELOAD = new URL('./kill-after.ts', import.meta.url).href;
/** What `kill-after.ts` ends its process at. */
const MOST_STEPS = 10_000;
/** Each test takes its share of all steps, so that none takes long. */
const PARTS = ALL ? 4 : 1;
/** Of all steps so many, evenly: on SQLite each one. Of the packets to PostgreSQL, which are more, most only read. */
const KILLS = ALL ? { sqlite: 100, postgres: 16 } : { sqlite: 2, postgres: 0 };

/** A busy machine leaves some steps to the next time. */
const LONGEST_MS = 180_000;

export interface KillGround {
  readonly account: string;
  /** The secret of a key that may do everything but what rights are for; those that have one, by it. */
  readonly key: string;
  readonly allowed: Readonly<Record<string, string>>;
  readonly location: string;
  /** The folder of the journal of erasures. */
  readonly journal: string;
  /** The settings that name the store, for a command, and the folder to run it in. */
  readonly env: Readonly<Record<string, string>> & { readonly DATABASE_URL: string };
  readonly cwd: string;
  /** Copies the store, and brings the copy back; no process runs then. */
  copy(): Promise<void>;
  setBack(): Promise<void>;
  /** Starts a process where none runs. */
  start(): Promise<void>;
  /** Sends to the process that runs, again while it answers 503; a GET where there is no body, and no other method is named. */
  send(
    path: string,
    body?: object,
    more?: {
      readonly as?: string | undefined;
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
    },
  ): Promise<{ readonly status: number; readonly body: Body; readonly text: string }>;
  /** The same, answered 200. */
  ok(path: string, body?: object, as?: string): Promise<Body>;
  /** A location of its own, by its unique identifier. */
  home(): Promise<string>;
  /** A service at that location, or the one there is; one of its own where no name is given. */
  funeral(name?: string, more?: object, at?: string): Promise<string>;
  /** A guest of that service as one is sent, and as one is made. */
  guest(event: string, name: string, more?: object): Body;
  visit(event: string, name: string, more?: object): Promise<string>;
  /** Begins an erasure of these records; `run` runs it, and `isDone` waits until it is done. */
  erasing(...records: string[]): Promise<{
    readonly path: string;
    now(): Promise<Body>;
    run(more?: object): Promise<Body>;
    isDone(): Promise<void>;
  }>;
}

export const VISITORS = '/v1/event_check_in_records';

/** What a process is killed in. */
export type Deed = Killed & {
  /** Asked of another process after the kill: nothing is half done, and all comes to its end. */
  check(): Promise<void>;
};

type Killed =
  /** Resolves when it is done; the process that serves may go meanwhile. */
  | { act(): Promise<unknown> }
  /** The start of a process that serves, until it is ready. */
  | { readonly starts: true }
  /** A command beside a process that serves, by its words. */
  | { readonly command: readonly string[] };

/** How the store of a test is copied. */
interface Place {
  readonly env: Readonly<Record<string, string>>;
  copy(cwd: string): Promise<unknown>;
  setBack(cwd: string): Promise<unknown>;
  /** Ends what is left of the copy. */
  end(): Promise<unknown>;
}

/** Tests that it is done once and whole at whatever step the process is killed, on both stores. */
export async function killedAtEachStep(
  name: string,
  rights: readonly string[],
  prepare: (ground: KillGround) => Promise<Deed>,
): Promise<void> {
  const on = (store: string, kills: number, place: () => Promise<Place>) => {
    for (let part = 0; part < PARTS; part += 1) {
      const which = PARTS === 1 ? 'some steps' : `each step, ${part + 1} of ${PARTS}`;
      it(`${name}, killed at ${which}, on ${store}`, async (test) =>
        killed(test, { place: await place(), kills, part, rights, prepare }));
    }
  };
  on('SQLite', KILLS.sqlite, async () => IN_FILES);
  if (!ALL) return;
  await onPostgres(
    ({ name: store, url }) => on(store, KILLS.postgres, () => inDatabase(url)),
    [NEWEST],
  );
}

const IN_FILES: Place = {
  env: {},
  copy: async (cwd) => cpSync(join(cwd, 'data'), join(cwd, 'copy'), { recursive: true }),
  setBack: async (cwd) => {
    rmSync(join(cwd, 'data'), { recursive: true });
    cpSync(join(cwd, 'copy'), join(cwd, 'data'), { recursive: true });
  },
  end: async () => {},
};

async function inDatabase(server: string): Promise<Place> {
  const { env, database, user, query } = await emptyDatabase(server);
  const copy = `${database}_copy`;
  const from = (one: string) => `TEMPLATE ${one} STRATEGY file_copy`;
  const drop = (one: string) => query(`DROP DATABASE IF EXISTS ${one} WITH (FORCE)`);
  return {
    env,
    copy: () => query(`CREATE DATABASE ${copy} ${from(database)}`),
    async setBack() {
      await drop(database);
      await query(`CREATE DATABASE ${database} OWNER ${user} ${from(copy)}`);
    },
    end: () => drop(copy),
  };
}

async function killed(
  test: TestContext,
  given: {
    readonly place: Place;
    readonly kills: number;
    readonly part: number;
    readonly rights: readonly string[];
    readonly prepare: (ground: KillGround) => Promise<Deed>;
  },
): Promise<void> {
  const cwd = ownFolder();
  const SECRET_KEY_FILE = secretKeyFile();
  const journal = join(cwd, 'journal');
  mkdirSync(journal);
  const { place } = given;
  const DATABASE_URL = `sqlite:${join(cwd, 'data', 'ledgerstone.db')}`;
  const env = { DATABASE_URL, ...place.env, SECRET_KEY_FILE, ERASURES_TO: journal };
  const { account, secret: key } = await makeAccount(cwd, env);
  const allowed: Record<string, string> = {};
  for (const right of given.rights) {
    const made = await programIn(cwd, env).json<{ secret: string }>(
      ...['keys', 'create', '--account', account, '--permission', 'read', '--allow', right],
    );
    allowed[right] = made.secret;
  }
  const [STEPS, ofCommand] = [join(cwd, 'steps'), join(cwd, 'steps of a command')];
  const counted = { ...env, NODE_OPTIONS: `--import=${PRELOAD}`, STEPS };
  const start = (): Promise<RunningService> => startProcess({ cwd, env: counted });
  let service = await start();
  const location = await makeLocation(service.url, key, account, 'home');
  const sendOnce: KillGround['send'] = async (path, body, more = {}) => {
    const { as = key, ...how } = more;
    const { status, text } = await call(service.url, as, path, body, how);
    return { status, text, body: JSON.parse(text) };
  };
  const send: KillGround['send'] = async (...sent) => {
    let answer = await sendOnce(...sent);
    // As callers do: a busy machine may take too long for the first connections, and the journal is applied first.
    await until(async () => {
      if (answer.status === 503) answer = await sendOnce(...sent);
      return answer.status !== 503;
    });
    return answer;
  };
  const ok: KillGround['ok'] = async (path, body, as) => {
    const answer = await send(path, body, { as });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.body;
  };
  const upserted = async (path: string, body: object): Promise<string> =>
    (await ok(`${path}/upsert`, body)).unique_identifier;
  let made = 0;
  const ground: KillGround = {
    ...{ account, key, allowed, location, journal, env, cwd, send, ok },
    home: () =>
      upserted('/v1/locations', locationBody(account, `home ${++made}`, { location_name: 'Home' })),
    funeral: (name = `case ${++made}`, more = {}, at = location) =>
      upserted('/v1/events', eventBody(at, name, { event_name: 'A service', ...more })),
    guest: (event, name, more) => visitorBody(event, name, more),
    visit: (event, name, more) => upserted(VISITORS, visitorBody(event, name, more)),
    async erasing(...records) {
      const officer = allowed.erase;
      const begun = await ok('/v1/erasures', { account, records }, officer);
      const path = `/v1/erasures/${begun.unique_identifier}`;
      const now = () => ok(path, undefined, officer);
      const run = (more?: object) => ok(`${path}/run`, { records, ...more }, officer);
      return { path, now, run, isDone: () => until(async () => (await now()).status === 'done') };
    },
    async copy() {
      await service.stop('SIGKILL');
      await place.copy(cwd);
    },
    async setBack() {
      await service.stop('SIGKILL');
      await place.setBack(cwd);
    },
    async start() {
      service = await start();
    },
  };
  const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200;
  /** A request fails where its process ends, and for no other reason. */
  const wantKilled = (error: Error) =>
    until(() => service.process.signalCode !== null).catch(() => {
      throw error;
    });
  /** Does it once, and ends the process after that many steps, or when it is done. Returns how many there were. */
  const round = async (most = MOST_STEPS): Promise<number> => {
    const deed = await given.prepare(ground);
    const file = 'command' in deed ? ofCommand : STEPS;
    writeFileSync(file, Buffer.alloc(MOST_STEPS - most));
    if ('command' in deed) {
      await run(deed.command, { cwd, env: { ...counted, STEPS: file }, program: LAUNCHER });
    } else {
      if ('starts' in deed) service = await start().catch(() => service);
      const done = 'starts' in deed ? until(isReady) : deed.act();
      await Promise.race([service.end, done.catch(wantKilled)]);
      await service.stop('SIGKILL');
    }
    const steps = statSync(file).size - (MOST_STEPS - most);
    rmSync(file);
    if (!('command' in deed)) service = await start();
    await deed.check();
    return steps;
  };
  try {
    const all = await round();
    const every = Math.max(1, all / given.kills);
    // Where not each has its turn, others do the next time.
    const kills = Array.from({ length: Math.min(all, given.kills) }, (_, at) =>
      Math.ceil((at + 1 - Math.random()) * every),
    );
    const steps = kills.filter((_, at) => at % PARTS === given.part);
    const until = performance.now() + LONGEST_MS;
    let count = 0;
    for (const after of steps.sort(() => Math.random() - 0.5)) {
      if (performance.now() > until) break;
      count += 1;
      await round(after).catch((cause: Error) => {
        throw new Error(`Killed after step ${after} of ${all}: ${cause.message}`, { cause });
      });
    }
    test.diagnostic(`killed at ${count} of ${all} steps`);
  } finally {
    await service.stop('SIGKILL');
    await place.end();
  }
}
