/** How whoever guesses passwords is slowed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/errors.ts';
import { createGuessing, type Guessing } from '../../src/staff/guessing.ts';

const MINUTE_S = 60;

/** 0 where a try may begin, else how many seconds it must wait. */
function waitOf(guessing: Guessing, email: string, network = 'network'): number {
  try {
    guessing.begin(email, network);
    return 0;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return Number(error.headers['Retry-After']);
  }
}

describe('Guessing', () => {
  it('waits twice as long after each failure from the fifth on, up to 15 minutes', () => {
    let now = 0;
    const guessing = createGuessing(() => now);
    const waits: number[] = [];
    for (let tries = 0; tries < 17; tries++) {
      // Each from somewhere else: an email is slowed however many machines guess.
      const wait = waitOf(guessing, 'a@example.com', String(tries));
      waits.push(wait);
      now += wait * 1000;
      if (wait > 0) assert.equal(waitOf(guessing, 'a@example.com', String(tries)), 0);
    }
    assert.deepEqual(waits, [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  it('of one email slows no other, and is over with a success', () => {
    const guessing = createGuessing(() => 0);
    for (let tries = 0; tries < 5; tries++) waitOf(guessing, 'a@example.com', String(tries));
    assert.equal(waitOf(guessing, 'b@example.com'), 0);
    guessing.succeeded('a@example.com', '4');
    assert.equal(waitOf(guessing, 'a@example.com'), 0);
  });

  it('of many emails from one network ends after 30 failures, until 15 minutes are over', () => {
    let now = 0;
    const guessing = createGuessing(() => now);
    for (let tries = 0; tries < 30; tries++) {
      assert.equal(waitOf(guessing, `${tries}@example.com`), 0);
      now += 1_000;
    }
    assert.equal(waitOf(guessing, 'next@example.com'), 15 * MINUTE_S - 30);
    assert.equal(waitOf(guessing, 'next@example.com', 'another'), 0);
    now += (15 * MINUTE_S - 30) * 1000;
    assert.equal(waitOf(guessing, 'last@example.com'), 0);
  });
});
