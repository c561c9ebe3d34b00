/** Whoever waits for a change hears of it, however many others wait. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
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

describe('Those who wait for a change', () => {
  it('hear of it while others begin to wait all the time', async () => {
    const { state, next } = fakeLog();
    const following: Promise<number>[] = [];
    for (let count = 0; count < 40; count++) {
      following.push(follow(next));
      await pause(3);
    }
    await pause(300);
    state.position = 2;
    const late = pause(30_000, 'late', { ref: false });
    const told = await Promise.race([Promise.all(following), late]);
    assert.deepEqual(told, Array(40).fill(2));
  });

  it('are looked for less often the longer nothing happens, and not at all without waiters', async () => {
    const { state, next } = fakeLog();
    const began = performance.now();
    for (let count = 0; count < 20; count++) await next('acct', 1, 100);
    const seconds = (performance.now() - began) / 1_000;
    const most = 8 + 2 * seconds;
    assert.ok(state.looks > 2 && state.looks < most, `${state.looks} looks in ${seconds} s`);
    await pause(600);
    const { looks } = state;
    await pause(700);
    assert.equal(state.looks, looks);
  });

  it('wait on while the store is out of reach', async () => {
    const { state, next } = fakeLog();
    state.fails = true;
    const began = performance.now();
    assert.equal(await next('acct', 1, 300), 1);
    assert.ok(performance.now() - began >= 290);
    state.fails = false;
    state.position = 2;
    assert.equal(await next('acct', 1, 3_000), 2);
  });
});
