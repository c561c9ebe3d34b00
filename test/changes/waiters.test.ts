/** Whoever waits for a change hears of it, however many others wait. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createWaiters } from '../../src/records/changes/feed.ts';
import type { ChangeLog } from '../../src/store/promises/log.ts';

function fakeLog() {
  const state = { position: 1, looks: 0, fails: false };
  const log = {
    async positions(accounts: readonly string[]) {
      state.looks += 1;
      if (state.fails) throw new Error('out of reach');
      return new Map(accounts.map((account) => [account, state.position]));
    },
  } as unknown as ChangeLog;
  return { state, next: createWaiters(log) };
}

/** Waits in short stretches, as followers do between two looks at their key. */
async function follow(next: ReturnType<typeof createWaiters>): Promise<number> {
  for (;;) {
    const position = await next('acct', 1, 100);
    if (position > 1) return position;
  }
}

/** The test's own clock: so many milliseconds pass in short steps, and what is due is done in each. */
function ownTime({ mock }: TestContext): (ms: number) => Promise<void> {
  let elapsed = 0;
  mock.method(performance, 'now', () => elapsed);
  mock.timers.enable({ apis: ['setTimeout'] });
  return async (ms) => {
    for (const end = elapsed + ms; elapsed < end; ) {
      elapsed += 1;
      mock.timers.tick(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
}

describe('Those who wait for a change', () => {
  it('hear of it while others begin to wait all the time', async (test) => {
    const pass = ownTime(test);
    const { state, next } = fakeLog();
    const told: number[] = [];
    for (let count = 0; count < 40; count++) {
      void follow(next).then((position) => told.push(position));
      await pass(3);
    }
    await pass(300);
    assert.deepEqual(told, []);
    state.position = 2;
    await pass(600);
    assert.deepEqual(told, Array(40).fill(2));
  });

  it('are looked for less often the longer nothing happens, and not at all without waiters', async (test) => {
    const pass = ownTime(test);
    const { state, next } = fakeLog();
    let isOver = false;
    const waiting = async (): Promise<void> => {
      for (let count = 0; count < 20; count++) await next('acct', 1, 100);
      isOver = true;
    };
    void waiting();
    await pass(2_000);
    assert.ok(isOver);
    assert.ok(state.looks > 2 && state.looks < 12, `${state.looks} looks in 2 s`);
    await pass(600);
    const { looks } = state;
    await pass(700);
    assert.equal(state.looks, looks);
  });

  it('wait on while the store is out of reach', async (test) => {
    const pass = ownTime(test);
    const { state, next } = fakeLog();
    const told: number[] = [];
    const wait = (ms: number) => void next('acct', 1, ms).then((position) => told.push(position));
    state.fails = true;
    wait(300);
    await pass(299);
    assert.deepEqual(told, []);
    await pass(1);
    assert.deepEqual(told, [1]);
    state.fails = false;
    state.position = 2;
    wait(3_000);
    await pass(600);
    assert.deepEqual(told, [1, 2]);
  });
});
