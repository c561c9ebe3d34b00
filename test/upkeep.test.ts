/** Work that can wait makes way for whoever is served. */
import assert from 'node:assert/strict';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { yielding } from '../src/services/upkeep.ts';

/** What a thread has done since an earlier moment. */
function between(now: EventLoopUtilization, last: EventLoopUtilization): EventLoopUtilization {
  const [idle, active] = [now.idle - last.idle, now.active - last.active];
  return { idle, active, utilization: active / (idle + active) };
}

it('waits the longer between its pieces, the more the thread has to do', () => {
  // What the thread has done is the test's to say: others on the machine take time from it, too.
  let spent: EventLoopUtilization = { idle: 0, active: 0, utilization: 0 };
  const next = yielding(10, 1_000, {
    eventLoopUtilization: (now = spent, last) => (last === undefined ? now : between(now, last)),
  });
  const work = (busyMs: number, idleMs: number): number => {
    const { idle, active } = spent;
    spent = { idle: idle + idleMs, active: active + busyMs, utilization: 0 };
    return next();
  };
  assert.equal(work(0, 100), 10);
  assert.equal(work(50, 50), 10, 'half of the time is for it');
  assert.equal(work(200, 0), 1_000);
  const less = work(200, 70);
  assert.ok(less > 10 && less < 1_000, `${less} ms`);
  assert.ok(work(200, 20) > less);
});

it('learns from the thread itself what it has to do', async () => {
  // Node counts from the first turn of the event loop on.
  await turn();
  const next = yielding(10, 1_000);
  for (const begun = performance.now(); performance.now() - begun < 20; );
  assert.equal(next(), 1_000, 'it has not been idle since');
});
