/** Whoever connects while one key keeps the service busy is accepted after a few turns of the event loop, and not after hundreds. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { it } from 'node:test';
import { fastify } from 'fastify';
import { beginRequestsFairly } from '../../src/edge/fair/requests.ts';

const BUSY = 64;
const NEW = 300;
const WORK_MS = 1;

it('new connections are accepted while requests take all of the time that there is', async (t) => {
  const server = fastify();
  beginRequestsFairly(server);
  let answered = 0;
  server.get('/', async () => {
    const until = performance.now() + WORK_MS;
    while (performance.now() < until);
    answered += 1;
    return '';
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: BUSY });
  t.after(async () => {
    agent.destroy();
    await server.close();
  });
  let ended = false;
  const ask = (): void => {
    request({ port, host: '127.0.0.1', agent }, (answer) => {
      answer.resume().on('end', () => ended || ask());
    })
      .on('error', () => {})
      .end();
  };
  for (let count = 0; count < BUSY; count++) ask();
  while (answered < BUSY) await new Promise((resolve) => setImmediate(resolve));

  let accepted = 0;
  const all = new Promise<void>((resolve) => {
    server.server.on('connection', () => {
      accepted += 1;
      if (accepted === NEW) resolve();
    });
  });
  const before = answered;
  const sockets = Array.from({ length: NEW }, () =>
    connect(port, '127.0.0.1').on('error', () => {}),
  );
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await all;
  ended = true;
  assert.ok(answered - before < 4 * NEW, `${answered - before} requests were answered meanwhile`);
});
