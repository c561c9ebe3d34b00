/** Requests that wait behind another one on their connection are ended with it, and cost next to nothing. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { it } from 'node:test';
import { handleInOrder } from '../../src/edge/fair/connections.ts';
import { listening } from '../support/local-server.ts';

it('requests that wait end with their connection, without a stack for each', async () => {
  const { stackTraceLimit } = Error;
  const waiting: IncomingMessage[] = [];
  const begun: IncomingMessage[] = [];
  const server = createServer((request) => begun.push(request));
  handleInOrder(server, (request) => waiting.push(request));
  const client = connect(await listening(server), '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50));
  while (waiting.length < 49) await new Promise((resolve) => setTimeout(resolve, 5));
  const ended = Promise.all([...begun, ...waiting].map((request) => once(request, 'error')));
  client.destroy();
  const errors = await ended;
  assert.equal(begun.length, 1);
  assert.equal(errors.length, 50);
  for (const [error] of errors) {
    assert.equal(error.code, 'ECONNRESET');
    assert.doesNotMatch(error.stack, /\n {4}at /);
  }
  assert.equal(Error.stackTraceLimit, stackTraceLimit);
  assert.match(new Error('later').stack ?? '', /\n {4}at /);
});
