/** A histogram puts every value into the one bucket where it belongs, and loses none. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Histogram } from '../../src/core/observe/metrics/figures.ts';

const shown = (histogram: Histogram) =>
  histogram.buckets().map(({ bound, count }) => [bound, count]);

describe('Histogram', () => {
  it('is empty at first', () => {
    const histogram = new Histogram([1, 2]);
    assert.deepEqual(shown(histogram), [
      [1, 0],
      [2, 0],
      [Infinity, 0],
    ]);
    assert.equal(histogram.sum, 0);
  });

  it('a bound belongs to its own bucket', () => {
    const histogram = new Histogram([1, 2]);
    for (const value of [0, 1, 1.000001, 2, 2.5, 1e300]) histogram.observe(value);
    assert.deepEqual(shown(histogram), [
      [1, 2],
      [2, 4],
      [Infinity, 6],
    ]);
  });

  it('each bucket counts exactly the values up to its bound', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.double({ min: 0, max: 120, noNaN: true }), { maxLength: 200 }),
        (bounds, values) => {
          const histogram = new Histogram(bounds.toSorted((one, other) => one - other));
          for (const value of values) histogram.observe(value);
          for (const { bound, count } of histogram.buckets())
            assert.equal(count, values.filter((value) => value <= bound).length);
          assert.equal(
            histogram.sum,
            values.reduce((sum, value) => sum + value, 0),
          );
        },
      ),
    );
  });

  it('counts past what 32 bits hold', () => {
    const histogram = new Histogram([1]);
    for (let times = 0; times < 1000; times++) histogram.observe(2 ** 40);
    assert.equal(histogram.sum, 1000 * 2 ** 40);
  });
});
