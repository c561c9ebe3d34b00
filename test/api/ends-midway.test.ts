/** Whatever takes long ends when its caller may no longer: within a second, with a word on why, and no further row. */
// needs: both stores with --all, waits
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { type ConsoleBrowser, OWN, signedIn } from '../support/console.ts';
import { parseJson } from '../support/parse-json.ts';
import { locationBody } from '../support/sent.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { served } from '../support/world.ts';

/** What is promised. */
const A_SECOND = 1_000;
const PATH = '/v1/locations/upsert_many';

let clock = Date.now();
const now = () => clock;
const service = served({ settings: { webhook_allow: '127.0.0.1' }, now });

const row = (name: string): Body =>
  locationBody(service.account.unique_identifier, name, { location_name: name });

async function isThere(name: string): Promise<boolean> {
  const headers = { 'Ledgerstone-Mode': 'update_only' };
  return (await service.json('/v1/locations/upsert', row(name), { headers })).status === 200;
}

async function count(): Promise<number> {
  const headers = { Accept: 'application/x-ndjson' };
  const { text } = await service.get('/v1/locations', { headers });
  return text.split('\n').length - 1;
}

/** A stream of rows that has begun, and the lines that were answered so far. */
function stream(path: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  let text = '';
  let isOver = false;
  socket.on('data', (bytes) => (text += bytes));
  socket.on('error', () => {});
  socket.on('close', () => {
    isOver = true;
  });
  const all = {
    Host: new URL(service.url).host,
    'Content-Type': 'application/x-ndjson',
    'Transfer-Encoding': 'chunked',
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join('')}\r\n`);
  return {
    send(lines: string): void {
      socket.write(`${Buffer.byteLength(lines).toString(16)}\r\n${lines}\r\n`);
    },
    lines: (): Body[] => [...text.matchAll(/^\{.*\}$/gm)].map(([line]) => parseJson(line) as Body),
    end: () => socket.destroy(),
    isOver: () => isOver,
  };
}

type Begun = ReturnType<typeof stream>;

const summedUp = ({ lines }: Begun): Body => lines().find(({ summary }) => summary !== undefined);

/** Sends rows until some are answered, has something done, and sends more: none of those is saved. */
async function endsAfter(
  what: string,
  path: string,
  headers: Record<string, string>,
  end: () => Promise<unknown>,
  code: string,
  form: 'lines' | 'csv' = 'lines',
): Promise<void> {
  const type = form === 'csv' && { 'Content-Type': 'text/csv' };
  const began = stream(path, { ...headers, ...type });
  const names = Object.keys(row(''));
  const text = (name: string): string =>
    form === 'csv' ? `${Object.values(row(name)).join(',')}\r\n` : `${JSON.stringify(row(name))}\n`;
  if (form === 'csv') began.send(`${names.join(',')}\r\n`);
  began.send(text(`${what} before`));
  await until(() => began.lines().some(({ outcome }) => outcome === 'created'));
  await end();
  clock += A_SECOND;
  began.send(text(`${what} after`));
  // It does not wait for more to arrive.
  await until(() => summedUp(began) !== undefined);
  const last = summedUp(began);
  const why = `${what}: ${JSON.stringify(last)}`;
  assert.deepEqual([last.summary.created, last.error?.code], [1, code], why);
  assert.ok(await isThere(`${what} before`), what);
  assert.ok(!(await isThere(`${what} after`)), what);
  began.end();
}

describe('A stream of rows ends when', { concurrency: true }, () => {
  const ways: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
    suspended: (key) => service.app.store.keys.suspend(key),
    revoked: (key) => service.app.store.keys.revoke(key),
    expired: (key) => service.app.store.keys.expire(key, clock),
  };
  for (const [what, end] of Object.entries(ways)) {
    for (const form of ['lines', 'csv'] as const) {
      it(`its key is ${what}, as ${form}`, async () => {
        const { secret, key } = await service.newKey();
        const headers = { Authorization: `Bearer ${secret}` };
        const name = `${what} ${form}`;
        const done = () => end(key.unique_identifier);
        await endsAfter(name, PATH, headers, done, `api_key_${what}`, form);
      });
    }
  }

  it('one of the accounts of its key is closed', async () => {
    const { accounts } = service.app.store;
    const { unique_identifier } = (await service.another()).account;
    const both = [service.account.unique_identifier, unique_identifier];
    const { secret } = await service.newKey({ accounts: both });
    const headers = { Authorization: `Bearer ${secret}` };
    const close = () => accounts.close(unique_identifier);
    await endsAfter('closed', PATH, headers, close, 'permission_denied');
  });

  it('its person is disabled, or signs out', async () => {
    const path = `/console/api${PATH}`;
    const one = await signedIn(service, 'disabled@example.com');
    const headersOf = ({ cookie }: ConsoleBrowser) => ({ ...OWN, Cookie: cookie ?? '' });
    const disable = () => service.app.store.staff.disable(one.session.staff.unique_identifier);
    await endsAfter('disabled', path, headersOf(one), disable, 'sign_in_needed');
    const two = await signedIn(service, 'out@example.com');
    const headers = headersOf(two);
    await endsAfter('signed out', path, headers, () => two.post('/sign_out'), 'sign_in_needed');
  });
});

it('a stream of rows whose key ends has told of every row that it saved', async () => {
  const { secret, key } = await service.newKey();
  const began = stream(PATH, { Authorization: `Bearer ${secret}` });
  const before = await count();
  let sent = 0;
  const more = (): void => {
    const names = Array.from({ length: 500 }, (_, at) => `told ${sent + at}`);
    sent += names.length;
    began.send(names.map((name) => `${JSON.stringify(row(name))}\n`).join(''));
  };
  for (let times = 0; times < 4; times += 1) more();
  await until(() => began.lines().length > 0);
  await service.app.store.keys.revoke(key.unique_identifier);
  clock += A_SECOND;
  await until(() => {
    if (summedUp(began) === undefined && sent < 95_000) more();
    return summedUp(began) !== undefined;
  });
  const last = summedUp(began);
  assert.equal(last.error?.code, 'api_key_revoked');
  const told = began.lines().filter(({ outcome }) => outcome === 'created');
  for (const [at, { line }] of told.entries()) assert.equal(line, at + 1);
  assert.equal(last.line, told.length + 1);
  assert.equal(await count(), before + told.length);
  assert.ok(told.length < sent);
  began.end();
});

it('an image that arrives after its key was revoked is not shown', async () => {
  const [asked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = createServer(async (_request, response) => {
    asked.resolve();
    await ended.promise;
    // A JPEG of one pixel, as far as anybody looks.
    response.end(Buffer.from('ffd8ffc0000b080001000101011100ffd9', 'hex'));
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const image_urls = [`http://127.0.0.1:${port}/card.jpg`];
  const location_unique_identifier = await service.location();
  const sent = { location_unique_identifier, external_identifier: 'card', image_urls };
  const { body } = await service.json('/v1/direct_mail_replies/upsert', sent);
  const { secret, key } = await service.newKey();
  const path = `/v1/direct_mail_replies/${body.unique_identifier}/images/0`;
  const image = service.get(path, { key: secret });
  await asked.promise;
  await service.app.store.keys.revoke(key.unique_identifier);
  clock += A_SECOND;
  ended.resolve();
  const { status, text } = await image;
  other.close();
  assert.equal(status, 401, text);
});

