/** The books of backups and the time: read and written by several processes. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { EMPTY } from '../../src/store/books/backups.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { changed, idsOf, type Proves } from '../support/store-world.ts';
import { wipe } from '../support/wipe.ts';

export function describePromises(proves: Proves): void {
  describe('Books', () => {
    proves('of backups show the latest moment that was checked', async ({ store, another }) => {
      assert.equal(await store.backups.last(), undefined);
      const other = await another();
      const notes = async (taken_at: number, checked_at: number, number = 0): Promise<boolean> =>
        other.backups.note({ taken_at, checked_at, number });
      assert.equal(await notes(20, 30), true);
      assert.equal(await notes(10, 40), false);
      assert.deepEqual(await store.backups.last(), { taken_at: 20, checked_at: 30, number: 0 });
      assert.equal(await notes(20, 50), true);
      assert.equal(await notes(900, 50), true);
      assert.equal(await notes(60, 70), true, 'one that is still to come hides none');
      assert.equal(await notes(900, 80, 2), true);
      assert.equal(await notes(85, 90, 1), false, 'the number tells which was made later');
      assert.equal(await notes(85, 90, 3), true);
      assert.deepEqual(await store.backups.last(), { taken_at: 85, checked_at: 90, number: 3 });
    });

    proves('of backups number them, and know the store again', async ({ store, another }) => {
      const other = await another();
      const numbers = await Promise.all(
        Array.from({ length: 6 }, (_, at) => (at % 2 ? store : other).backups.count()),
      );
      assert.deepEqual(
        numbers.toSorted((one, two) => one - two),
        [1, 2, 3, 4, 5, 6],
      );
      const was = await store.backups.identity();
      assert.deepEqual(await other.backups.identity(), was);
      await store.backups.descend(was, 9);
      const is = await other.backups.identity();
      assert.notEqual(is.store, was.store);
      assert.deepEqual(
        is.origins.map((one) => [one.store, one.number]),
        [[was.store, 6]],
      );
      assert.equal(await other.backups.count(), 10);
      await other.backups.descend(was, 20);
      assert.deepEqual((await store.backups.identity()).store, is.store, 'it is done once');
    });

    proves('of backups give the lease of a folder to one holder', async ({ store, another }) => {
      const other = await another();
      const folder = {
        ...{ name: 'a', folder: '/a', host: 'one', holds: EMPTY, whole_at: 7, left_out: 2 },
      };
      const holds = { state: 'complete', until: 9 } as const;
      assert.equal(await store.backups.follow('first', folder), true);
      assert.equal(await other.backups.follow('second', folder), false);
      assert.equal(await store.backups.follow('first', { ...folder, holds }), true);
      const [known, ...rest] = await other.backups.followed();
      assert.deepEqual(rest, []);
      assert.deepEqual(known, { ...folder, holds, since: known?.since });
      await store.backups.unfollow('first', 'a', false);
      const anew = { ...folder, whole_at: null, left_out: null };
      assert.equal(await other.backups.follow('second', anew), true);
      const kept = (await store.backups.followed())[0];
      assert.deepEqual(kept, { ...folder, holds, since: known?.since });
      const moved = { ...folder, folder: '/b', whole_at: null };
      assert.equal(await other.backups.follow('second', moved), true);
      const there = (await store.backups.followed())[0];
      assert.deepEqual(there, { ...moved, since: there?.since }, 'another folder shows nothing');
      for (const until of [undefined, 9]) {
        const lost = { ...moved, holds: { state: 'unusable', until } as const };
        await other.backups.follow('second', lost);
        const [now] = await store.backups.followed();
        assert.deepEqual(now, { ...lost, since: there?.since });
      }
      await store.backups.unfollow('second', 'a', true);
      assert.deepEqual(await store.backups.followed(), []);
    });

    proves(
      'of leases count none that a clock has given that was ahead',
      async ({ store, another }) => {
        const other = await another();
        const folder = {
          ...{ name: 'a', folder: '/a', host: 'one', holds: EMPTY, whole_at: 7, left_out: 2 },
        };
        const job = { account: 'acc_a', kind: 'any', object: 'one' };
        const takes: Record<string, (by: Store, owner: string) => Promise<boolean>> = {
          followed_backup: (by, owner) => by.backups.follow(owner, folder),
          job: (by, owner) => by.jobs.take({ ...job, owner }),
        };
        for (const [table, take] of Object.entries(takes)) {
          assert.equal(await take(store, 'first'), true, table);
          assert.equal(await take(other, 'second'), false, table);
          // As if it had been taken a day ahead, and a year.
          for (const ahead of [86_400_000, 365 * 86_400_000]) {
            await changed(store, `UPDATE ${table} SET until = until + ${ahead}`);
            assert.equal(await take(other, 'second'), true, `${table}, ${ahead} ahead`);
            assert.equal(await take(store, 'first'), false, table);
            await changed(store, `UPDATE ${table} SET until = until + ${ahead}`);
            assert.equal(await take(store, 'first'), true, `${table}, ${ahead} ahead`);
          }
        }
      },
    );

    proves('of settings merge what comes together', async ({ store, another, account, home }) => {
      const { unique_identifier } = home;
      const other = await another();
      for (let round = 0; round < 16; round += 1) {
        await Promise.all([
          store.locationSettings.change([
            { unique_identifier, account, time_zone: `Etc/GMT-${round % 15}` },
            { unique_identifier: account, account, state: `${round}` },
          ]),
          other.locationSettings.change([
            { unique_identifier: account, account, region: `Region ${round}` },
            { unique_identifier, account, region: '' },
          ]),
        ]);
        const found = await store.locationSettings.of([unique_identifier, account, 'loc_none']);
        const byName = new Map(found.map((one) => [one.unique_identifier, one]));
        assert.equal(found.length, 2);
        const its = { unique_identifier, account, time_zone: `Etc/GMT-${round % 15}`, region: '' };
        assert.deepEqual(byName.get(unique_identifier), { ...its, state: null });
        const both = { region: `Region ${round}`, state: `${round}` };
        const above = { unique_identifier: account, account, time_zone: null };
        assert.deepEqual(byName.get(account), { ...above, ...both });
      }
      const listed = await store.locationSettings.list([account], '', 9);
      assert.deepEqual(idsOf(listed), [unique_identifier]);
      assert.deepEqual(await store.locationSettings.list([account], unique_identifier, 9), []);
      assert.deepEqual(idsOf(await store.locationSettings.regions([account])), [account]);
    });

    proves('of settings are emptied with their account', async ({ store, account, home }) => {
      const { unique_identifier } = home;
      const set = { account, time_zone: 'America/Denver' };
      await store.locationSettings.change([
        { ...set, unique_identifier },
        { ...set, unique_identifier: account },
      ]);
      await wipe(store, account);
      const left = await store.locationSettings.of([unique_identifier, account]);
      assert.deepEqual(idsOf(left), [account], 'the account and what it is like stay');
      await wipe(store, account, true);
      assert.deepEqual(await store.locationSettings.of([account]), []);
    });

    proves('of the time never go back', async ({ store, another }) => {
      assert.equal(await store.seenTime(), undefined);
      await store.noteTime(50);
      await (await another()).noteTime(40);
      assert.equal(await store.seenTime(), 50);
      await store.noteTime(60);
      assert.equal(await store.seenTime(), 60);
    });
  });
}
