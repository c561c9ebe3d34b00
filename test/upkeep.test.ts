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
  // Others on the machine may take the time to spare, or give too much of it.
  const seen: string[] = [];
  for (let count = 0; count < 20; count++) {
    const [idle, most, less] = [await work(0, 100), await work(200, 0), await work(200, 70)];
    if (idle === 10 && most > 800 && less < most) return;
    seen.push(`${idle} ms idle, ${most} ms beside work, ${less} ms with some time to spare`);
  }
  assert.fail(seen.join('; '));
});
