/** One thread is shared by all that wait for it: none of it begins at the cost of the others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { connectionCame, LoopQueue } from '../../src/core/fair/loop.ts';
import { inSteps } from '../../src/core/fair/scheduler.ts';

const work = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until; );
};

it('after long turns fewer begin in the next, and at least as many as are promised', async () => {
  const queue = new LoopQueue({ least: 2, most: 64 });
  let begun = 0;
  for (let count = 0; count < 100; count++) {
    queue.push('key', () => {
      begun += 1;
      work(6);
    });
  }
  const inTurns: number[] = [];
  while (begun < 100) {
    const before = begun;
    await turn();
    if (begun > before) inTurns.push(begun - before);
  }
  assert.deepEqual(new Set(inTurns.slice(5)), new Set([2]), inTurns.join());
});

it('what is quick begins sooner and sooner', async () => {
  const queue = new LoopQueue({ least: 1, most: 64 });
  let begun = 0;
  for (let count = 0; count < 1_000; count++) queue.push('key', () => (begun += 1));
  let turns = 0;
  for (; begun < 1_000; turns++) await turn();
  assert.ok(turns < 200, `${turns} turns`);
});

it('keys take turns, and a queue that uses up its time leaves the turn to another', async () => {
  const slow = new LoopQueue({ least: 64, most: 64, ms: 4 });
  const quick = new LoopQueue({ least: 1, most: 1 });
  const order: string[] = [];
  for (const key of ['many', 'many', 'many', 'many', 'many', 'many', 'one']) {
    slow.push(key, () => {
      order.push(key);
      work(2);
    });
  }
  quick.push('other', () => order.push('other'));
  while (order.length < 8) await turn();
  assert.ok(order.indexOf('one') <= 2, order.join());
  assert.ok(order.indexOf('other') <= 3, order.join());
});

it('while connections come no queue begins anything, for a while', async () => {
  const queues = [
    new LoopQueue({ least: 1, most: 1 }),
    new LoopQueue({ least: 64, most: 64, ms: 4 }),
  ];
  const TIMES = 20;
  let begun = 0;
  for (const queue of queues) {
    for (let count = 0; count < TIMES; count++) queue.push('key', () => (begun += 1));
  }
  let idle = 0;
  let turns = 0;
  for (; begun < 2 * TIMES; turns++) {
    const before = begun;
    connectionCame();
    await turn();
    work(0.2);
    if (begun === before) idle += 1;
  }
  assert.ok(idle > turns / 2, `${idle} of ${turns} turns were for connections`);
});

const TURNS = 400;

/** How many of the next turns of the event loop go by without any work. */
async function idleTurns(each: () => void, worked: () => number): Promise<number> {
  let idle = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const before = worked();
    each();
    await new Promise((resolve) => setImmediate(resolve));
    if (worked() === before) idle += 1;
  }
  return idle;
}

describe('work in turns', () => {
  it('leaves turns to connections as long as they come, and goes on when none does', async () => {
    let steps = 0;
    let isOver = false;
    const worked = () => steps;
    const work = inSteps('key', () => {
      steps += 1;
      return isOver;
    });
    const unused = await idleTurns(() => {}, worked);
    const accept = (): void => {
      connectionCame();
      for (const until = performance.now() + 0.2; performance.now() < until; );
    };
    const idle = await idleTurns(accept, worked);
    isOver = true;
    await work;
    assert.ok(unused < TURNS / 10, `${unused} of ${TURNS} turns were not used`);
    assert.ok(idle > TURNS / 2, `${idle} of ${TURNS} turns were for connections`);
    assert.ok(idle < TURNS, 'and the work went on');
  });
});
