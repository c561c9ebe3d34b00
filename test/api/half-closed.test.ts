/** A client that has sent its request and ends its side of the connection still gets its answer, on every route. */
// needs: both stores, waits
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { before, describe, it } from 'node:test';
import { connect as connectSecurely } from 'node:tls';
import { rights } from '../../src/records/auth/principal.ts';
import { whenOver } from '../support/at-end.ts';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { ownFolder } from '../support/cli-program.ts';
import { locationBody } from '../support/sent.ts';
import { type Service, startService } from '../support/service.ts';
import { type Route, startWithRoutes } from '../support/service-routes.ts';
import { until } from '../support/until.ts';
import { rawRequest } from '../support/wire.ts';

const AT_ONCE = 8;

let service: Service;
let routes: readonly Route[];

before(async () => {
  ({ service, routes } = await startWithRoutes());
  await service.event(await service.location('home'), 'first');
});

/** Sends it, ends this side, and reads until the other side ends, or something is there. */
function halfClosed(url: string, text: string, enough = (_: string) => false): Promise<string> {
  const { protocol, hostname: host, port } = new URL(url);
  const to = { host, port: Number(port), allowHalfOpen: true };
  return new Promise((resolve, reject) => {
    const socket: Socket =
      protocol === 'https:'
        ? connectSecurely(Object.assign(to, { rejectUnauthorized: false }))
        : connect(to);
    whenOver(() => socket.destroy());
    let read = '';
    socket.on('data', (bytes) => {
      read += bytes.toString();
      if (enough(read)) resolve(read);
    });
    socket.on('end', () => resolve(read)).on('error', reject);
    socket.end(text);
  });
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
const KEPT = { Connection: 'keep-alive' };

function upsert(name: string): string {
  const body = JSON.stringify(locationBody(service.account.unique_identifier, name));
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  const headers = { 'Content-Type': 'application/json', ...KEPT, ...length };
  return rawRequest(service, 'POST /v1/locations/upsert', headers, body);
}

describe('A client that ends its side once it has asked', { concurrency: 2 }, () => {
  it('is answered, on every route', async () => {
    const { secret } = await service.newKey({ allow: Object.keys(rights) });
    const left = routes
      .filter(({ url, method, isOpen }) => !isOpen && !url.includes('*') && method !== 'OPTIONS')
      .values();
    const next = async (): Promise<void> => {
      for (const { method, url } of left) {
        const line = `${method} ${url.replace(/:\w+/g, 'x')}`;
        const headers = { ...KEPT, Authorization: `Bearer ${secret}` };
        const status = statusOf(await halfClosed(service.url, rawRequest(service, line, headers)));
        assert.ok(status >= 200 && status < 500, `${line}: ${status}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
  });

  it('has its records saved and is told so, a hundred times of a hundred, and one after another', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `half ${index}`);
    const all = await Promise.all(names.map((name) => halfClosed(service.url, upsert(name))));
    assert.deepEqual(new Set(all.map(statusOf)), new Set([200]));
    const two = await halfClosed(service.url, upsert('one') + upsert('another'));
    assert.equal(two.match(/HTTP\/1\.1 200 OK/g)?.length, 2, two);
  });

  it('gets all of a list as rows, and its rows answered', async () => {
    const lines = rawRequest(service, 'GET /v1/locations', { ...KEPT, Accept: 'text/csv' });
    assert.match(await halfClosed(service.url, lines), /home[\s\S]*\r\n0\r\n\r\n$/);
    const row = JSON.stringify(locationBody(service.account.unique_identifier, 'row'));
    const length = { 'Content-Length': String(Buffer.byteLength(row)) };
    const headers = { ...KEPT, 'Content-Type': 'application/x-ndjson', ...length };
    const many = rawRequest(service, 'POST /v1/locations/upsert_many', headers, row);
    assert.match(await halfClosed(service.url, many), /"outcome":"created"/);
  });

  it('waits for no change, and follows', async () => {
    const { position } = (await service.get('/v1/changes?starting_after=now')).body;
    const path = `GET /v1/changes?starting_after=${position}`;
    const waits = await halfClosed(service.url, rawRequest(service, `${path}&wait=60`, KEPT));
    assert.match(waits, /"data":\[\]/);
    let change = '';
    const headers = { ...KEPT, Accept: 'application/x-ndjson' };
    const following = halfClosed(service.url, rawRequest(service, path, headers), (read) => {
      change = read;
      return read.includes('"object":"change"');
    });
    await until(() => change.includes('"object":"position"'));
    await service.json(
      '/v1/locations/upsert',
      locationBody(service.account.unique_identifier, 'later'),
    );
    assert.match(await following, /"outcome":"created"/);
  });

  it('is answered by HTTPS', async () => {
    const { cert, key } = writeCertificate(ownFolder(), makeCertificate());
    const secure = await startService({ settings: { tls_cert: cert, tls_key: key } });
    const request = rawRequest(secure, 'GET /v1/accounts', KEPT);
    for (let times = 0; times < 20; times += 1)
      assert.equal(statusOf(await halfClosed(secure.url, request)), 200);
  });
});
