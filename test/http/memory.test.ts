/** The memory of requests under way is shared, all of it comes back, and the rest of a refused body is discarded. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { discardBody } from '../../src/edge/fair/bodies.ts';
import { MemoryBudget, MemoryReservation, memoryForRequests } from '../../src/edge/fair/memory.ts';
import { whenOver } from '../support/at-end.ts';
import { listening } from '../support/local-server.ts';
import { LONG_MS, until } from '../support/until.ts';

describe('the memory for requests', () => {
  it('is a part of what the process may use', () => {
    const bytes = memoryForRequests();
    assert.ok(bytes >= 256 * 1024 ** 2 && bytes <= 2 * 1024 ** 3, String(bytes));
    assert.equal(new MemoryBudget().total, bytes);
  });

  it('is half for one key, a third each for two, and leaves room for a new key', () => {
    const budget = new MemoryBudget(120);
    const fill = (key: string): number => {
      let taken = 0;
      while (budget.tryTake(key, 1)) taken += 1;
      return taken;
    };
    assert.equal(fill('one'), 60);
    for (let round = 0; round < 60; round++) {
      budget.give('one', 1);
      fill('other');
      fill('one');
    }
    assert.equal(budget.held, 80);
    assert.ok(budget.tryTake('new', 20));
  });

  it('takes the first request however large it is, and refuses the next until it is over', () => {
    const budget = new MemoryBudget(100);
    assert.ok(budget.tryTake('one', 500));
    assert.equal(budget.tryTake('other', 1), false);
    budget.give('one', 500);
    assert.ok(budget.tryTake('other', 1));
  });

  it('says 429 to a key that holds its share, and 503 to one that holds nothing', () => {
    const budget = new MemoryBudget(100);
    const held = new MemoryReservation(budget, 'one');
    held.hold(50);
    const wants = { code: 'memory_limited', status: 429, headers: { 'Retry-After': '1' } };
    assert.throws(() => held.hold(51), wants);
    assert.equal(held.bytes, 50, 'what it held, it holds');
    assert.throws(() => new MemoryReservation(budget, 'one').hold(1), wants);
    const other = { code: 'service_unavailable', status: 503, headers: { 'Retry-After': '1' } };
    assert.throws(() => new MemoryReservation(budget, 'other').hold(51), other);
    new MemoryReservation(budget, 'other').hold(50);
  });

  it('comes back once, whatever is done after', () => {
    const budget = new MemoryBudget(100);
    const held = new MemoryReservation(budget, 'one');
    held.hold(40);
    held.hold(10);
    assert.equal(budget.held, 10);
    held.release();
    held.release();
    held.hold(30);
    assert.equal(budget.held, 0);
    assert.ok(new MemoryReservation(budget, 'one').tryHold(50));
  });
});

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const PIECE = `10000\r\n${'x'.repeat(65_536)}\r\n`;

/** A connection to a server that refuses every request, perhaps when some of its body has come. */
async function refused(
  restMs: number,
  late = false,
): Promise<{ socket: Socket; accepted(): number }> {
  let accepted: Socket | undefined;
  const server = createServer(async (request, response) => {
    accepted = request.socket;
    if (late) await until(() => request.readableLength > 0);
    if (!request.complete) discardBody(request, restMs);
    response.writeHead(400).end('no');
  });
  const socket = connect(await listening(server), '127.0.0.1').setEncoding('latin1');
  whenOver(() => socket.destroy());
  return { socket, accepted: () => accepted?.bytesRead ?? 0 };
}

/** Sends what there is room for, until the connection is closed. */
async function fill(socket: Socket, piece: string): Promise<void> {
  const more = (): void => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('error', () => {});
  socket.on('drain', more).write(HEAD);
  more();
  await new Promise((resolve) => socket.once('close', resolve));
}

it('a body without an end is answered, and its connection ended', async () => {
  const { socket } = await refused(300);
  let text = '';
  socket.on('data', (more: string) => {
    text += more;
  });
  await fill(socket, PIECE);
  assert.match(text, /^HTTP\/1\.1 400 /);
});

it('one that ends in time leaves the connection for the next request', async () => {
  const { socket } = await refused(LONG_MS);
  socket.write(HEAD + PIECE.repeat(20));
  await once(socket, 'data');
  socket.write(`${PIECE.repeat(20)}0\r\n\r\n${HEAD}0\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [string];
  assert.match(answer, /^HTTP\/1\.1 400 /);
});

it('it is read a piece at a time, however much of it is there', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout'] });
  const { socket, accepted } = await refused(1_000, true);
  const filled = fill(socket.resume(), PIECE.repeat(16));
  let answered = false;
  socket.once('data', () => {
    answered = true;
  });
  await until(() => answered);
  // A second, as long as it may take to read what is let through in each moment of it.
  for (let ms = 0; ms < 1_000; ms += 2) {
    const before = accepted();
    for (let turns = 0; turns < 50 && accepted() === before; turns += 1) await turn();
    test.mock.timers.tick(2);
  }
  await filled;
  // 32 MiB in a second, and what had come before.
  const read = accepted() / 1_048_576;
  assert.ok(read > 1 && read < 64, `${read} MiB were read`);
});
