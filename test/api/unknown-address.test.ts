/** Where the operator has not said at which address clients reach the service, its links lead to where the caller came from. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { before, describe, it } from 'node:test';
import type { LedgerstoneError } from '../../client/src/error.ts';
import { Ledgerstone } from '../../client/src/index.ts';
import { administrator, OWN } from '../support/console.ts';
import { keptLog } from '../support/kept-log.ts';
import { type Service, startService } from '../support/service.ts';
import { type Route, startWithRoutes } from '../support/service-routes.ts';
import { exchange } from '../support/wire.ts';

type Headers = Readonly<Record<string, string>>;

const NOWHERE = /0\.0\.0\.0|\[::\]/;
const WARNING = /set PUBLIC_URL/;

/** Every text in an answer that may lead somewhere. */
function linksIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^(?:https?:\/)?\//.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(linksIn);
}

for (const host of ['0.0.0.0', '::']) {
  describe(`a service that listens at ${host}`, () => {
    let service: Service;
    const { log, lines } = keptLog();
    const ask = (path: string, headers: Record<string, string> = {}) =>
      service.app.inject({
        url: path,
        headers: {
          host: 'records.example.com:8443',
          authorization: `Bearer ${service.key}`,
          ...headers,
        },
      });

    before(async () => {
      service = await startService({ settings: { host, plain_http: 'true' }, log });
      for (const name of ['a', 'b', 'c']) await service.location(name);
    });

    it('links pages of every list to themselves', async () => {
      const { headers } = await ask('/v1/locations?limit=1');
      const [, next = ''] = /<([^>]*)>; rel="next"/.exec(String(headers.link)) ?? [];
      const from = 'https://records.example.com:8443/v1/locations?limit=1';
      const { origin, pathname, searchParams } = new URL(next, from);
      assert.equal(origin + pathname, from.split('?')[0]);
      assert.equal((await ask(next)).json().data.length, 1);
      assert.ok(searchParams.has('starting_after'));
    });

    it('leads from errors, OpenAPI and the pages to where they were asked for', async () => {
      const { error } = (await ask('/v1/nothing')).json();
      assert.equal(error.doc_url, '/docs/errors#path_unknown');
      const openapi = (await ask('/openapi.json')).json();
      assert.deepEqual(openapi.servers, [{ url: '/' }]);
      for (const path of [
        '/openapi.json',
        '/docs/quick-start',
        '/docs/quick-start.md',
        '/llms.txt',
        '/docs/errors',
      ])
        for (const asked of ['records.example.com', 'a b<>'])
          assert.doesNotMatch((await ask(path, { host: asked })).body, NOWHERE, `${path} ${asked}`);
      for (const path of ['/v1/changes', '/v1/locations', '/v1/requests', '/v1/nothing', '/'])
        for (const link of linksIn((await ask(path)).body)) assert.doesNotMatch(link, NOWHERE);
    });

    it('says so as it starts', () => {
      assert.equal(lines.filter(({ msg }) => WARNING.test(String(msg))).length, 1);
    });
  });
}

