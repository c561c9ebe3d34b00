/** A key that is bound to addresses works from there alone, and nobody talks their way there (decisions, "Keys"). */
// needs: both stores with --all

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { createSecret } from '../../src/records/auth/issue-key.ts';
import { whenOver } from '../support/at-end.ts';
import { joinService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Addresses of this machine, each a place of its own. */
const OFFICE = '127.0.0.7';
const ELSEWHERE = '127.0.0.66';
const PROXY = '127.0.0.2';

async function serviceFor(settings?: Record<string, string>) {
  const service = await (settings === undefined ? joinService() : startService({ settings }));
  whenOver(() => service.stop());
  const { secret: bound } = await service.newKey({ from: [OFFICE] });
  return { service, bound, port: new URL(service.url).port };
}

interface Call {
  readonly from: string;
  readonly key: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** Lists the accounts from an address of this machine. */
async function call(url: string, { from, key, headers = {} }: Call) {
  const all = { Authorization: `Bearer ${key}`, ...headers };
  const sent = request(`${url}/v1/accounts`, { localAddress: from, headers: all }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) };
}

const status = async (url: string, sent: Call): Promise<number> => (await call(url, sent)).status;

/** A proxy that hands on what comes, and adds whom it came from, as nginx does with `$proxy_add_x_forwarded_for`. */
async function proxyTo(
  target: string,
  add: (headers: OutgoingHttpHeaders, client: string) => OutgoingHttpHeaders,
): Promise<string> {
  const proxy = createServer((received, answer) => {
    const { host: _, connection: __, ...headers } = received.headers;
    const onward = request(
      target + received.url,
      { localAddress: PROXY, headers: add(headers, received.socket.remoteAddress ?? '') },
      (got) => {
        answer.writeHead(got.statusCode ?? 0, got.headers);
        got.pipe(answer);
      },
    );
    received.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  whenOver(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const after = (before: unknown, own: string): string =>
  before === undefined ? own : `${before}, ${own}`;
const listing = (headers: OutgoingHttpHeaders, client: string) => ({
  ...headers,
  'x-forwarded-for': after(headers['x-forwarded-for'], client),
});
const forwarding = (headers: OutgoingHttpHeaders, client: string) => ({
  ...headers,
  forwarded: after(headers.forwarded, `for=${client};proto=https`),
});

/** What a client may write to seem to be in the office. */
const forgeries: readonly OutgoingHttpHeaders[] = [
  { 'X-Forwarded-For': OFFICE },
  { 'X-Forwarded-For': `${OFFICE}, ${PROXY}` },
  { 'X-Forwarded-For': [OFFICE, OFFICE] },
  { Forwarded: `for=${OFFICE}` },
  { Forwarded: `for=${OFFICE};by=${PROXY}, for=${PROXY}` },
  { Forwarded: 'for="' },
  { Forwarded: `for=${OFFICE};x="` },
  { 'X-Forwarded-For': OFFICE, Forwarded: `for=${OFFICE}` },
  { 'X-Real-IP': OFFICE, 'Client-IP': OFFICE, 'True-Client-IP': OFFICE },
];

async function forged(url: string, key: string): Promise<void> {
  for (const headers of forgeries) {
    const sent = { from: ELSEWHERE, key, headers };
    assert.equal(await status(url, sent), 401, `${url} ${JSON.stringify(headers)}`);
  }
}

describe('a key that is bound to addresses', () => {
  it('works from there alone', async () => {
    const { service, bound } = await serviceFor();
    const { secret: free } = await service.newKey();
    assert.equal(await status(service.url, { from: OFFICE, key: bound }), 200);
    assert.equal(await status(service.url, { from: ELSEWHERE, key: bound }), 401);
    assert.equal(await status(service.url, { from: ELSEWHERE, key: free }), 200);
    const { secret: several } = await service.newKey({ from: ['2001:db8::/32', '127.0.0.64/30'] });
    assert.equal(await status(service.url, { from: ELSEWHERE, key: several }), 200);
    assert.equal(await status(service.url, { from: OFFICE, key: several }), 401);
  });

  it('is refused elsewhere by name, and else like a key that there is not, in its headers and its stages', async () => {
    const { service, bound } = await serviceFor();
    // Found lately and in use: it must not be told apart by that either.
    assert.equal(await status(service.url, { from: OFFICE, key: bound }), 200);
    const told = async (key: string) => {
      const { status: code, headers, text } = await call(service.url, { from: ELSEWHERE, key });
      const { 'request-id': _, date: __, 'content-length': ___, ...others } = headers;
      const { 'server-timing': stages, ...rest } = others;
      const timing = String(stages).replaceAll(/[\d.]+/g, '');
      return [JSON.parse(text).error, { code, rest, timing }] as const;
    };
    const [error, others] = await told(bound);
    const [unknown, alike] = await told(createSecret(false));
    assert.deepEqual(others, alike);
    assert.equal(unknown.code, 'api_key_unknown');
    assert.equal(error.code, 'api_key_address');
    assert.doesNotMatch(error.message, /127\./, 'the networks are not told');
  });

  it('is not noted as used by attempts from elsewhere', async () => {
    const { service } = await serviceFor();
    const { secret, key } = await service.newKey({ from: [OFFICE] });
    await status(service.url, { from: ELSEWHERE, key: secret });
    // What is noted of another key later is noted with it.
    const there = await service.newKey({ from: [OFFICE] });
    await status(service.url, { from: OFFICE, key: there.secret });
    const lastUse = async ({ unique_identifier: id }: typeof key) =>
      (await service.app.store.keys.list()).find((one) => one.unique_identifier === id)
        ?.last_used_at;
    await until(async () => typeof (await lastUse(there.key)) === 'number');
    assert.equal(await lastUse(key), null);
  });

  it('works from IPv4 addresses where the service listens on IPv6, too', async (t) => {
    let dual: Awaited<ReturnType<typeof serviceFor>>;
    try {
      dual = await serviceFor({ host: '::' });
    } catch {
      return t.skip('this machine has no IPv6');
    }
    const { service, bound, port } = dual;
    const url = `http://127.0.0.1:${port}`;
    assert.equal(await status(url, { from: OFFICE, key: bound }), 200);
    assert.equal(await status(url, { from: ELSEWHERE, key: bound }), 401);
    const { secret: six } = await service.newKey({ from: ['::1'] });
    assert.equal(await status(`http://[::1]:${port}`, { from: '::1', key: six }), 200);
    assert.equal(await status(`http://[::1]:${port}`, { from: '::1', key: bound }), 401);
    assert.equal(await status(url, { from: OFFICE, key: six }), 401);
  });

  it('is not talked round where no proxy is trusted', async () => {
    const { service, bound } = await serviceFor();
    await forged(service.url, bound);
    const sent = { from: OFFICE, key: bound, headers: { 'X-Forwarded-For': ELSEWHERE } };
    assert.equal(await status(service.url, sent), 200);
  });

  for (const [name, add] of [
    ['X-Forwarded-For', listing],
    ['Forwarded', forwarding],
  ] as const) {
    it(`works through a trusted proxy that writes ${name}, and is not talked round by what a client writes`, async () => {
      const { service, bound } = await serviceFor({ trust_proxy: PROXY });
      const proxy = await proxyTo(service.url, add);
      assert.equal(await status(proxy, { from: OFFICE, key: bound }), 200);
      assert.equal(await status(proxy, { from: ELSEWHERE, key: bound }), 401);
      for (const url of [proxy, service.url]) await forged(url, bound);
      // Of a connection that the office used, too.
      const { secret: free } = await service.newKey();
      assert.equal(await status(proxy, { from: ELSEWHERE, key: free }), 200);
    });
  }

  it('works through two proxies, and through none that is not trusted', async () => {
    const { service, bound } = await serviceFor({ trust_proxy: `${PROXY}, 127.0.0.1` });
    const inner = await proxyTo(service.url, listing);
    const outer = await proxyTo(inner, listing);
    assert.equal(await status(outer, { from: OFFICE, key: bound }), 200);
    assert.equal(await status(outer, { from: ELSEWHERE, key: bound }), 401);
    const { service: strict, bound: key } = await serviceFor({ trust_proxy: '127.0.0.3' });
    const untrusted = await proxyTo(strict.url, listing);
    assert.equal(await status(untrusted, { from: OFFICE, key }), 401);
  });

  it('is judged by each request of a connection that a proxy shares among clients', async () => {
    const { service, bound } = await serviceFor({ trust_proxy: '127.0.0.1' });
    for (const client of [OFFICE, ELSEWHERE, OFFICE, ELSEWHERE]) {
      // `fetch` keeps its connection.
      const sent = { key: bound, headers: { 'X-Forwarded-For': client } };
      const answer = await service.get('/v1/accounts', sent);
      assert.equal(answer.status, client === OFFICE ? 200 : 401, client);
    }
  });
});
