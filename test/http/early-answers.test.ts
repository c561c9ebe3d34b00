/** An answer that comes before the body was read is seen by a client that sends all of it first, on every route. */
// needs: waits
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { before, describe, it } from 'node:test';
import { createLog } from '../../src/core/observe/log.ts';
import { discardBody, readBodiesFairly } from '../../src/edge/fair/bodies.ts';
import { closeGently, type LingeringBounds } from '../../src/edge/fair/lingering.ts';
import { createTls } from '../../src/edge/server/tls.ts';
import { rights } from '../../src/records/auth/principal.ts';
import { whenOver } from '../support/at-end.ts';
import { type Blocking, blockingExchange, LAST_CHUNK } from '../support/blocking-client.ts';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { ownFolder } from '../support/cli-program.ts';
import { administrator, OWN } from '../support/console.ts';
import { keptLog } from '../support/kept-log.ts';
import { listening } from '../support/local-server.ts';
import { scrape } from '../support/scrape.ts';
import { type Service, startService } from '../support/service.ts';
import { type Route, startWithRoutes } from '../support/service-routes.ts';
import { until } from '../support/until.ts';

const MIB = 1_048_576;
/** More than most routes take, and than is read at once. */
const LONG = 1.25 * MIB;
const LONGEST = 20 * MIB;
const AT_ONCE = 8;
const BOUNDS: LingeringBounds = {
  ...{ wholeMs: 600_000, silentMs: 60_000, readingMs: 60_000 },
  ...{ bytes: 64 * MIB, most: 256 },
};

type Headers = Readonly<Record<string, string>>;

let service: Service;
/** All that may be sent a body, and are not open to everybody. */
let routes: readonly Route[];
let key: Headers;
let person: Headers;

before(async () => {
  const started = await startWithRoutes();
  service = started.service;
  routes = started.routes.filter(
    ({ method, url, isOpen }) =>
      !isOpen && !url.includes('*') && !['GET', 'HEAD', 'OPTIONS'].includes(method),
  );
  key = withKey((await service.newKey({ allow: Object.keys(rights) })).secret);
  const { cookie = '' } = await administrator(service, 'office@example.com');
  person = { ...OWN, Cookie: cookie };
});

const withKey = (secret: string): Headers => ({ Authorization: `Bearer ${secret}` });
const isConsole = ({ url }: Route): boolean => url.startsWith('/console/');
const lineOf = ({ method, url }: Pick<Route, 'method' | 'url'>): string =>
  `${method} ${url.replace(/:\w+/g, 'x')}`;

function headOf(line: string, headers: Headers): string {
  const all = { Host: 'localhost', 'Content-Type': 'application/json', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`${line} HTTP/1.1`, ...lines].join('\r\n');
}

