/** Clients that do not read their answers are ended, those that read slowly are not. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { cut, Pieces } from '../../src/http/pieces.ts';
import { endUnread } from '../../src/http/unread.ts';

const MIB = 1_048_576;
const WHOLE = 64 * MIB;

it('a connection ends whose client takes less than the least in a window', async (test) => {
  const server = createServer((_request, response) => {
    new Pieces(cut('x'.repeat(WHOLE), MIB / 16)).pipe(response).on('error', () => {});
  });
  endUnread(server, { windowMs: 600, bytes: MIB });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const asks = (): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    test.after(() => socket.destroy());
    return socket;
  };
  const ended = new Set<Socket>();
  server.on('connection', (socket) => socket.once('close', () => ended.add(socket)));
  test.after(() => server.close());

  const silent = asks().pause();
  const idle = connect(port, '127.0.0.1').on('error', () => {});
  test.after(() => idle.destroy());
  const steady = asks();
  let read = 0;
  steady.on('data', (bytes) => {
    read += bytes.length;
    // Some 20 MiB a second: three seconds for the whole, five windows.
    steady.pause();
    setTimeout(() => steady.resume(), bytes.length / 20_000);
  });
  while (read < WHOLE && !steady.closed) await pause(50);
  assert.equal(ended.size, 1, 'the one that reads nothing');
  assert.equal(idle.closed || steady.closed, false);
  silent.destroy();
});
