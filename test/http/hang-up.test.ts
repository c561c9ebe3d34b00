/** A caller who hangs up is no fault of the service: its log keeps silent about errors. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createLog } from '../../src/core/observe/log.ts';
import { startService } from '../support/service.ts';

it('a caller who hangs up before the body was read is no error in the log', async () => {
  const failed: unknown[] = [];
  const service = await startService({
    log: { ...createLog('silent'), requestFailed: (_, error) => failed.push(error) },
  });
  const { keys } = service.app.store;
  const { secret } = await service.newKey();
  const authenticate = keys.authenticate.bind(keys);
  const looking = Promise.withResolvers<void>();
  const found = Promise.withResolvers<void>();
  // A store that takes its time: the caller is gone when it has found the key.
  keys.authenticate = async (hash) => {
    looking.resolve();
    await pause(200);
    return authenticate(hash).finally(() => found.resolve());
  };
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    'POST /v1/locations/upsert HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/json',
    'Content-Length: 2000',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n{`);
  await looking.promise;
  socket.resetAndDestroy();
  await found.promise;
  // Another request is answered after that one would have been.
  await service.get('/v1/locations');
  assert.deepEqual(failed, []);
});
