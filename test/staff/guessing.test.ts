/** How whoever guesses passwords is slowed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/core/errors.ts';
import { createGuessing, type Guessing } from '../../src/services/staff/guessing.ts';

const MINUTE_S = 60;

const guess = (email: string, network = 'network', wider = network, browser?: string) => ({
  ...{ email, network, wider, browser },
});

/** 0 where a try may begin, else how many seconds it must wait. */
function waitOf(guessing: Guessing, email: string, network = 'network'): number {
  try {
    guessing.begin(guess(email, network));
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
    const counted = guessing.begin(guess('a@example.com'));
    for (let tries = 1; tries < 5; tries++) waitOf(guessing, 'a@example.com', String(tries));
    assert.equal(waitOf(guessing, 'b@example.com'), 0);
    assert.equal(waitOf(guessing, 'a@example.com'), 1);
    counted.succeeded();
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

  it('counts the networks of a site together: 65,536 of them are no more than four', () => {
    const guessing = createGuessing(() => 0);
    const waits = Array.from({ length: 121 }, (_, nth) => {
      try {
        guessing.begin(guess(`${nth}@example.com`, `2001:db8:1:${nth}::/64`, '2001:db8:1::/48'));
        return 0;
      } catch (error) {
        assert.ok(error instanceof ApiError);
        return Number(error.headers['Retry-After']);
      }
    });
    assert.deepEqual(waits, [...Array(120).fill(0), 15 * MINUTE_S]);
  });

  it('by strangers slows no browser that its owner has signed in with, which has a count of its own', () => {
    const guessing = createGuessing(() => 0);
    for (let tries = 0; tries < 5; tries++) waitOf(guessing, 'a@example.com');
    assert.equal(waitOf(guessing, 'a@example.com'), 1);
    const known = guess('a@example.com', 'network', 'network', 'browser');
    for (let tries = 0; tries < 5; tries++) guessing.begin(known);
    assert.throws(() => guessing.begin(known), { code: 'sign_in_limited' });
  });

  it('does not count what was taken back', () => {
    const guessing = createGuessing(() => 0);
    for (let tries = 0; tries < 50; tries++)
      guessing.begin(guess('a@example.com', 'network')).takeBack();
    assert.equal(waitOf(guessing, 'a@example.com'), 0);
    for (let tries = 1; tries < 5; tries++) waitOf(guessing, 'a@example.com');
    const fifth = waitOf(guessing, 'a@example.com');
    assert.equal(fifth, 1);
  });
});
