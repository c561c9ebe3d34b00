/** The rest of a refused body is discarded, but not for ever. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { it } from 'node:test';
import { discardBody } from '../../src/edge/fair/bodies.ts';
import { whenOver } from '../support/at-end.ts';

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const PIECE = `10000\r\n${'x'.repeat(65_536)}\r\n`;

/** A connection to a server that refuses every request as soon as its head is there. */
async function refused(restMs: number): Promise<Socket> {
  const server = createServer((request, response) => {
    if (!request.complete) discardBody(request, restMs);
    response.writeHead(400).end('no');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  whenOver(() => socket.destroy());
  return socket;
}

it('a body without an end is answered, and its connection ended', async () => {
  const socket = await refused(300);
  let text = '';
  socket.on('data', (more: string) => {
    text += more;
  });
  socket.on('error', () => {});
  const fill = (): void => {
    while (socket.writable && socket.write(PIECE));
  };
  socket.on('drain', fill).write(HEAD);
  fill();
  await new Promise((resolve) => socket.once('close', resolve));
  assert.match(text, /^HTTP\/1\.1 400 /);
});

it('one that ends in time leaves the connection for the next request', async () => {
  const socket = await refused(30_000);
  socket.write(HEAD + PIECE.repeat(20));
  await once(socket, 'data');
  socket.write(`${PIECE.repeat(20)}0\r\n\r\n${HEAD}0\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [string];
  assert.match(answer, /^HTTP\/1\.1 400 /);
});

it('it is read a piece at a time, however much of it is there', async () => {
  const REST_MS = 1_000;
  let accepted: Socket | undefined;
  const server = createServer((request, response) => {
    accepted = request.socket;
    // Some of the body has come by the time it is refused.
    setTimeout(() => {
      discardBody(request, REST_MS);
      response.writeHead(400).end('no');
    }, 20);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenOver(() => {
    server.closeAllConnections();
    server.close();
  });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  whenOver(() => socket.destroy());
  const piece = Buffer.from(PIECE.repeat(16));
  const fill = (): void => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('error', () => {}).on('drain', fill);
  socket.resume().write(HEAD);
  fill();
  await new Promise((resolve) => socket.once('close', resolve));
  // 32 MiB in a second, and what a machine that was late has to catch up with.
  const read = (accepted?.bytesRead ?? 0) / 1_048_576;
  assert.ok(read > 1 && read < 64, `${read} MiB were read`);
});
