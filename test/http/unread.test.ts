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
const WINDOW_MS = 300;
/** The service looks six times in a window. */
const LOOK_MS = WINDOW_MS / 6;
/** What a slow reader reads from one look to the next: the whole takes four windows. */
const PORTION = 3 * MIB;

for (const protocol of ['HTTP', 'HTTPS']) {
  it(`a connection ends whose client takes less than the least in a window, by ${protocol}`, () =>
    endsTheSilent(protocol === 'HTTPS'));
}

async function endsTheSilent(secure: boolean): Promise<void> {
  const server = createServer((_request, response) => {
    new Pieces(cut('x'.repeat(WHOLE), MIB / 16)).pipe(response).on('error', () => {});
  });
  let read = 0;
  let allowed = PORTION;
  let steady: Socket | undefined;
  let clock = LOOK_MS;
  endUnread(server, { windowMs: WINDOW_MS, bytes: MIB / 16 }, () => {
    // Time passes as the slow reader reads, however busy the machine is.
    if (read >= Math.min(allowed, WHOLE)) {
      clock += LOOK_MS;
      allowed += PORTION;
      steady?.resume();
    }
    return clock;
  });
  /** By the ports of the clients. */
  const ended = new Set<number | undefined>();
  server.on('connection', (socket) => {
    const { remotePort } = socket;
    socket.once('close', () => ended.add(remotePort));
  });
  if (secure) {
    const files = writeCertificate(ownFolder(), makeCertificate());
    const tls = await createTls(files, createLog('silent').tls);
    tls.protect(server);
    whenOver(() => tls.close());
  }
  const port = await listening(server);
  /** A socket that was closed has forgotten its port. */
  const ports = new Map<Socket, number | undefined>();
  const known = (socket: Socket): Socket =>
    socket.once('connect', () => ports.set(socket, socket.localPort));
  const isEnded = (socket: Socket): boolean => ended.has(ports.get(socket) ?? 0);
  const connects = (): Socket => {
    const socket = secure
      ? connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect(port, '127.0.0.1');
    socket.on('error', () => {});
    whenOver(() => socket.destroy());
    return known(socket);
  };
  const asks = (): Socket => {
    const socket = connects();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return socket;
  };

  const silent = asks().pause();
  const idle = connects();
  const slow = asks();
  steady = slow;
  slow.on('data', (bytes) => {
    read += bytes.length;
    if (read >= allowed) slow.pause();
  });
  await until(() => isEnded(silent));
  await until(() => read >= WHOLE || slow.closed);
  assert.equal(isEnded(idle), false, 'the one that asks nothing');
  assert.equal(isEnded(slow), false, 'the one that reads slowly');
  silent.destroy();
}
