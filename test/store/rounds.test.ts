/** Rounds through the accounts of a log leave nothing unread, whenever something is committed. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { EachAccount, PAUSED } from '../../src/core/each-account.ts';
import { createRounds } from '../../src/store/follow.ts';

/** What happens in one account while it is followed: commits, pieces that pause, errors. */
const acts = fc.array(fc.constantFrom('commit', 'round', 'pause', 'fail', 'end'), {
  maxLength: 30,
  size: 'max',
});

it('all that was committed is read, though a piece pauses before its end or fails', async () => {
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      let committed = 0;
      let place = 0;
      let begun: number | undefined;
      let next: 'pause' | 'fail' | 'end' = 'end';
      const each = new EachAccount('reading', { failed: () => {} }, () => 0);
      const rounds = createRounds(each, {
        behind: async () => [['account', committed]],
        async piece() {
          begun ??= committed;
          if (next === 'pause') return PAUSED;
          const to = begun;
          begun = undefined;
          if (next === 'fail') throw new RangeError('It fails this time.');
          place = to;
          return false;
        },
      });
      for (const act of all) {
        if (act === 'commit') committed += 1;
        else if (act === 'round') await rounds.round(0);
        else next = act;
      }
      next = 'end';
      while (await rounds.round(0));
      assert.equal(place, committed);
    }),
  );
});

it('an account that fails fails until it is done, also when it pauses in between', async () => {
  const told: string[] = [];
  const each = new EachAccount(
    'reading',
    { failed: ({ times }) => told.push(`${times}`), ended: () => told.push('ended') },
    () => 0,
  );
  const results = [new RangeError('It fails.'), PAUSED, new RangeError('It fails.'), PAUSED, false];
  for (const result of results)
    await each.through(['account'], String, async () => {
      if (result instanceof RangeError) throw result;
      return result;
    });
  assert.deepEqual(told, ['1', '2', 'ended']);
});
