/** What is done is counted together where everything about it is alike, and only there. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createActivityCounter } from '../../src/services/requests/recorder.ts';
import { done } from '../support/requests-done.ts';

const HOUR_MS = 3_600_000;
const START = 500_000 * HOUR_MS;

/** Each differs from it in one member. */
const others = [
  { ...done, account: 'acct_2' },
  { ...done, key: 'key_2' },
  { ...done, anchor: 'loc_2' },
  { ...done, resource: 'location' },
  { ...done, outcome: 'updated' },
];

describe('the counter of what is done', () => {
  it('counts apart what differs in anything, in whatever order it comes', () => {
    const counter = createActivityCounter();
    for (let time = 0; time < 3; time++) {
      for (const other of others) {
        for (const what of [done, done, other]) counter.add(what, 2, START + time);
      }
    }
    const counts = counter.take();
    const rest = { hour: START, last_at: START + 2 };
    assert.deepEqual(counts[0], { ...done, ...rest, count: 60 });
    const found = counts.slice(1);
    assert.deepEqual(
      found,
      others.map((other) => ({ ...other, ...rest, count: 6 })),
    );
  });

  it('counts each hour apart, and tells when the last of it was, though the clock goes back', () => {
    const counter = createActivityCounter();
    const times = [HOUR_MS + 5, HOUR_MS + 9, HOUR_MS + 7, 8, 2 * HOUR_MS, HOUR_MS];
    for (const time of times) counter.add(done, 1, START + time);
    assert.deepEqual(
      counter.take().map(({ hour, count, last_at }) => [hour - START, count, last_at - START]),
      [
        [HOUR_MS, 4, HOUR_MS + 9],
        [0, 1, 8],
        [2 * HOUR_MS, 1, 2 * HOUR_MS],
      ],
    );
  });

  it('starts again after it was taken, and adds what is put back', () => {
    const counter = createActivityCounter();
    counter.add(done, 1, START);
    const taken = counter.take();
    counter.add(done, 2, START + 1);
    assert.equal(taken[0]?.count, 1);
    counter.putBack(taken);
    counter.add(done, 4, START);
    assert.deepEqual(counter.take(), [{ ...done, hour: START, count: 7, last_at: START + 1 }]);
  });
});
