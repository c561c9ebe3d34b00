/** A clock that is wrong when a machine starts removes nothing for its age; one that stays right for an hour does. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createBelievedClock, createBelievedTime } from '../../src/store/believed-time.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

function world(seen: number | undefined) {
  const state = { seen, now: 1_800_000_000_000, elapsed: 0, told: [] as number[], noted: 0 };
  const store = {
    seenTime: async () => state.seen,
    async noteTime(at: number) {
      state.noted += 1;
      state.seen = Math.max(state.seen ?? 0, at);
    },
  };
  const clocks = { now: () => state.now, elapsed: () => state.elapsed };
  const beginClock = () => createBelievedClock(clocks, (at) => state.told.push(at));
  const begin = () => createBelievedTime(store, beginClock());
  const pass = (milliseconds: number): void => {
    state.elapsed += milliseconds;
    state.now += milliseconds;
  };
  return { state, begin, beginClock, pass };
}

it('a new store, and one that was served yesterday, are believed at once', async () => {
  const { state, begin, pass } = world(undefined);
  assert.equal(await begin().holds(), true);
  assert.equal(state.seen, state.now);
  pass(DAY - HOUR);
  assert.equal(await begin().holds(), true);
  assert.deepEqual(state.told, []);
});

it('a clock that is ahead at the start, and right before an hour is over, removes nothing', async () => {
  const { state, begin, pass } = world(1_800_000_000_000);
  state.now += 800 * DAY;
  const time = begin();
  for (let minute = 0; minute < 59; minute++) {
    assert.equal(await time.holds(), false);
    pass(60_000);
  }
  assert.deepEqual(state.told, [1_800_000_000_000], 'told once');
  assert.equal(state.noted, 0, 'what is not believed is not kept');
  state.now -= 800 * DAY;
  assert.equal(await time.holds(), true);
  state.now += 800 * DAY;
  pass(HOUR / 2);
  assert.equal(await time.holds(), false, 'an hour begins anew');
  assert.equal(await begin().holds(), false, 'as does that of another process');
});

it('a clock that jumps ahead is doubted at once, and believed at once when it is right again', async () => {
  const { state, begin, pass } = world(1_800_000_000_000);
  const time = begin();
  assert.equal(await time.holds(), true);
  pass(1_000);
  state.now += DAY;
  assert.equal(await time.holds(), false);
  state.now -= DAY;
  assert.equal(await time.holds(), true);
});

it('a clock that goes back is doubted once, and again where it does so again', async () => {
  const { state, begin, pass } = world(1_800_000_000_000);
  const time = begin();
  state.now -= DAY;
  for (let minute = 0; minute < 5; minute++) {
    assert.equal(await time.holds(), true, 'what is old by an earlier time is old');
    pass(60_000);
  }
  assert.deepEqual(state.told, [1_800_000_000_000]);
  state.now += DAY;
  await time.holds();
  pass(60_000);
  state.now -= 2 * HOUR;
  await time.holds();
  assert.equal(state.told.length, 2);
  state.now += HOUR;
  pass(60_000);
  await time.holds();
  assert.equal(state.told.length, 2, 'a correction within an hour is none');
});

it('a store that was not served for weeks is swept again after an hour, and from then on', async () => {
  const { state, begin, pass } = world(1_800_000_000_000 - 30 * DAY);
  const time = begin();
  assert.equal(await time.holds(), false);
  pass(HOUR);
  assert.equal(await time.holds(), true);
  pass(60_000);
  assert.equal(await time.holds(), true);
  assert.equal(await begin().holds(), true);
  for (let hour = 0; hour < 100; hour++) {
    pass(HOUR);
    assert.equal(await time.holds(), true);
  }
  assert.equal(state.told.length, 1);
  assert.ok(state.noted < 110, 'noted once an hour');
});