/** Does it for each, some at a time. */
async function forAll<T>(all: readonly T[], check: (one: T, index: number) => Promise<void>) {
  const left = all.entries();
  const next = async (): Promise<void> => {
    for (const [index, one] of left) await check(one, index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

/** The same body with its length and in chunks, on a connection that closes and on one that is kept. */
const WAYS = [
  { closes: true, chunked: false },
  { closes: true, chunked: true },
  { closes: false, chunked: false },
  { closes: false, chunked: true },
] as const;

interface Refused extends Partial<Blocking> {
  readonly url?: string;
  readonly line: string;
  readonly headers: Headers;
  readonly status: number;
  readonly ways?: readonly (typeof WAYS)[number][];
}

async function isSeen({ url = service.url, line, headers, status, ways = WAYS, ...how }: Refused) {
  for (const { closes, chunked } of ways) {
    const head = headOf(line, { ...headers, ...(closes && { Connection: 'close' }) });
    const answer = await blockingExchange(url, { bytes: LONG, chunked, head, ...how });
    const what = `${line} ${JSON.stringify({ closes, chunked })} ${answer.text.slice(0, 300)}`;
    assert.deepEqual([answer.statuses, answer.error], [[status], undefined], what);
  }
}

/** On each route one that closes and one that is kept; by turns with a length and in chunks. */
const byTurns = (index: number) => WAYS.filter((_, way) => (way + (way >> 1) + index) % 2 === 0);

describe('a client that sends its whole body before it reads sees', { concurrency: 2 }, () => {
  it('401 without a key or a session, on every route', async () => {
    assert.ok(routes.length > 80, `${routes.length} routes`);
    await forAll(routes, (route, index) => {
      const headers = isConsole(route) ? OWN : {};
      return isSeen({ line: lineOf(route), headers, status: 401, ways: byTurns(index) });
    });
  });

  it('403 for a request that another page sends, on every route of the console', () =>
    forAll(routes.filter(isConsole), (route, index) =>
      isSeen({ line: lineOf(route), headers: {}, status: 403, ways: byTurns(index) }),
    ));

  it('415 for a type that a route does not take', () =>
    forAll(routes, async (route) => {
      const headers = { ...(isConsole(route) ? person : key), 'Content-Type': 'text/x-unknown' };
      const head = headOf(lineOf(route), { ...headers, Connection: 'close' });
      const how = { head, bytes: LONG, chunked: true };
      const { statuses, error, text } = await blockingExchange(service.url, how);
      // No administrator erases, holds or reads the audit, and no key does what people do.
      const expected = statuses[0] === 403 ? [403] : [415];
      assert.deepEqual([statuses, error], [expected, undefined], `${lineOf(route)} ${text}`);
    }));

  it('413 for a length that a route does not take, and for chunks that exceed it', () =>
    forAll(['events/upsert', 'search', 'webhook_endpoints', 'imports'], async (path) => {
      const route = routes.find(({ url }) => url.endsWith(`/v1/${path}`));
      if (route === undefined) return;
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      await isSeen({ line: lineOf(route), headers: { ...key, ...form }, status: 413 });
    }));

  it('404 and 405 where there is nothing of that name or method', async () => {
    await isSeen({ line: 'POST /v1/nothing', headers: key, status: 404 });
    await isSeen({ line: 'POST /nothing', headers: {}, status: 401 });
    await isSeen({ line: 'PUT /v1/events/upsert', headers: key, status: 405 });
    await isSeen({ line: 'POST /docs', headers: key, status: 405 });
    await isSeen({ line: 'POST /healthz', headers: key, status: 405 });
  });

  it('403, and 429 of a key that has sent too much', async () => {
    const reads = withKey((await service.newKey({ permissions: ['read'] })).secret);
    await isSeen({ line: 'POST /v1/events/upsert', headers: reads, status: 403 });
    await isSeen({ line: 'POST /v1/events/upsert_many', headers: reads, status: 403 });
    const { secret } = await service.newKey({ requests_a_second: 1 / 60 });
    assert.equal((await service.get('/v1/accounts', { key: secret })).status, 200);
    const slow = withKey(secret);
    await isSeen({ line: 'POST /v1/events/upsert_many', headers: slow, status: 429 });
  });

  it('what is wrong with rows while they arrive', async () => {
    for (const type of ['text/csv', 'application/x-ndjson'])
      for (const { closes, chunked } of WAYS) {
        const close = closes ? { Connection: 'close' } : {};
        const head = headOf('POST /v1/events/upsert_many', {
          ...key,
          'Content-Type': type,
          ...close,
        });
        const { text, error } = await blockingExchange(service.url, { head, bytes: LONG, chunked });
        assert.equal(error, undefined, `${type} ${closes} ${chunked}`);
        assert.match(text, /"code":"(?:row_too_large|body_too_large|table_invalid|[a-z_]+)"/);
      }
  });

  it('400 and 431 for what is no request', async () => {
    const [close] = WAYS;
    await isSeen({ line: 'POST /v1/x y', headers: key, status: 400, ways: [close] });
    const long = { ...key, 'X-Long': 'x'.repeat(20_000) };
    await isSeen({ line: 'POST /v1/events/upsert', headers: long, status: 431, ways: [close] });
    const both = { ...key, 'Transfer-Encoding': 'chunked' };
    await isSeen({ line: 'POST /v1/events/upsert', headers: both, status: 400, ways: [close] });
  });

  it('the same by HTTPS, and of the port of the metrics', async () => {
    const files = writeCertificate(ownFolder(), makeCertificate());
    const { log, lines } = keptLog();
    const settings = { tls_cert: files.cert, tls_key: files.key, metrics_port: '0' };
    const { url } = await startService({ settings, log });
    await isSeen({ url, secure: true, line: 'POST /v1/events/upsert', headers: {}, status: 401 });
    const shown = String(lines.find(({ msg }) => msg === 'metrics')?.address);
    await isSeen({ url: shown, line: 'POST /metrics', headers: {}, status: 405 });
    await scrape(shown);
  });

  it('401 a hundred times of a hundred, with 20 MB', () =>
    forAll([...Array(100).keys()], async () => {
      const line = 'POST /v1/events/upsert_many';
      await isSeen({ line, headers: {}, status: 401, bytes: LONGEST, ways: [WAYS[0]] });
    }));
});

describe('a client that asks with Expect: 100-continue', { concurrency: 2 }, () => {
  it('keeps a body to itself that would be refused, on every route', () =>
    forAll(routes, async (route) => {
      for (const { closes, chunked } of WAYS) {
        const own = isConsole(route) ? OWN : {};
        const head = headOf(lineOf(route), { ...own, ...(closes && { Connection: 'close' }) });
        const how = { head, bytes: LONG, chunked, expects: true };
        const { statuses, sent, text } = await blockingExchange(service.url, how);
        assert.deepEqual([statuses, sent], [[401], 0], lineOf(route));
        // What it sends next could be that body, after all.
        assert.match(text, /^connection: close\r$/im);
      }
    }));

  it('is asked for one that is read', async () => {
    for (const path of ['upsert', 'upsert_many']) {
      const type = { 'Content-Type': path === 'upsert' ? 'application/json' : 'text/csv' };
      const head = headOf(`POST /v1/locations/${path}`, { ...key, ...type, Connection: 'close' });
      const how = { head, bytes: 100, expects: true };
      const { statuses, sent } = await blockingExchange(service.url, how);
      assert.deepEqual([statuses, sent > 0], [[100, 400], true], path);
    }
  });
});

describe('a connection whose reads wait when it is answered', () => {
  for (const secure of [false, true])
    for (const closes of [true, false])
      it(`is read to its end, ${secure ? 'over TLS' : 'plain'}, ${closes ? 'and closes' : 'and is kept'}`, async () => {
        const server = createServer();
        // As while more than is read at once waits for its turn.
        server.on('request', (request, response) => {
          request.socket.pause();
          response.writeHead(401, closes ? { Connection: 'close' } : {}).end('no');
        });
        closeGently(server);
        readBodiesFairly(server);
        const head = headOf('POST /', closes ? { Connection: 'close' } : {});
        if (secure) {
          const files = writeCertificate(ownFolder(), makeCertificate());
          const tls = await createTls(files, createLog('silent').tls);
          whenOver(() => tls.close());
          tls.protect(server);
        }
        const to = `http://127.0.0.1:${await listening(server)}`;
        const answer = await blockingExchange(to, { head, bytes: LONGEST, secure });
        assert.deepEqual([answer.statuses, answer.error], [[401], undefined]);
      });
});

describe('a client of TLS that reads until the connection ends', () => {
  /** What a request may have met before its answer. */
  const MEETS: Readonly<
    Record<string, (request: IncomingMessage) => Promise<unknown> | undefined>
  > = {
    'nobody read': () => undefined,
    'the service discards': async (request) => discardBody(request),
    'was read in part': (request) => once(request, 'data').then(() => request.pause()),
  };
  const FAR_MS = 600_000;

  for (const [name, meets] of Object.entries(MEETS))
    it(`is told so as soon as a body has come that ${name}`, async () => {
      const server = createServer();
      server.on('request', async (request, response) => {
        await meets(request);
        response.writeHead(401, { Connection: 'close' }).end('no');
      });
      closeGently(server, { ...BOUNDS, silentMs: FAR_MS, readingMs: FAR_MS });
      readBodiesFairly(server);
      const tls = await createTls(
        writeCertificate(ownFolder(), makeCertificate()),
        createLog('silent').tls,
      );
      whenOver(() => tls.close());
      tls.protect(server);
      const to = `http://127.0.0.1:${await listening(server)}`;
      await forAll([10, 65_536, 65_537, LONG, LONGEST], async (bytes) => {
        for (const { closes, chunked } of WAYS) {
          const head = headOf('POST /', closes ? { Connection: 'close' } : {});
          const how = { head, bytes, chunked, secure: true, toTheEnd: true };
          const { statuses, error } = await blockingExchange(to, how);
          assert.deepEqual([statuses, error], [[401], undefined], `${bytes} ${chunked}`);
        }
      });
      const cuts = Array.from(LAST_CHUNK, (_, at) => at).slice(1);
      await forAll(cuts, async (at) => {
        const endIn = [LAST_CHUNK.slice(0, at), LAST_CHUNK.slice(at)];
        const how = { head: headOf('POST /', {}), bytes: LONGEST, chunked: true, endIn };
        const answer = await blockingExchange(to, { ...how, secure: true, toTheEnd: true });
        assert.deepEqual([answer.statuses, answer.error], [[401], undefined], `cut at ${at}`);
      });
    });
});

describe('connections that wait for their clients to close', () => {
  const bounds: LingeringBounds = { ...BOUNDS, silentMs: 60_000, most: 4 };

  /** Connections that have been answered, and go on sending; and how many of them the server still has. */
  async function answered(count: number, more: Partial<LingeringBounds>) {
    const open = new Set<Socket>();
    const server = createServer((_request, response) => {
      response.writeHead(400, { Connection: 'close' }).end('no');
    });
    closeGently(server, { ...bounds, ...more });
    server.on('connection', (socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
    const port = await listening(server);
    const clients: Socket[] = [];
    for (let left = count; left > 0; left -= 1) {
      const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      client
        .on('error', () => {})
        .write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n');
      whenOver(() => client.destroy());
      clients.push(client);
      await new Promise((resolve) => client.once('data', resolve));
    }
    return { open, clients };
  }

  it('are few, are silent for a moment, and end in all', async () => {
    const { open } = await answered(10, {});
    await until(() => open.size === bounds.most);
    const silent = await answered(1, { silentMs: 500 });
    await until(() => silent.open.size === 0);
    const talking = await answered(1, { wholeMs: 1_000 });
    const drops = setInterval(() => talking.clients[0]?.write('x'), 50);
    whenOver(() => clearInterval(drops));
    await until(() => talking.open.size === 0);
  });

  it('send no more than so many bytes', async () => {
    const { open, clients } = await answered(1, { bytes: 8 * MIB });
    const [client] = clients;
    let sent = 0;
    const more = (): void => {
      do sent += MIB;
      while (open.size > 0 && client?.write(Buffer.alloc(MIB)) === true);
    };
    client?.on('drain', more);
    more();
    await until(() => open.size === 0);
    assert.ok(sent < 64 * MIB, `${sent} bytes were sent`);
  });

  it('end when their clients do', async () => {
    const { open, clients } = await answered(1, {});
    assert.equal(open.size, 1);
    clients[0]?.end();
    await until(() => open.size === 0);
  });
});
