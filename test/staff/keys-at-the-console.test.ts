/** No API key reaches a route of the console, however the route is spelled, and no session one of `/v1`. */
// needs: both stores with --all, long
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { rights } from '../../src/records/auth/principal.ts';
import { administrator, type ConsoleBrowser, OWN, signedIn } from '../support/console.ts';
import { pluck } from '../support/pluck.ts';
import type { Service } from '../support/service.ts';
import { type Route, startWithRoutes } from '../support/service-routes.ts';
import { exchange, type RawAnswer } from '../support/wire.ts';

const CONSOLE = '/console/api';

const hex = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** A path in every way that some router, proxy or comparison of texts takes for the same. */
function spellings(path: string): string[] {
  const segments = path.split('/').slice(1);
  const withSegment = (at: number, segment: string): string =>
    `/${segments.with(at, segment).join('/')}`;
  const each = segments.flatMap((segment, at) => [
    withSegment(at, hex(segment)),
    withSegment(at, hex(segment).toUpperCase()),
    withSegment(at, hex(segment.slice(0, 1)) + segment.slice(1)),
    withSegment(at, segment.slice(0, -1) + hex(segment.slice(-1))),
    withSegment(at, segment.toUpperCase()),
    withSegment(at, `/${segment}`),
    withSegment(at, `./${segment}`),
    withSegment(at, `%2e/${segment}`),
    withSegment(at, `x/../${segment}`),
    withSegment(at, `x/%2e%2e/${segment}`),
    withSegment(at, `${segment};a=b`),
    withSegment(at, `${segment}%3ba=b`),
    withSegment(at, hex(hex(segment))),
  ]);
  const origins = ['http://127.0.0.1', 'https://x.example', 'HTTP://x', 'x:', '//x', '*'];
  return [
    path,
    ...each,
    ...origins.map((origin) => origin + path),
    `http://x/v1/me/../..${path}`,
    `http://x${withSegment(1, '%61pi')}`,
    `/v1/..${path}`,
    `/v1/me/..%2f..${path}`,
    `${path}/`,
    `${path}?x=1`,
    `${path}?/v1/me`,
    `${path}#/v1/me`,
    `/v1/me?${path}`,
    `/v1/me#${path}`,
    `?${path}`,
    path.replaceAll('/', '%2f'),
    `/${path.slice(1).replaceAll('/', '%2f')}`,
    path.replaceAll('/', '\\'),
  ];
}

describe('At the console', () => {
  let service: Service;
  let admin: ConsoleBrowser;
  let routes: readonly Route[];

  before(async () => {
    ({ service, routes } = await startWithRoutes({ settings: { trust_proxy: '127.0.0.1' } }));
    admin = await administrator(service);
  });

  /** What is answered to a request for each target. One that is no target of HTTP at all ends its connection. */
  const askAll = async (
    method: string,
    targets: readonly string[],
    headers: Record<string, string>,
  ) => {
    const body = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? '' : '{}';
    const all = {
      Host: new URL(service.url).host,
      ...OWN,
      ...(body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': '2' }),
      ...headers,
    };
    const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const answers: RawAnswer[] = [];
    while (answers.length < targets.length) {
      // Answers to HEAD say a length, and have no body: none can be read behind them.
      const end = method === 'HEAD' ? answers.length + 1 : undefined;
      const left = targets.slice(answers.length, end).map((target, at, { length }) => {
        const connection = at + 1 === length ? 'Connection: close\r\n' : '';
        return `${method} ${target} HTTP/1.1\r\n${head.join('')}${connection}\r\n${body}`;
      });
      const some = await exchange(service.url, left.join(''));
      assert.ok(some.length > 0, `${left[0]} was not answered`);
      answers.push(...some);
    }
    return targets.map((target, at) => ({ target, ...(answers[at] as RawAnswer) }));
  };

  /** Failures of one address would wait for their answers, longer and longer. */
  let addresses = 0;
  const elsewhere = () => {
    addresses += 1;
    return { 'X-Forwarded-For': `10.0.${addresses >> 8}.${addresses & 255}` };
  };

  it('a key with every permission and right gets nothing but refusals', async () => {
    const { secret } = await service.newKey({ allow: Object.keys(rights) });
    const Authorization = `Bearer ${secret}`;
    const closed = routes.filter(({ url, isOpen }) => url.startsWith(`${CONSOLE}/`) && !isOpen);
    const known = [
      '/v1/uploads',
      '/v1/imports',
      '/exports',
      '/keys',
      '/staff',
      '/v1/events/upsert',
    ];
    for (const one of known)
      assert.ok(
        closed.some(({ url }) => url === CONSOLE + one),
        one,
      );
    const seen = new Set<string>();
    for (const { method, url } of closed) {
      const path = url.replace(/:\w+/g, 'x').replace('*', 'nothing');
      const isPlain = seen.has(path);
      seen.add(path);
      // The methods of a path are told apart after its spelling.
      const ways = isPlain
        ? [path, `http://x${path}`, path.replace('api', '%61pi')]
        : spellings(path);
      for (const answer of await askAll(method, ways, { Authorization })) {
        const { target: way, status, headers, body } = answer;
        const told = `${method} ${way}: ${status}`;
        // Below `/console` everything else is the page, which anybody may have; `/v1/me` is the key's own.
        const isPage = method === 'GET' && headers['content-type']?.startsWith('text/html');
        const isOwn = way.startsWith('/v1/me?') || way.startsWith('/v1/me#');
        if (isPage || isOwn) continue;
        // What is no target of HTTP at all does not get as far.
        const isUnread = status === 400 && body?.error?.code === 'request_malformed';
        assert.ok(isUnread || [401, 403, 404].includes(status), told);
      }
    }
    assert.deepEqual((await admin.get('/v1/imports')).body.data, []);
  });

  it('a session opens none of /v1, however it is spelled', async () => {
    const person = await signedIn(service);
    const Cookie = person.cookie ?? '';
    for (const path of ['/v1/accounts', '/v1/changes', '/v1/me', '/v1/events/upsert_many']) {
      const method = path.endsWith('many') ? 'POST' : 'GET';
      const ways = [...spellings(path), `/console/api/..${path}`, `/console/..${path}`];
      const told = ways.map(async (way) => {
        const [answer] = await askAll(method, [way], { Cookie, ...elsewhere() });
        const { status, headers } = answer ?? assert.fail(way);
        const isPage = method === 'GET' && headers['content-type']?.startsWith('text/html');
        assert.ok(isPage || [400, 401, 403, 404].includes(status), `${method} ${way}: ${status}`);
      });
      await Promise.all(told);
    }
  });

  it('a session opens its own routes, however they are spelled', async () => {
    const Cookie = admin.cookie ?? '';
    const ways = ['/console/%61pi/session', 'http://x/console/api/session'];
    assert.deepEqual(pluck(await askAll('GET', ways, { Cookie }), 'status'), [200, 200]);
  });
});