describe('a service that listens at an address of its machine alone', { concurrency: 2 }, () => {
  let service: Service;
  let routes: readonly Route[];
  let person: Headers;
  let host: string;

  before(async () => {
    ({ service, routes } = await startWithRoutes());
    host = new URL(service.url).host;
    for (const name of ['a', 'b', 'c']) await service.event(await service.location(name));
    const { cookie = '' } = await administrator(service, 'office@example.com');
    person = { ...OWN, Cookie: cookie };
  });

  /** How callers come who do not use that address, whatever they or their proxies say. */
  const WAYS: Readonly<Record<string, () => Headers>> = {
    'by a name': () => ({ Host: 'records.example.com' }),
    'by another name of this machine': () => ({ Host: host.replace('127.0.0.1', 'localhost') }),
    'by another port': () => ({ Host: '127.0.0.1:1' }),
    'by a proxy that passes on the name': () => ({
      ...{ Host: 'records.example.com', 'X-Forwarded-For': '192.0.2.1' },
      ...{ 'X-Forwarded-Host': 'records.example.com', 'X-Forwarded-Proto': 'https' },
    }),
    'by a proxy that says whom it asks': () => ({ Host: host, 'X-Forwarded-For': '192.0.2.1' }),
    'by one that speaks of itself': () => ({ Host: host, Via: '1.1 records.example.com' }),
    'by one of the newer kind': () => ({
      ...{ Host: host, Forwarded: 'for=192.0.2.1;host=records.example.com' },
    }),
    'by one that names its scheme': () => ({ Host: host, 'X-Forwarded-Proto': 'https' }),
  };

  interface Asked {
    readonly path: string;
    readonly method?: string;
    readonly headers: Headers;
    readonly body?: string;
  }

  async function answerTo({ path, method = 'GET', headers, body }: Asked) {
    const { hostname, port } = new URL(service.url);
    const sent = request({ hostname, port, path, method, headers: { ...headers } });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const said = await text(answer);
    return { status: answer.statusCode, said, all: `${answer.rawHeaders.join('\n')}\n${said}` };
  }

  const keyed = (): Headers => ({ Authorization: `Bearer ${service.key}` });
  const isConsole = (url: string): boolean => url.startsWith('/console/');
  /** Absolute addresses of the service; not those that records have, nor names alone. */
  const isNowhere = (all: string): void => {
    assert.doesNotMatch(all, /https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]|records\.example\.com)/);
  };

  for (const [way, how] of Object.entries(WAYS))
    it(`leads to no address in any answer to whoever comes ${way}`, async () => {
      const data = routes.filter(({ url }) => !url.includes('*') && /\/(?:v1|api)\//.test(url));
      assert.ok(data.length > 150, `${data.length} routes`);
      let errors = 0;
      for (const { method, url } of data) {
        const path = url.replace(/:\w+/g, 'x');
        const own = isConsole(url) ? person : keyed();
        for (const caller of [{}, own]) {
          const { said, all } = await answerTo({ path, method, headers: { ...caller, ...how() } });
          isNowhere(all);
          if (!said.startsWith('{"error"')) continue;
          errors += 1;
          const { code, doc_url } = JSON.parse(said).error;
          assert.equal(doc_url, `/docs/errors#${code}`, `${method} ${path}`);
        }
      }
      assert.ok(errors > data.length, `${errors} errors`);
    });

  for (const [way, how] of Object.entries(WAYS))
    it(`leads to no address from pages, rows and OpenAPI to whoever comes ${way}`, async () => {
      const headers = { ...keyed(), ...how() };
      const page = await answerTo({ path: '/v1/locations?limit=1', headers });
      assert.match(page.all, /<\/v1\/locations\?[^>]*>; rel="next"/);
      for (const Accept of ['text/csv', 'application/x-ndjson', 'text/event-stream'])
        for (const path of ['/v1/locations', '/v1/changes?starting_after=none', '/v1/nothing'])
          isNowhere((await answerTo({ path, headers: { ...headers, Accept } })).all);
      for (const type of ['application/json', 'application/x-ndjson', 'text/csv', 'text/plain']) {
        const sent = { path: '/v1/locations/upsert_many', method: 'POST', body: '[{"a":1}]' };
        isNowhere((await answerTo({ ...sent, headers: { ...headers, 'Content-Type': type } })).all);
      }
      for (const coding of ['identity', 'gzip']) {
        const asked = { path: '/openapi.json', headers: { ...how(), 'Accept-Encoding': coding } };
        const { status, said } = await answerTo(asked);
        assert.equal(status, 200);
        if (coding === 'gzip') continue;
        isNowhere(said.replaceAll('https://records.example.com', ''));
        assert.deepEqual(JSON.parse(said).servers, [{ url: '/' }]);
      }
    });

  it('leads to that address for whoever comes by it, and is OpenAPI for both', async () => {
    for (const Host of [host, host.toUpperCase()]) {
      const { error } = JSON.parse(
        (await answerTo({ path: '/v1/nothing', headers: { Host } })).said,
      );
      assert.equal(error.doc_url, `${service.url}/docs/errors#${error.code}`);
      for (const headers of [{ Host }, { Host: 'records.example.com' }, { Host }]) {
        const { said } = await answerTo({ path: '/openapi.json', headers });
        const expected = headers.Host === Host ? service.url : '/';
        assert.deepEqual(JSON.parse(said).servers, [{ url: expected }]);
      }
    }
  });

  it('leads nowhere for what is no request', async () => {
    for (const head of [
      'GET /v1/x y HTTP/1.1',
      'GET /v1/%zz HTTP/1.1',
      'GET /v1/x HTTP/1.1\r\na b',
    ])
      for (const name of ['records.example.com', 'a b', host.replace(':', ':0')]) {
        const sent = `${head}\r\nHost: ${name}\r\nConnection: close\r\n\r\n`;
        const [answer] = await exchange(service.url, sent);
        assert.match(answer?.body.error.doc_url, /^\/docs\/errors#/, sent);
      }
  });

  it('leads readers of errors by the client to where the client asks', async () => {
    const { port } = new URL(service.url);
    for (const url of [service.url, `http://localhost:${port}`]) {
      const failed = new Ledgerstone({ url, key: service.key, tries: 1 }).locations.retrieve('x');
      await assert.rejects(failed, (error: LedgerstoneError) => {
        assert.equal(error.docUrl, `${url}/docs/errors#${error.code}`);
        return true;
      });
    }
  });
});

it('neither a service of this machine alone nor one with its address warns', async () => {
  const all: readonly Readonly<Record<string, string>>[] = [
    {},
    { host: '0.0.0.0', plain_http: 'true', public_url: 'https://records.example.com' },
  ];
  for (const settings of all) {
    const { log, lines } = keptLog();
    const service = await startService({ settings, log });
    await service.location('a');
    await service.location('b');
    assert.ok(!lines.some(({ msg }) => WARNING.test(String(msg))));
    const url = '/v1/locations?limit=1';
    const headers = { authorization: `Bearer ${service.key}` };
    const { link } = (await service.app.inject({ url, headers })).headers;
    const { public_url: base = '' } = settings;
    assert.ok(String(link).startsWith(`<${base}/v1/locations?`), String(link));
  }
});
