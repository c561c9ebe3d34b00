/** This thread is shared among those who bring much, and leaves time for those who come new. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectionCame } from '../../src/core/fair/loop.ts';
import { inSteps } from '../../src/core/fair/scheduler.ts';

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
