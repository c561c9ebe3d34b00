/** Whoever waits for an answer is not idle: a connection without a key is kept while its page is made. */
// needs: waits
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { it } from 'node:test';
import { watchConnections } from '../../src/edge/limits/connections.ts';
import { whenOver } from '../support/at-end.ts';
import { listening } from '../support/local-server.ts';
import { until } from '../support/until.ts';

/** Longer than a connection without a key may be idle. */
const SLOWLY_MS = 17_000;

it('a page that takes long to be made arrives without a key', async () => {
  let clock = 0;
  let begun = 0;
  const made = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    await once(request.resume(), 'end');
    begun += 1;
    await made.promise;
    response.end('whole');
  });
  watchConnections(server, { most: 16, log: () => {}, elapsed: () => clock });
  const port = await listening(server);
  const url = `http://127.0.0.1:${port}`;
  const idle = connect(port, '127.0.0.1');
  whenOver(() => idle.destroy());
  await once(idle, 'connect');
  const all = [{ method: 'GET' }, { method: 'POST', body: 'x'.repeat(100_000) }];
  const sent = all.map(async (one) => (await fetch(url, one)).text());
  await until(() => begun === all.length);
  clock += SLOWLY_MS;
  // The same look that ends an idle connection has seen the others.
  await until(() => idle.closed);
  made.resolve();
  assert.deepEqual(await Promise.all(sent), ['whole', 'whole']);
});
