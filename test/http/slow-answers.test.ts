/** Whoever waits for an answer is not idle: a connection without a key is kept while its page is made. */
// needs: waits
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { watchConnections } from '../../src/edge/limits/connections.ts';
import { listening } from '../support/local-server.ts';

/** Longer than a connection without a key may be idle. */
const SLOWLY_MS = 17_000;

it('a page that takes long to be made arrives without a key', async () => {
  const server = createServer(async (request, response) => {
    request.resume();
    await pause(SLOWLY_MS);
    response.end('whole');
  });
  watchConnections(server, { most: 16, log: () => {} });
  const url = `http://127.0.0.1:${await listening(server)}`;
  const all = [{ method: 'GET' }, { method: 'POST', body: 'x'.repeat(100_000) }];
  const answers = await Promise.all(all.map(async (sent) => (await fetch(url, sent)).text()));
  assert.deepEqual(answers, ['whole', 'whole']);
});
