/** Connections are read in turn, answered while they are read, and ended without a fault where callers hang up. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createLog } from '../../src/core/observe/log.ts';
import { handleInOrder, readConnectionsFairly } from '../../src/edge/fair/connections.ts';
import { Answer } from '../../src/edge/rows/answer.ts';
import { listening } from '../support/local-server.ts';
import { connectionsClosed, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Has connections made at once, each from that address; and gives their names in the order in which they were read. */
async function readOrder(all: readonly { readonly name: string; readonly address: string }[]) {
  const server = createServer();
  server.removeAllListeners('connection');
  readConnectionsFairly(server);
  const read: string[] = [];
  for (const { name, address } of all) {
    const socket = new Socket();
    Object.defineProperty(socket, 'remoteAddress', { value: address });
    const resume = socket.resume.bind(socket);
    socket.resume = () => {
      read.push(name);
      return resume();
    };
    server.emit('connection', socket);
  }
  assert.equal(read.length, 0, 'none while more are accepted');
  while (read.length < all.length) await turn();
  return read;
}

const address = '192.0.2.1';
const crowd = Array.from({ length: 200 }, () => ({ name: 'another', address }));

it('a new connection is read before most of those that one address has made at once', async () => {
  const read = await readOrder([...crowd, { name: 'other', address: '192.0.2.2' }]);
  assert.ok(read.indexOf('other') <= 1, `it was read as number ${read.indexOf('other')}`);
});

it('a new connection of the same address is read before most of them, and the first of them is, too', async () => {
  const read = await readOrder([{ name: 'first', address }, ...crowd, { name: 'last', address }]);
  for (const name of ['first', 'last'])
    assert.ok(read.indexOf(name) <= 1, `the ${name} was read as number ${read.indexOf(name)}`);
});

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
  // A store that takes its time with the first: the caller is gone when it has found the key.
  keys.authenticate = async (hash) => {
    keys.authenticate = authenticate;
    looking.resolve();
    await connectionsClosed(service.url);
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

it('requests that wait end with their connection, without a stack for each', async () => {
  const { stackTraceLimit } = Error;
  const waiting: IncomingMessage[] = [];
  const begun: IncomingMessage[] = [];
  const server = createServer((request) => begun.push(request));
  handleInOrder(server, (request) => waiting.push(request));
  const client = connect(await listening(server), '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50));
  await until(() => waiting.length >= 49);
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

const PIECE = Buffer.alloc(65_536);

async function writeAll(answer: Answer, pieces: number): Promise<void> {
  for (let piece = 0; piece < pieces; piece++) await answer.write(PIECE);
  answer.end('');
}

describe('An answer with a least speed', () => {
  it('ends with an error where it is read more slowly, however steadily', async () => {
    let clock = 0;
    const answer = new Answer(1_048_576, 200, () => clock);
    const written = writeAll(answer, 1_000);
    let isOver = false;
    const reading = (async () => {
      while (!isOver) {
        await turn();
        // 200 KiB a second.
        clock += 5;
        answer.body.read(1_024);
      }
    })();
    await assert.rejects(written, { code: 'request_timeout' });
    isOver = true;
    await reading;
  });

  it('is whole where it is read fast enough, or made slowly', async () => {
    let clock = 0;
    // Each wait for the reader takes 10 ms, for 64 KiB.
    const answer = new Answer(65_536, 20, () => {
      clock += 10;
      return clock;
    });
    const written = (async () => {
      for (let piece = 0; piece < 20; piece++) {
        await turn();
        clock += 10_000;
        await answer.write('a few bytes');
      }
      await writeAll(answer, 50);
    })();
    let bytes = 0;
    for await (const piece of answer.body as AsyncIterable<Buffer>) bytes += piece.length;
    await written;
    assert.equal(bytes, 20 * 11 + 50 * PIECE.length);
  });
});
