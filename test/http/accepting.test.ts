/** Connections that come while one key keeps the service busy are accepted one after the other, and not each after some of its requests. */

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { it } from 'node:test';
import { fastify } from 'fastify';
import { beginRequestsFairly } from '../../src/edge/fair/connections.ts';
import { whenOver } from '../support/at-end.ts';

const BUSY = 64;
const NEW = 300;
/** What a request and a tick of the event loop take, by a clock that nothing else moves: other processes may have the cores. */
const WORK_MS = 1;
const TICK_MS = 0.1;

it('new connections are accepted while requests take all of the time that there is', async () => {
  let clock = performance.now();
  Object.defineProperty(performance, 'now', { value: () => clock, configurable: true });
  whenOver(() => Reflect.deleteProperty(performance, 'now'));
  let ended = false;
  const tick = (): void => {
    clock += TICK_MS;
    if (!ended) setImmediate(tick);
  };
  tick();
  const server = fastify();
  beginRequestsFairly(server);
  let answered = 0;
  server.get('/', async () => {
    clock += WORK_MS;
    answered += 1;
    return '';
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: BUSY });
  whenOver(async () => {
    agent.destroy();
    await server.close();
  });
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
  let atOnce = 0;
  const all = new Promise<void>((resolve) => {
    let before = answered;
    server.server.on('connection', () => {
      accepted += 1;
      if (answered === before) atOnce += 1;
      before = answered;
      if (accepted === NEW) resolve();
    });
  });
  const sockets = Array.from({ length: NEW }, () =>
    connect(port, '127.0.0.1').on('error', () => {}),
  );
  whenOver(() => {
    for (const socket of sockets) socket.destroy();
  });
  // The system connects them all before this thread looks again: they wait for nothing but to be accepted.
  await all;
  ended = true;
  assert.ok(atOnce > NEW / 2, `${atOnce} of ${NEW} came next after another one`);
});
