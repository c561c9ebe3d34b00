/** Notifications wait for requests, and never stop for them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paceAfter, SendingPace } from '../../src/services/webhooks/delivery/pace.ts';

const after = (perSecond: number, utilizations: readonly number[]): number =>
  utilizations.reduce(paceAfter, perSecond);

describe('The pace of notifications', () => {
  it('slows down while the thread is busy, but not below 200 a second', () => {
    assert.equal(after(10_000, [0.9]), 7_000);
    assert.equal(after(10_000, Array(50).fill(1)), 200);
  });

  it('grows while the thread has time, up to 10,000 a second', () => {
    assert.equal(after(200, [0.5]), 250);
    assert.equal(after(200, [0.85, 0.85, 0, 0]), 200 * 1.25 ** 4);
    assert.equal(after(200, Array(50).fill(0.1)), 10_000);
  });

  it('lets accounts that wait take turns', async () => {
    const pace = new SendingPace();
    const order: string[] = [];
    const ask = (account: string) => pace.wait(account).then(() => order.push(account));
    await Promise.all([...Array(30).fill('many'), 'few'].map(ask));
    assert.ok(order.indexOf('few') < 5, order.join());
  });
});
