/** Services that are killed at each step of what they do, and others that go on where they were. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { ALL } from './all.ts';
import { emptyDatabase } from './cli-postgres.ts';
import { ownFolder, programIn } from './cli-program.ts';
import { type RunningService, startProcess } from './cli-service.ts';
import { makeAccount, makeLocation } from './cli-setup.ts';
import { NEWEST } from './postgres-programs.ts';
import type { Body } from './service.ts';
import { onPostgres } from './store-postgres.ts';

const PRELOAD = new URL('./kill-after.ts', import.meta.url).href;
/** What `kill-after.ts` ends its process at. */
const MOST_STEPS = 10_000;
/** Each test takes its share of all steps, so that none takes long. */
const PARTS = ALL ? 4 : 1;
/** Of all steps so many, evenly: on SQLite each one. Of the packets to PostgreSQL, which are more, most only read. */
const KILLS = ALL ? { sqlite: 100, postgres: 16 } : { sqlite: 2, postgres: 0 };

export interface KillGround {
  readonly account: string;
  /** The secret of a key that may do everything but what rights are for; those that have one, by it. */
  readonly key: string;
  readonly allowed: Readonly<Record<string, string>>;
  readonly location: string;
  /** The folder of the journal of erasures. */
  readonly journal: string;
  /** Sends to the process that runs; a GET where there is no body, and no other method is named. */
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
}

/** What a process is killed in. */
export interface Deed {
  /** Resolves when it is done; the process may go meanwhile. */
  act(): Promise<unknown>;
  /** Asked of another process after the kill: nothing is half done, and all comes to its end. */
  check(): Promise<void>;
}

/** Tests that it is done once and whole at whatever step the process is killed, on both stores. */
export async function killedAtEachStep(
  name: string,
  rights: readonly string[],
  prepare: (ground: KillGround) => Promise<Deed>,
): Promise<void> {
  const on = (
    store: string,
    kills: number,
    env: (test: TestContext) => Promise<Record<string, string>>,
  ) => {
    for (let part = 0; part < PARTS; part += 1) {
      const which = PARTS === 1 ? 'some steps' : `each step, ${part + 1} of ${PARTS}`;
      it(`${name}, killed at ${which}, on ${store}`, async (test) =>
        killed(test, { env: await env(test), kills, part, rights, prepare }));
    }
  };
  on('SQLite', KILLS.sqlite, async () => ({}));
  if (!ALL) return;
  await onPostgres(
    ({ name: store, url }) =>
      on(store, KILLS.postgres, async (test) => ({ ...(await emptyDatabase(test, url)).env })),
    [NEWEST],
  );
}

async function killed(
  test: TestContext,
  given: {
    readonly env: Readonly<Record<string, string>>;
    readonly kills: number;
    readonly part: number;
    readonly rights: readonly string[];
    readonly prepare: (ground: KillGround) => Promise<Deed>;
  },
): Promise<void> {
  const cwd = ownFolder(test);
  const SECRET_KEY_FILE = join(cwd, 'secret-key');
  writeFileSync(SECRET_KEY_FILE, `${randomBytes(32).toString('base64')}\n`);
  const journal = join(cwd, 'journal');
  mkdirSync(journal);
  const env = { ...given.env, SECRET_KEY_FILE, ERASURES_TO: journal };
  const { account, secret: key } = await makeAccount(cwd, env);
  const allowed: Record<string, string> = {};
  for (const right of given.rights) {
    const made = await programIn(cwd, env).json<{ secret: string }>(
      ...['keys', 'create', '--account', account, '--permission', 'read', '--allow', right],
    );
    allowed[right] = made.secret;
  }
  const STEPS = join(cwd, 'steps');
  const start = (): Promise<RunningService> =>
    startProcess(test, { cwd, env: { ...env, NODE_OPTIONS: `--import=${PRELOAD}`, STEPS } });
  let service = await start();
  const location = await makeLocation(service.url, key, account, 'home');
  const send: KillGround['send'] = async (path, body, more = {}) => {
    const { as = key, method = body ? 'POST' : 'GET', headers } = more;
    const answer = await fetch(service.url + path, {
      method,
      headers: {
        Authorization: `Bearer ${as}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, body: JSON.parse(text) };
  };
  const ok: KillGround['ok'] = async (path, body, as) => {
    const answer = await send(path, body, { as });
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    return answer.body;
  };
  const ground: KillGround = { account, key, allowed, location, journal, send, ok };
  /** Does it once, and ends the process after that many steps, or when it is done. Returns how many there were. */
  const round = async (most = MOST_STEPS): Promise<number> => {
    const { act, check } = await given.prepare(ground);
    writeFileSync(STEPS, Buffer.alloc(MOST_STEPS - most));
    await Promise.race([service.end, act().catch(() => service.end)]);
    await service.stop('SIGKILL');
    const steps = statSync(STEPS).size - (MOST_STEPS - most);
    rmSync(STEPS);
    service = await start();
    await check();
    return steps;
  };
  const all = await round();
  const every = Math.max(1, all / given.kills);
  const kills = Array.from({ length: Math.min(all, given.kills) }, (_, at) =>
    Math.ceil((at + 0.5) * every),
  );
  const steps = kills.filter((_, at) => at % PARTS === given.part);
  for (const after of steps) await round(after);
}