describe('An import ends when its person is disabled', () => {
  const ROWS = 8_000;
  const file = (name: string, rows: number): string => {
    const all = Array.from({ length: rows }, (_, at) => Object.values(row(`${name} ${at}`)));
    return [Object.keys(row('')), ...all].join('\n');
  };

  const bring = async (person: ConsoleBrowser, text: string) => {
    const { body } = await person.post('/v1/uploads?name=locations.csv', text);
    return fetch(`${service.url}/console/api/v1/imports`, {
      method: 'POST',
      headers: {
        ...{ ...OWN, Cookie: person.cookie ?? '', 'Content-Type': 'application/json' },
        Accept: 'application/x-ndjson',
      },
      body: JSON.stringify({ upload: body.unique_identifier, resource: 'locations' }),
    });
  };

  const editor = (name: string) => signedIn(service, `${name}@example.com`);
  const disable = async ({ session }: { session: Body }): Promise<void> => {
    await service.app.store.staff.disable(session.staff.unique_identifier);
    clock += A_SECOND;
  };
  const lastOf = (text: string): Body => parseJson(text.trimEnd().split('\n').at(-1) ?? '') as Body;

  it('while it waits, and creates nothing', async (test) => {
    const { store } = service.app;
    const [first, second] = [await editor('first'), await editor('second')];
    // The one before it goes on until it is over.
    const over = Promise.withResolvers<void>();
    const commit = store.commit.bind(store);
    test.mock.method(store, 'commit', async (...given: Parameters<typeof commit>) => {
      await over.promise;
      return commit(...given);
    });
    const found = test.mock.method(store.imports.uploads, 'find').mock;
    const running = await bring(first, file('ahead', ROWS));
    const waiting = bring(second, file('waiting', 1));
    // It has arrived, and found what it is to import.
    await until(() => found.callCount() === 2);
    await disable(second);
    over.resolve();
    const [ahead, text] = [await running.text(), await (await waiting).text()];
    assert.equal(lastOf(ahead).done, true, ahead);
    assert.equal(lastOf(text).error?.code, 'sign_in_needed', text);
    assert.ok(!(await isThere('waiting 0')));
    const runs = await service.app.store.imports.list(50);
    assert.equal(runs.length, 1, 'nor is there a trace of it');
  });

  it('while it runs, and while it is undone', async () => {
    const [one, two] = [await editor('one'), await editor('two')];
    // So many that it goes on for longer than it takes to see it begin.
    const MANY = 2 * ROWS;
    const before = await count();
    const running = await bring(one, file('running', MANY));
    let saved = 0;
    let last: Body;
    for await (const line of createInterface({ input: Readable.fromWeb(running.body as never) })) {
      last = parseJson(line) as Body;
      if (saved > 0 || !(last.counts?.created > 0)) continue;
      saved = last.counts.created;
      await disable(one);
    }
    assert.equal(last.error?.code, 'sign_in_needed', JSON.stringify(last));
    const after = (await count()) - before;
    assert.ok(saved > 0 && after < MANY, `${after} of ${MANY}, and ${saved} before`);

    const [run] = (await two.get('/v1/imports')).body.data;
    const undone = two.post(`/v1/imports/${run.unique_identifier}/undo`, { dry_run: false });
    const ends = ['running 0', `running ${after - 1}`];
    await until(async () => (await Promise.all(ends.map(isThere))).includes(false));
    await disable(two);
    const { status, body } = await undone;
    assert.deepEqual([status, body.error?.code], [401, 'sign_in_needed']);
    assert.ok((await count()) > before);
  });
});
