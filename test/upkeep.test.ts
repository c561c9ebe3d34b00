/** Work that can wait makes way for whoever is served. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { yielding } from '../src/services/upkeep.ts';

it('waits the longer between its pieces, the more the thread has to do', async () => {
  const next = yielding(10, 1_000);
  const work = async (busyMs: number, idleMs: number) => {
    for (const until = performance.now() + busyMs; performance.now() < until; );
    await pause(idleMs);
    return next();
  };
  assert.equal(await work(0, 100), 10);
  const most = await work(200, 0);
  assert.ok(most > 800, `${most} ms beside nothing but work`);
  const less = await work(200, 70);
  assert.ok(less < most, `${less} ms with some time to spare, and ${most} ms with none`);
  assert.equal(await work(0, 100), 10);
});
