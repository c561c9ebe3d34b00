/** How whoever guesses passwords is slowed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../src/core/errors.ts';
import { createGuessing, type Guessing } from '../../src/services/staff/guessing.ts';

const MINUTE_S = 60;

const guess = (email: string, network = 'network', wider = network, browser?: string) => ({
  ...{ email, network, wider, around: wider, people: new Map([['person', browser]]) },
});

/** 0 where a try may begin, else how many seconds it must wait. */
function waitOf(guessing: Guessing, email: string, network = 'network', wider = network): number {
  try {
    guessing.begin(guess(email, network, wider));
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
      const wait = waitOf(guessing, 'a@example.com');
      waits.push(wait);
      now += wait * 1000;
      if (wait > 0) assert.equal(waitOf(guessing, 'a@example.com'), 0);
    }
    assert.deepEqual(waits, [0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  });

  it('of an email by others makes nobody wait elsewhere, until a hundred have failed', () => {
    let now = 0;
    const guessing = createGuessing(() => now);
    const from = (nth: number) => waitOf(guessing, 'a@example.com', String(nth));
    for (let tries = 0; tries < 9; tries++) from(0);
    assert.equal(from(0), 1);
    for (let nth = 1; nth <= 95; nth++) assert.equal(from(nth), 0);
    // However many machines guess, and each but once.
    const waits: number[] = [];
    for (let nth = 96; nth < 108; nth++) {
      const wait = from(nth);
      waits.push(wait);
      now += wait * 1000;
      if (wait > 0) assert.equal(from(nth), 0);
    }
    assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    assert.equal(waitOf(guessing, 'b@example.com', '0'), 0);
  });

  it('ranks networks by how much they, and then those around them, tried without success', () => {
    const guessing = createGuessing(() => 0);
    const rank = (wider: string, around: string) => {
      const sent = { email: `${wider}@example.com`, network: wider, wider, around };
      const begun = guessing.begin({ ...sent, people: new Map([['a', undefined]]) });
      return { ...begun, is: begun.rank ?? -1 };
    };
    const refused = rank('a1', 'a');
    refused.takeBack();
    const again = rank('a1', 'a');
    const beside = rank('a2', 'a');
    const elsewhere = rank('b1', 'b');
    assert.ok(again.is > beside.is && beside.is > elsewhere.is && elsewhere.is === refused.is);
    elsewhere.succeeded('a');
    assert.equal(rank('b1', 'b').is, elsewhere.is);
  });

  it('of one email slows no other, and a success takes back no other try', () => {
    const guessing = createGuessing(() => 0);
    const counted = guessing.begin(guess('a@example.com'));
    for (let tries = 1; tries < 5; tries++) waitOf(guessing, 'a@example.com');
    assert.equal(waitOf(guessing, 'b@example.com'), 0);
    assert.equal(waitOf(guessing, 'a@example.com'), 1);
    counted.succeeded('person');
    assert.equal(waitOf(guessing, 'a@example.com'), 0);
    assert.equal(waitOf(guessing, 'a@example.com'), 1);
  });

  it('is forgotten of a browser with a success of whom it is known to', () => {
    const guessing = createGuessing(() => 0);
    const known = guess('a@example.com', 'network', 'network', 'browser');
    for (let tries = 0; tries < 4; tries++) guessing.begin(known);
    guessing.begin(known).succeeded('person');
    for (let tries = 0; tries < 5; tries++)
      assert.deepEqual(guessing.begin(known).compared, ['person']);
    assert.throws(() => guessing.begin(known), { code: 'sign_in_limited' });
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
    const waits = Array.from({ length: 121 }, (_, nth) =>
      waitOf(guessing, `${nth}@example.com`, `2001:db8:1:${nth}::/64`, '2001:db8:1::/48'),
    );
    assert.deepEqual(waits, [...Array(120).fill(0), 15 * MINUTE_S]);
  });

  it('does not count what was taken back', () => {
    const guessing = createGuessing(() => 0);
    for (let tries = 0; tries < 50; tries++)
      guessing.begin(guess('a@example.com', 'network')).takeBack();
    assert.equal(waitOf(guessing, 'a@example.com'), 0);
    for (let tries = 1; tries < 5; tries++) waitOf(guessing, 'a@example.com');
    assert.equal(waitOf(guessing, 'a@example.com'), 1);
  });
});
