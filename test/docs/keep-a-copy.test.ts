/**
 * The programs of `docs/changes.md`, as they are written there, while several write and remove, and processes of
 * the service and the program itself are killed: the copy is what the store holds, and who follows misses nothing.
 */
// needs: --all, program, waits

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { ALL } from '../support/all.ts';
import { whenOver } from '../support/at-end.ts';
import { sharedDatabase } from '../support/cli-postgres.ts';
import { isThere, ownFolder } from '../support/cli-program.ts';
import { call, type RunningService, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { pages } from '../support/doc-pages.ts';
import { front } from '../support/front.ts';
import { NEWEST } from '../support/postgres-programs.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

const ROUNDS = ALL ? 2 : 1;
const WRITERS = 4;
const EVENTS = 6;
const LISTS = ['locations', 'events', 'event_check_in_records'];

// biome-ignore lint/suspicious/noExplicitAny: bodies are looked into, as a caller does
type Body = any;

interface Ground {
  readonly cwd: string;
  readonly secret: string;
  readonly location: string;
  readonly services: RunningService[];
  start(): Promise<RunningService>;
}

describe('The programs of docs/changes.md', () => {
  it('follow a service on SQLite that is killed', () =>
    keepsACopy(async () => {
      const cwd = ownFolder();
      const { account, secret } = await makeAccount(cwd);
      const start = () => startProcess({ cwd });
      const service = await start();
      const location = await makeLocation(service.url, secret, account);
      return { cwd, secret, location, services: [service], start };
    }));

  it('list in one transaction and in few requests: who reads the copy meanwhile waits for nothing', async () => {
    const cwd = ownFolder();
    const { account, secret } = await makeAccount(cwd);
    const service = await startProcess({ cwd });
    for (const name of ['north', 'south', 'east']) {
      await makeLocation(service.url, secret, account, name);
    }
    const paths: string[] = [];
    const last = Promise.withResolvers<() => void>();
    const API = await watched(service.port, (path, go) => {
      paths.push(path);
      if (path.startsWith('/v1/direct_mail_replies')) last.resolve(go);
      else go();
    });
    const folder = ownFolder();
    programs(folder, { API, KEY: secret })('ts', 'keep-a-copy.ts', process.execPath);
    const goOn = await last.promise;
    const reader = new DatabaseSync(join(folder, 'copy.db'), { timeout: 0 });
    whenOver(() => reader.close());
    const count = () => reader.prepare('SELECT count(*) AS held FROM record').get()?.held;
    assert.equal(count(), 0, 'nothing of a listing that is not over');
    const found = paths.filter((path) => path.startsWith('/v1/locations'));
    assert.deepEqual(found, ['/v1/locations?limit=1000&expand[]=identifiers']);
    goOn();
    await until(() => count() === 3);
    const held = await everything(caller(service.url, secret));
    assert.deepEqual(copyIn(folder), held);
    assert.equal(held.length, 3);
  });
});

/** A proxy that asks before it passes on each request. */
async function watched(
  port: number,
  asked: (path: string, go: () => void) => void,
): Promise<string> {
  const server = createServer(({ method, url = '', headers }, response) => {
    asked(url, () => {
      const passed = request({ port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      passed.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  whenOver(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

await onPostgres(
  ({ name, url }) => {
    it(`The programs of docs/changes.md follow two processes on ${name}, of which each is killed`, () =>
      keepsACopy(async () => {
        const { cwd, secret, location, service, start } = await sharedDatabase(url);
        return { cwd, secret, location, services: [service, await start()], start };
      }));
  },
  [NEWEST],
);

async function keepsACopy(begin: () => Promise<Ground>): Promise<void> {
  const { cwd, secret, location, services, start } = await begin();
  const API = await front(() => services.map(({ port }) => port));
  const api = caller(API, secret);
  const folder = ownFolder();
  const program = programs(folder, { API, KEY: secret });

  let done = false;
  let answered = 0;
  const writing = Array.from({ length: WRITERS }, (_, writer) =>
    write(
      api,
      location,
      writer,
      () => done,
      (count) => {
        answered += count;
      },
    ),
  );
  const more = (count: number) => {
    const enough = answered + count;
    return until(() => answered >= enough);
  };
  await more(1);
  let copying = program('ts', 'keep-a-copy.ts', process.execPath);
  const following = isThere('python3') ? program('python', 'follow.py', 'python3') : undefined;
  for (let round = 0; round < ROUNDS; round++) {
    // They are killed while the program copies what goes on.
    await until(() => copyIn(folder).length > 0);
    await more(20);
    const killed = services.shift();
    await killed?.stop('SIGKILL');
    services.push(await start());
    copying.kill('SIGKILL');
    await once(copying, 'exit');
    copying = program('ts', 'keep-a-copy.ts', process.execPath);
  }
  await readMeanwhile(join(folder, 'copy.db'), () => more(40));
  const printed = (): string[] => readFileSync(join(folder, 'follow.py.out'), 'utf8').split('\n');
  await until(() => answered > 100 && (following === undefined || printed().length > 102));
  done = true;
  await Promise.all(writing);

  const held = await everything(api);
  const isCopied = () => JSON.stringify(held) === JSON.stringify(copyIn(folder));
  // What differs is told below.
  await until(isCopied).catch(() => {});
  assert.deepEqual(copyIn(folder), held, `of ${cwd}`);
  assert.ok(held.length > 0);

  const log = await whole(api, 'changes');
  const outcomes = new Set(log.map(({ outcome }) => outcome));
  for (const outcome of ['created', 'updated', 'deleted', 'restored'])
    assert.ok(outcomes.has(outcome), `nothing was ${outcome}`);
  assert.equal(new Set(log.map((change) => change.unique_identifier)).size, log.length);
  if (following === undefined) return;
  const lines = log.map((one) =>
    [one.occurred_at, one.outcome, one.resource, one.record].join(' '),
  );
  await until(() => printed().at(-2) === lines.at(-1)).catch(() => {});
  const read = printed().slice(0, -1);
  assert.ok(read.length > 100);
  assert.deepEqual(read, lines.slice(-read.length), 'each change once, in their order');
}

/** Starts a program of the page in the folder; it is ended with the test. */
function programs(folder: string, env: { readonly API: string; readonly KEY: string }) {
  const [page] = pages().filter(({ path }) => path === 'docs/changes.md');
  return (language: string, file: string, runner: string): ChildProcess => {
    const block = page?.blocks.find((one) => one.kind === 'file' && one.language === language);
    assert.ok(block);
    assert.ok(block.text.includes(`${file}: `), `no ${file} is on the page`);
    writeFileSync(join(folder, file), block.text);
    const child = spawn('sh', ['-c', `exec "$0" ${file} > ${file}.out 2> ${file}.err`, runner], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      stdio: 'ignore',
    });
    child.on('exit', (code) => {
      if (code !== null)
        assert.fail(`${file} ended: ${readFileSync(join(folder, `${file}.err`), 'utf8')}`);
    });
    whenOver(() => {
      child.removeAllListeners('exit');
      child.kill('SIGKILL');
    });
    return child;
  };
}

/** `undefined` where there was no answer: whatever it was may be done or not. */
function caller(url: string, secret: string) {
  return async (method: string, path: string, body?: object): Promise<Body | undefined> => {
    try {
      const { status, text } = await call(url, secret, path, body, { method });
      return status < 500 ? JSON.parse(text) : undefined;
    } catch {
      return undefined;
    }
  };
}

type Call = ReturnType<typeof caller>;

/** Makes, changes, removes and brings back events with their check-ins, and tells how much was answered. */
async function write(
  api: Call,
  location: string,
  writer: number,
  done: () => boolean,
  onAnswered: (count: number) => void,
) {
  for (let count = 0; !done(); count++) {
    let event: string | undefined;
    await until(async () => {
      const made = await api('POST', '/v1/events/upsert', {
        location_unique_identifier: location,
        external_identifier: `event ${(writer + count) % EVENTS}`,
        event_name: `by ${writer}, ${count}`,
        event_datetime: '2027-03-20T14:30:00Z',
      });
      event = made?.unique_identifier;
      return event !== undefined;
    });
    for (let visitor = 0; visitor < 3; visitor++) {
      await api('POST', '/v1/event_check_in_records/upsert', {
        event_unique_identifier: event,
        external_identifier: `visitor ${writer} ${count % 5} ${visitor}`,
        visitor_full_name: `Visitor ${count}`,
        visitor_phone_number: '+14155550123',
      });
    }
    onAnswered(4);
    if (count % 4 !== writer) continue;
    await api('DELETE', `/v1/events/${event}?cascade=true`);
    if (count % 8 === writer) await api('POST', `/v1/events/${event}/restore`, { version: 1 });
  }
}

/** Reads the copy while its program goes from one change to the next, as whoever looks into it does. */
async function readMeanwhile(path: string, goesOn: () => Promise<void>): Promise<void> {
  const reader = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM record').get();
  await goesOn();
  reader.close();
}

/** All entries of a list. */
async function whole(api: Call, list: string): Promise<Body[]> {
  const all: Body[] = [];
  for (let after = ''; ; ) {
    const page = await api('GET', `/v1/${list}?limit=1000${after}`);
    assert.ok(Array.isArray(page?.data), JSON.stringify(page));
    all.push(...page.data);
    if (!page.has_more) return all;
    after = `&starting_after=${page.position ?? page.data.at(-1).unique_identifier}`;
  }
}

/** All records that the store has, by their identifiers, as they are read. */
async function everything(api: Call): Promise<[string, Body][]> {
  const all: [string, Body][] = [];
  for (const list of LISTS)
    for (const record of await whole(api, list)) {
      const { unique_identifier: id } = record;
      all.push([id, list === 'locations' ? await api('GET', `/v1/${list}/${id}`) : record]);
    }
  return all.sort(([one], [other]) => (one < other ? -1 : 1));
}

/** What the program has stored. */
function copyIn(folder: string): [string, Body][] {
  const path = join(folder, 'copy.db');
  if (!existsSync(path)) return [];
  const copy = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    // The file is there a moment before the table.
    if (copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'record'").get() === undefined)
      return [];
    const rows = copy.prepare('SELECT id, body FROM record ORDER BY id').all();
    return rows.map(({ id, body }) => [String(id), JSON.parse(String(body))]);
  } finally {
    copy.close();
  }
}
