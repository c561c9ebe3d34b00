/** Work that can wait makes way for whoever is served. */
import assert from 'node:assert/strict';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startUpkeep, yielding } from '../src/services/upkeep.ts';

/** What a thread has done since an earlier moment. */
function between(now: EventLoopUtilization, last: EventLoopUtilization): EventLoopUtilization {
  const [idle, active] = [now.idle - last.idle, now.active - last.active];
  return { idle, active, utilization: active / (idle + active) };
}

it('waits the longer between its pieces, the more the thread has to do', () => {
  // What the thread has done is the test's to say: others on the machine take time from it, too.
  let spent: EventLoopUtilization = { idle: 0, active: 0, utilization: 0 };
  const next = yielding(10, 1_000, {
    used: {
      eventLoopUtilization: (now = spent, last) => (last === undefined ? now : between(now, last)),
    },
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

it('waits no longer for a thread that never has time, once there has been more to do for long', () => {
  const busy: EventLoopUtilization = { idle: 0, active: 1, utilization: 1 };
  const next = yielding(10, 1_000, {
    patienceMs: 30_000,
    used: { eventLoopUtilization: () => busy },
  });
  const pauses = Array.from({ length: 61 }, (_, seconds) => next(seconds * 1_000));
  assert.equal(pauses[0], 1_000);
  assert.deepEqual(
    pauses,
    pauses.toSorted((one, other) => other - one),
  );
  assert.equal(pauses[30], 10);
  assert.equal(pauses[60], 10);
  const patient = yielding(10, 1_000, { used: { eventLoopUtilization: () => busy } });
  assert.equal(patient(3_600_000), 1_000);
});

it('knows for how long there has been more to do, also after an error, until all is done', async () => {
  const late: number[] = [];
  // More to do, an error in the middle of it, all done, and more to do again.
  const answers = [true, true, 'error', true, true, false, true];
  const done = Promise.withResolvers<void>();
  const upkeep = startUpkeep(
    async () => {
      const answer = answers.shift();
      if (answer === undefined) done.resolve();
      if (answer === 'error') throw new Error('the test says so');
      return answer === true;
    },
    () => undefined,
    {
      everyMs: 1,
      pauseMs(lateMs) {
        late.push(lateMs);
        return 20;
      },
    },
  );
  await done.promise;
  await upkeep.close();
  assert.equal(late.length, 5);
  const [first, , , fourth = 0, again] = late;
  assert.equal(first, 0);
  assert.deepEqual(
    late.slice(0, 4),
    late.slice(0, 4).toSorted((one, other) => one - other),
  );
  assert.ok(fourth >= 50, `${fourth} ms after three pauses of 20`);
  assert.equal(again, 0);
});

it('learns from the thread itself what it has to do', async () => {
  // Node counts from the first turn of the event loop on.
  await turn();
  const next = yielding(10, 1_000);
  for (const begun = performance.now(); performance.now() - begun < 20; );
  assert.equal(next(), 1_000, 'it has not been idle since');
});
