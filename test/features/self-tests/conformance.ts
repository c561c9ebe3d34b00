/** The book of self-tests: one run of a key is open, and all go with their account. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Proves } from '../../support/store-world.ts';
import { wipe } from '../../support/wipe.ts';

export function describePromises(proves: Proves): void {
  describe('The book of self-tests', () => {
    proves('has one run open for a key', async ({ store, account, clock }) => {
      const run = (unique_identifier: string) => ({
        ...{ unique_identifier, account, key: 'key_1' },
        ...{ inserted_at: clock.now, expires_at: clock.now + 1_000 },
      });
      const [one, two] = [run('tst_1'), run('tst_2')];
      await store.selfTests.open(one);
      assert.deepEqual(await store.selfTests.openOf('key_1'), one);
      await store.selfTests.open(two);
      assert.deepEqual(await store.selfTests.openOf('key_1'), two);
      const ended = { ...one, expires_at: clock.now };
      assert.deepEqual(await store.selfTests.list([account], undefined, 9), [two, ended]);
      const seen = { kind: 'created', at: clock.now, data: '{}' };
      await store.selfTests.note('tst_2', seen);
      assert.deepEqual(await store.selfTests.seen('tst_2'), [seen]);
      clock.now += 1_000;
      assert.equal(await store.selfTests.openOf('key_1'), undefined);
    });

    proves('is emptied with an account', async ({ store, account, clock }) => {
      const run = { unique_identifier: 'tst_1', account, key: 'key_1', inserted_at: clock.now };
      await store.selfTests.open({ ...run, expires_at: clock.now + 1_000 });
      await store.selfTests.note('tst_1', { kind: 'created', at: clock.now, data: '{}' });
      await wipe(store, account, true);
      assert.deepEqual(await store.selfTests.list([account], undefined, 9), []);
      assert.deepEqual(await store.selfTests.seen('tst_1'), []);
    });
  });
}
