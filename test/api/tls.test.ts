/** The service speaks HTTPS by itself: what holds of plain connections holds of encrypted ones, and certificates are replaced while it runs. */
// needs: both stores with --all, waits

import assert from 'node:assert/strict';
import { type Channel, channel } from 'node:diagnostics_channel';
import { rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { connect as connectSecurely } from 'node:tls';
import { createLog } from '../../src/core/observe/log.ts';
import { whenOver } from '../support/at-end.ts';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { ownFolder } from '../support/cli-program.ts';
import { secureClient } from '../support/https.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

async function startSecure(settings: Readonly<Record<string, string>> = {}) {
  const made = makeCertificate('first');
  const folder = ownFolder();
  const files = writeCertificate(folder, made);
  let logged = '';
  const log = createLog('info', { write: (text: string) => (logged += text) });
  const tls = { tls_cert: files.cert, tls_key: files.key, ...settings };
  const service = await startService({ settings: tls, log });
  const { port } = new URL(service.url);
  const client = (ca = made.cert) => {
    const one = secureClient(service.url, ca);
    whenOver(() => one.close());
    return one;
  };
  const told = (pattern: RegExp): Promise<void> =>
    until(() => pattern.test(logged)).catch(() =>
      assert.fail(`${pattern} was not logged: ${logged}`),
    );
  const headers = { authorization: `Bearer ${service.key}` };
  return { ...service, port: Number(port), folder, files, made, client, told, headers };
}

/** Waits until something is published on a channel. */
function once(of: Channel): Promise<void> {
  return new Promise((resolve) => {
    const told = (): void => {
      of.unsubscribe(told);
      resolve();
    };
    of.subscribe(told);
  });
}

/** Tells whether the other side has closed a connection. */
function watched(socket: Socket): { readonly isClosed: () => boolean } {
  let isClosed = false;
  socket.on('error', () => {});
  socket.resume().on('close', () => {
    isClosed = true;
  });
  return { isClosed: () => isClosed };
}

describe('HTTPS', () => {
  it('answers on connections that are kept, with links to itself by https', async () => {
    const { url, client, headers } = await startSecure();
    assert.match(url, /^https:\/\/127\.0\.0\.1:\d+$/);
    const { get } = client();
    for (let count = 0; count < 3; count++)
      assert.equal((await get('/v1/accounts', headers)).status, 200);
    const { status, text } = await get('/v1/accounts');
    assert.equal(status, 401);
    assert.ok(JSON.parse(text).error.doc_url.startsWith(`${url}/docs/`));
  });

  it('takes TLS 1.2 and 1.3, and nothing older', async () => {
    const { port, made } = await startSecure();
    for (const version of ['TLSv1.2', 'TLSv1.3', 'TLSv1.1'] as const) {
      const socket = connectSecurely({
        ...{ port, host: '127.0.0.1', ca: made.cert, ciphers: 'DEFAULT@SECLEVEL=0' },
        ...{ minVersion: version, maxVersion: version },
      });
      const agreed = await new Promise<string | null>((resolve) => {
        socket.on('secureConnect', () => resolve(socket.getProtocol()));
        socket.on('error', () => resolve(null));
      });
      socket.destroy();
      assert.equal(agreed, version === 'TLSv1.1' ? null : version);
    }
  });

  it('uses a new certificate when its files change; connections that are open stay', async () => {
    const { folder, client, told } = await startSecure();
    const before = client();
    assert.equal((await before.get('/healthz')).name, 'first');
    const next = makeCertificate('second');
    writeCertificate(folder, next);
    await told(/"certificate".*"certificate"/s);
    assert.equal((await client(next.cert).get('/healthz')).name, 'second');
    assert.equal((await before.get('/healthz')).name, 'first');
  });

  it('goes on with the certificate it has where new files do not fit, and says why', async () => {
    const { app, files, client, told } = await startSecure();
    const other = makeCertificate('other');
    writeFileSync(files.key, other.key);
    app.reloadCertificate?.();
    await told(/"level":50[^\n]*TLS_KEY: \S.* is not the key of the certificate in /);
    writeFileSync(files.cert, 'nothing of the kind');
    app.reloadCertificate?.();
    await told(/TLS_CERT: .* holds no certificate in PEM/);
    rmSync(files.cert);
    app.reloadCertificate?.();
    await told(/TLS_CERT: there is no file /);
    assert.equal((await client().get('/healthz')).name, 'first');
    writeFileSync(files.cert, other.cert);
    await app.reloadCertificate?.();
    assert.equal((await client(other.cert).get('/healthz')).name, 'other');
  });

  it('warns of a certificate that has ended', async () => {
    const { app, folder, told } = await startSecure();
    writeCertificate(folder, makeCertificate('old', -1));
    app.reloadCertificate?.();
    await told(/"level":40[^\n]*"ends":"[^\n]*the certificate has expired/);
  });

  it('closes connections that speak no TLS, or break it, and serves the others', async () => {
    const { port, client, made } = await startSecure();
    // It would be closed for its silence before all that come after it.
    const silent = connect(port, '127.0.0.1');
    whenOver(() => silent.destroy());
    const first = watched(silent);
    await new Promise((resolve) => silent.once('connect', resolve));
    const closes = async (socket: Socket): Promise<void> => {
      const { isClosed } = watched(socket);
      await until(isClosed);
      assert.ok(!first.isClosed(), 'it is closed for what it sends, and not for its silence');
    };
    const plain = connect(port, '127.0.0.1');
    plain.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await closes(plain);

    // Between a client and the service stands something that slips in bytes nobody encrypted.
    let toService: Socket | undefined;
    const between = createServer((fromClient) => {
      toService = connect(port, '127.0.0.1');
      fromClient.on('error', () => {}).pipe(toService);
      toService.on('error', () => {}).pipe(fromClient);
    }).listen(0, '127.0.0.1');
    whenOver(() => between.close());
    await new Promise((resolve) => between.once('listening', resolve));
    const { port: at } = between.address() as AddressInfo;
    const broken = connectSecurely({ port: at, host: '127.0.0.1', ca: made.cert });
    broken.on('error', () => {});
    await new Promise((resolve) => broken.once('secureConnect', resolve));
    broken.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await new Promise((resolve) => broken.once('data', resolve));
    assert.ok(toService);
    const ended = closes(toService);
    toService.write(Buffer.from([23, 3, 3, 0, 40, ...Array<number>(40).fill(7)]));
    await ended;
    assert.equal((await client().get('/healthz')).status, 200);
  });

  it('counts connections from the moment they are accepted: silent ones make room', async () => {
    const { port, client, headers } = await startSecure({ max_connections: '8' });
    const silent = Array.from({ length: 6 }, () => connect(port, '127.0.0.1'));
    whenOver(() => {
      for (const socket of silent) socket.destroy();
    });
    const all = silent.map(watched);
    const closed = () => all.filter(({ isClosed }) => isClosed()).length;
    await until(() => closed() >= 4);
    assert.equal((await client().get('/v1/accounts', headers)).status, 200);
    // By themselves they would be closed after a quarter of a minute, all together.
    assert.ok(closed() < 6, 'two have room');
  });

  it('answers what has begun before it stops', async () => {
    const { app, client, headers } = await startSecure();
    const { get } = client();
    assert.equal((await get('/healthz')).status, 200);
    const begun = once(channel('http.server.request.start'));
    const answer = get('/v1/accounts', headers);
    await begun;
    await Promise.all([app.close(), answer]);
    assert.equal((await answer).status, 200);
  });
});
