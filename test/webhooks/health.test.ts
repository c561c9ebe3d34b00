/** How many tries an endpoint gets: more while it works, fewer while it fails, one now and then after ten failures in a row. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Health } from '../../src/webhooks/delivery/health.ts';

describe('an endpoint', () => {
  it('that works gets one try more at once after each success, up to sixteen', () => {
    const health = new Health(false);
    assert.equal(health.atOnce, 4);
    for (let count = 0; count < 20; count++) health.works();
    assert.equal(health.atOnce, 16);
    health.failed(0, 0, true);
    assert.equal(health.atOnce, 8);
  });

  it('is failing after ten failures in a row, and then probed one try at a time', () => {
    const health = new Health(false);
    for (let count = 1; count < 10; count++) assert.equal(health.failed(0, 0, true), undefined);
    assert.equal(health.isFailing, false);
    const probe = health.failed(1_000, 0, true);
    assert.ok(probe !== undefined && probe > 1_000 && probe <= 1_000 + 5 * 60_000);
    assert.equal(health.holdUntil, probe);
    assert.deepEqual([health.isFailing, health.atOnce], [true, 1]);
    health.works();
    assert.deepEqual([health.isFailing, health.holdUntil], [false, 0]);
  });

  it('is not failing if a success came in between', () => {
    const health = new Health(false);
    for (let count = 0; count < 30; count++) {
      health.failed(0, 0, true);
      if (count % 9 === 8) health.works();
    }
    assert.equal(health.isFailing, false);
  });

  it('is left alone for as long as it asked', () => {
    const health = new Health(false);
    assert.equal(health.failed(1_000, 60_000, true), undefined);
    assert.ok(health.holdUntil >= 61_000);
  });

  it('that was failing before a restart is probed at once', () => {
    const health = new Health(true);
    assert.deepEqual([health.isFailing, health.atOnce, health.holdUntil], [true, 1, 0]);
  });
});
