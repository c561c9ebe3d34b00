/** What waits to be written in the background is written, whatever the store does not take among it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { writeChunks } from '../src/services/every.ts';
import { StoreRefusal, StoreUnavailable } from '../src/store/promises/store.ts';

/** What becomes of an entry that is written. */
type Fate = 'taken' | 'refused by a condition of others' | 'never taken';

const ERRORS = {
  'refused by a condition of others': () => new StoreRefusal('A trigger refuses it.'),
  'never taken': () => new TypeError('It has no columns.'),
};

it('what can be written is, in its order; what a condition of others refuses waits on, and the rest is dropped', async () => {
  const fate = fc.constantFrom<Fate>('taken', 'taken', 'taken', ...(Object.keys(ERRORS) as Fate[]));
  const entries = fc.array(fate, { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(entries, fc.integer({ min: 1, max: 25 }), async (fates, most) => {
      const waiting = fates.map((fate, at) => ({ fate, at }));
      const all = [...waiting];
      const written: number[] = [];
      const bad = fates.filter((one) => one !== 'taken').length;
      const working = writeChunks(waiting, most, async (chunk) => {
        for (const { fate } of chunk) if (fate !== 'taken') throw ERRORS[fate]();
        written.push(...chunk.map(({ at }) => at));
      });
      if (bad === 0) await working;
      else await assert.rejects(working);
      // Beyond that, an entry goes with its chunk.
      if (bad >= 20) return;
      const placesOf = (fate: Fate) => all.filter((one) => one.fate === fate).map(({ at }) => at);
      assert.deepEqual(written, placesOf('taken'));
      assert.deepEqual(
        waiting.map(({ at }) => at),
        placesOf('refused by a condition of others'),
      );
    }),
  );
});

it('a store that is not there leaves everything as it is', async () => {
  const waiting = [1, 2, 3];
  await assert.rejects(
    writeChunks(waiting, 2, async () => {
      throw new StoreUnavailable('The disk is full.');
    }),
    /The disk is full/,
  );
  assert.deepEqual(waiting, [1, 2, 3]);
});
