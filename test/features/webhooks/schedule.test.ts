/** When a delivery that failed is tried again. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  delayAfter,
  MAX_ATTEMPTS,
  probeAfter,
  retryAfterMs,
} from '../../../src/features/webhooks/serves/state.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** As it is promised, or up to a fifth later. */
function wantAbout(found: number | undefined, wanted: number): void {
  assert.ok(found !== undefined && found >= wanted && found <= wanted * 1.2, `${found}, ${wanted}`);
}

describe('A delivery that failed', () => {
  it('is tried ten times, over three days', () => {
    const delays = [
      ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR],
      ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
    ];
    for (const [index, delay] of delays.entries()) wantAbout(delayAfter(index + 1), delay);
    assert.equal(MAX_ATTEMPTS, 10);
    assert.equal(delayAfter(MAX_ATTEMPTS), undefined);
  });

  it('is not tried at the same moment as others that failed with it', () => {
    const delays = new Set(Array.from({ length: 100 }, () => delayAfter(5)));
    assert.ok(delays.size > 50);
  });

  it('waits as long as the receiver asks for, but no longer than a day', () => {
    assert.equal(delayAfter(1, HOUR), HOUR);
    assert.equal(delayAfter(1, 90 * DAY), DAY);
    assert.equal(probeAfter(0, HOUR, 0), HOUR);
    assert.equal(probeAfter(0, 90 * DAY, 0), DAY);
  });
});

describe('An endpoint at which everything fails', () => {
  it('is tried after five seconds, then less and less often, and at least every five minutes', () => {
    wantAbout(probeAfter(0, 0, Math.random()), 5 * SECOND);
    wantAbout(probeAfter(1, 0, Math.random()), 10 * SECOND);
    wantAbout(probeAfter(3, 0, Math.random()), 40 * SECOND);
    for (const failures of [6, 7, 50, 5_000])
      wantAbout(probeAfter(failures, 0, Math.random()), 5 * MINUTE);
  });
});

describe('Retry-After', () => {
  it('is a number of seconds or a date; anything else says nothing', () => {
    const now = Date.parse('2026-11-20T14:30:00Z');
    assert.equal(retryAfterMs('120', now), 2 * MINUTE);
    assert.equal(retryAfterMs('Fri, 20 Nov 2026 14:31:00 GMT', now), MINUTE);
    for (const nothing of [undefined, '', 'soon', '-5', 'Fri, 20 Nov 2026 14:29:00 GMT']) {
      assert.equal(retryAfterMs(nothing, now), 0, String(nothing));
    }
  });
});
