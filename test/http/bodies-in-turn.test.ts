/** Bodies in chunks of a byte are read in turn: none is lost, and a turn of the event loop stays short. */
// needs: --ci
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { readBodiesFairly } from '../../src/edge/fair/bodies.ts';
import { whenOver } from '../support/at-end.ts';
import { listening } from '../support/local-server.ts';
import { LONG_MS } from '../support/until.ts';

const CONNECTIONS = 16;
const BYTES = 60_000;
const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const BODY = `${'1\r\nx\r\n'.repeat(BYTES)}0\r\n\r\n`;
/** What one read of 64 KiB holds of it. */
const IN_ONE_READ = Math.ceil(65_536 / 6);

/** Opens connections, sends a body on each when it is told to, and says when the system has taken what it takes at once. */
const CLIENTS = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { connect } = require('node:net');
  const { port, connections, head, body, sent } = workerData;
  const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) socket.write(head);
  parentPort.once('message', () => {
    for (const socket of sockets) socket.write(body);
    Atomics.store(sent, 0, 1);
    Atomics.notify(sent, 0);
  });
`;

it('chunks of a byte on many connections arrive whole, those of few connections in a turn', async () => {
  const { lengths, turns } = await readAll(HEAD, BODY);
  assert.deepEqual(lengths, Array(CONNECTIONS).fill(BYTES));
  const most = Math.max(...turns);
  // The first read of each comes as it comes, and all of them may come in one turn.
  assert.ok(most <= (CONNECTIONS + 1) * IN_ONE_READ, `${most} pieces came in one turn`);
});

it('long bodies on many connections arrive whole, and few of them are read in a turn', async () => {
  const LENGTH = 2_097_152;
  const FEW = 8;
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${LENGTH}\r\n\r\n`;
  const { lengths, turns } = await readAll(head, 'x'.repeat(LENGTH));
  assert.deepEqual(lengths, Array(CONNECTIONS).fill(LENGTH));
  const crowded = turns.filter((pieces) => pieces > FEW).length;
  const most = Math.max(...turns);
  // The first read of each comes as it comes.
  assert.ok(crowded <= 4, `${crowded} turns had more than ${FEW} pieces`);
  assert.ok(most <= 2 * CONNECTIONS, `${most} pieces came in one turn`);
});

/** Reads the same body from all connections: how long each was, and how many pieces of all came in each turn of the event loop. */
async function readAll(
  head: string,
  body: string,
): Promise<{ readonly lengths: readonly number[]; readonly turns: readonly number[] }> {
  const lengths: number[] = [];
  const turns: number[] = [];
  let inTurn = 0;
  let begun = 0;
  const began = Promise.withResolvers<void>();
  const server = createServer((request) => {
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      bytes += piece.length;
      inTurn += 1;
    });
    request.on('end', () => lengths.push(bytes));
    begun += 1;
    if (begun === CONNECTIONS) began.resolve();
  });
  readBodiesFairly(server);
  const port = await listening(server);
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const workerData = { port, connections: CONNECTIONS, head, body, sent };
  const clients = new Worker(CLIENTS, { eval: true, workerData });
  whenOver(() => clients.terminate());
  await began.promise;
  clients.postMessage('send');
  // Much has arrived before this thread looks.
  assert.notEqual(Atomics.wait(sent, 0, 0, LONG_MS), 'timed-out');
  while (lengths.length < CONNECTIONS) {
    await new Promise((resolve) => setImmediate(resolve));
    turns.push(inTurn);
    inTurn = 0;
  }
  return { lengths, turns };
}

it('who takes a body slowly gets all of it, and no more is kept than one read', async () => {
  let kept = 0;
  const server = createServer(async (request, response) => {
    let bytes = 0;
    for await (const piece of request) {
      bytes += piece.length;
      kept = Math.max(kept, request.readableLength);
      if (bytes % 4000 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    response.end(`${bytes}`);
  });
  readBodiesFairly(server);
  const socket = connect(await listening(server), '127.0.0.1');
  const times = 4;
  socket.write((HEAD + BODY).repeat(times));
  let text = '';
  for await (const bytes of socket) {
    text += bytes;
    if ([...text.matchAll(/\r\n\r\n\d+/g)].length === times) break;
  }
  const answers = [...text.matchAll(/\r\n\r\n(\d+)/g)].map(([, answer]) => Number(answer));
  assert.deepEqual(answers, Array(times).fill(BYTES));
  assert.ok(kept <= 65_536 + IN_ONE_READ, `${kept} bytes were kept`);
});

it('Node 26 calls _read, push and _dump of a request, which are replaced here', async () => {
  assert.equal(process.versions.node.split('.')[0], '26', 'see whether this still holds');
  const called = new Set<string>();
  const server = createServer((request, response) => {
    for (const name of ['_read', 'push', '_dump']) {
      const own = Reflect.get(request, name) as (...given: unknown[]) => unknown;
      const noted = (...given: unknown[]): unknown => {
        called.add(`${request.url} ${name}`);
        return own.apply(request, given);
      };
      Object.assign(request, { [name]: noted });
    }
    if (request.url === '/read') request.resume().on('end', () => response.end());
    else response.end();
  });
  const port = await listening(server);
  for (const path of ['/read', '/unread']) {
    await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: 'x'.repeat(1_000) });
  }
  for (const name of ['/read _read', '/read push', '/unread _dump']) {
    assert.ok(called.has(name), `${name} was not called`);
  }
});
