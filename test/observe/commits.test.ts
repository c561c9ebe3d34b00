/** What commits report, and histograms: every value in the one bucket where it belongs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { Histogram } from '../../src/core/observe/metrics/figures.ts';
import type { Observer } from '../../src/core/observe/observers.ts';
import { GroupCommit } from '../../src/records/ingest/one/group-commit.ts';
import { type Draft, type Outcome, StoreUnavailable } from '../../src/store/promises/store.ts';
import { pluck } from '../support/pluck.ts';

const draft = {} as Draft;

/** A store whose commits end when told to, and what was reported of them. */
function observed() {
  const commits: PromiseWithResolvers<readonly Outcome[]>[] = [];
  const reported: { readonly drafts: number; readonly durationMs: number }[] = [];
  let waiting = (): number => Number.NaN;
  const observer: Pick<Observer, 'show' | 'committed'> = {
    show: ({ queue_drafts }) => {
      waiting = queue_drafts as () => number;
    },
    committed: (drafts, durationMs) => reported.push({ drafts, durationMs }),
  };
  const commit = (): Promise<readonly Outcome[]> => {
    const ended = Promise.withResolvers<readonly Outcome[]>();
    commits.push(ended);
    return ended.promise;
  };
  return {
    groupCommit: new GroupCommit({ commit }, observer),
    commits,
    reported,
    waiting: () => waiting(),
  };
}

describe('the groupCommit', () => {
  it('tells how many drafts wait, not counting those that are being committed', async () => {
    const { groupCommit, commits, reported, waiting } = observed();
    assert.equal(waiting(), 0);
    const first = [groupCommit.join(draft), groupCommit.join(draft)];
    assert.equal(waiting(), 2);
    await turn();
    assert.equal(waiting(), 0);
    const second = [groupCommit.join(draft), groupCommit.join(draft), groupCommit.join(draft)];
    assert.equal(waiting(), 3);
    assert.deepEqual(reported, []);
    commits[0]?.resolve([]);
    await Promise.all(first);
    await turn();
    assert.equal(waiting(), 0);
    commits[1]?.resolve([]);
    await Promise.all(second);
    assert.deepEqual(pluck(reported, 'drafts'), [2, 3]);
    for (const { durationMs } of reported) assert.ok(durationMs >= 0 && durationMs < 10_000);
  });

  it('reports a commit that failed, once', async () => {
    const { groupCommit, commits, reported } = observed();
    const joined = assert.rejects(groupCommit.join(draft), StoreUnavailable);
    await turn();
    commits[0]?.reject(new StoreUnavailable('full'));
    await joined;
    assert.deepEqual(pluck(reported, 'drafts'), [1]);
  });
});

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
