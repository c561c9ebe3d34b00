/** Clients that do not read their answers are ended, those that read slowly are not. */
// needs: waits

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { it } from 'node:test';
import { connect as connectSecurely } from 'node:tls';
import { createLog } from '../../src/core/observe/log.ts';
import { endUnread } from '../../src/edge/fair/connections.ts';
import { cut, Pieces } from '../../src/edge/response/envelope.ts';
import { createTls } from '../../src/edge/server/tls.ts';
import { whenOver } from '../support/at-end.ts';
import { makeCertificate, writeCertificate } from '../support/certificate.ts';
import { ownFolder } from '../support/cli-program.ts';
import { listening } from '../support/local-server.ts';
import { until } from '../support/until.ts';

const MIB = 1_048_576;
const WHOLE = 64 * MIB;

for (const protocol of ['HTTP', 'HTTPS']) {
  it(`a connection ends whose client takes less than the least in a window, by ${protocol}`, () =>
    endsTheSilent(protocol === 'HTTPS'));
}

async function endsTheSilent(secure: boolean): Promise<void> {
  const server = createServer((_request, response) => {
    new Pieces(cut('x'.repeat(WHOLE), MIB / 16)).pipe(response).on('error', () => {});
  });
  endUnread(server, { windowMs: 1_000, bytes: MIB / 16 });
  /** By the ports of the clients. */
  const ended = new Set<number | undefined>();
  server.on('connection', (socket) => {
    const { remotePort } = socket;
    socket.once('close', () => ended.add(remotePort));
  });
  if (secure) {
    const files = writeCertificate(ownFolder(), makeCertificate());
    const tls = createTls(files, createLog('silent').tls);
    tls.protect(server);
    whenOver(() => tls.close());
  }
  const port = await listening(server);
  /** A socket that was closed has forgotten its port. */
  const ports = new Map<Socket, number | undefined>();
  const known = (socket: Socket): Socket =>
    socket.once('connect', () => ports.set(socket, socket.localPort));
  const isEnded = (socket: Socket): boolean => ended.has(ports.get(socket) ?? 0);
  const asks = (): Socket => {
    const socket = secure
      ? connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    whenOver(() => socket.destroy());
    return known(socket);
  };

  const silent = asks().pause();
  const idle = known(connect(port, '127.0.0.1').on('error', () => {}));
  whenOver(() => idle.destroy());
  const steady = asks();
  let read = 0;
  steady.on('data', (bytes) => {
    read += bytes.length;
    // Some 20 MiB a second: three seconds for the whole, three windows.
    steady.pause();
    setTimeout(() => steady.resume(), bytes.length / 20_000);
  });
  await until(() => isEnded(silent));
  // Where the machine is busy, reading takes longer than a handshake may: then this one is ended for that.
  assert.equal(isEnded(idle), false, 'the one that asks nothing');
  await until(() => read >= WHOLE || steady.closed);
  assert.equal(isEnded(steady), false, 'the one that reads slowly');
  silent.destroy();
}
