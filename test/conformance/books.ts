/** The books of imports, backups and the time: read and written by several processes. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { ImportRun } from '../../src/core/objects/transfer/import-run.ts';
import { REJECTED_MS } from '../../src/store/books/imports.ts';
import { idsOf, type Proves } from '../support/store-world.ts';
import { wipe } from '../support/wipe.ts';

function importRun(unique_identifier: string, at: number, more: Partial<ImportRun> = {}) {
  const run: ImportRun = {
    ...{ unique_identifier, fingerprint: 'same', inserted_at: at, updated_at: at },
    ...{ status: 'running', files: [], accounts: ['own_1'], began: { own_1: null } },
    ...{ chunk: 100, position: { file: 0, rows: 0, rejected: [] } },
    counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
    ...more,
  };
  return run;
}

export function describePromises(proves: Proves): void {
  describe('Books', () => {
    proves('of imports hold the last state of each', async ({ store, another, clock }) => {
      const [one, two] = [importRun('imp_1', clock.now), importRun('imp_2', clock.now + 1)];
      await store.imports.put(one);
      await (await another()).imports.put(two);
      const done = importRun('imp_1', clock.now, { status: 'finished', updated_at: clock.now + 9 });
      await store.imports.put(done);
      assert.deepEqual(await store.imports.find('imp_1'), done);
      assert.equal(await store.imports.find('imp_3'), undefined);
      assert.deepEqual(await store.imports.list(9), [two, done]);
      assert.deepEqual(await store.imports.list(1), [two]);
      assert.deepEqual(await store.imports.list(9, 'imp_2'), [done]);
      assert.deepEqual(await store.imports.latest('same'), two);
      assert.equal(await store.imports.latest('other'), undefined);
    });

    proves('of imports drop rejected rows after a week', async ({ store, clock }) => {
      await store.imports.put(importRun('imp_1', clock.now));
      assert.equal(await store.imports.rejected('imp_1'), undefined);
      await store.imports.keepRejected('imp_1', 'name\nAnn\n');
      await store.imports.put(importRun('imp_2', clock.now, { accounts: ['own_2'] }));
      await store.imports.keepRejected('imp_2', 'name\nBob\n');
      await store.imports.put(importRun('imp_3', clock.now));
      assert.deepEqual(await store.imports.withRejected('own_1'), ['imp_1']);
      clock.now += REJECTED_MS;
      assert.equal(await store.imports.purge(), false);
      assert.equal(await store.imports.rejected('imp_1'), 'name\nAnn\n');
      clock.now += 1;
      assert.equal(await store.imports.purge(), false);
      assert.equal(await store.imports.rejected('imp_1'), undefined);
    });

    proves('of imports drop rejected rows with an account', async ({ store, account, clock }) => {
      for (const [id, own] of Object.entries({ imp_1: [account], imp_2: ['own_2'] })) {
        await store.imports.put(importRun(id, clock.now, { accounts: own }));
        await store.imports.keepRejected(id, 'name\nAnn\n');
      }
      await wipe(store, account);
      assert.equal(await store.imports.rejected('imp_1'), undefined);
      assert.equal(await store.imports.rejected('imp_2'), 'name\nAnn\n');
      assert.notEqual(await store.imports.find('imp_1'), undefined);
    });

    proves('of backups show the latest moment that was checked', async ({ store, another }) => {
      assert.equal(await store.backups.last(), undefined);
      await store.backups.note({ taken_at: 20, checked_at: 30 });
      await (await another()).backups.note({ taken_at: 10, checked_at: 40 });
      assert.deepEqual(await store.backups.last(), { taken_at: 20, checked_at: 30 });
      await store.backups.note({ taken_at: 20, checked_at: 50 });
      assert.deepEqual(await store.backups.last(), { taken_at: 20, checked_at: 50 });
    });

    proves('of backups give the lease of a folder to one holder', async ({ store, another }) => {
      const other = await another();
      const folder = {
        ...{ name: 'a', folder: '/a', host: 'one', shows_at: null, whole_at: 7, left_out: 2 },
      };
      assert.equal(await store.backups.follow('first', folder), true);
      assert.equal(await other.backups.follow('second', folder), false);
      assert.equal(await store.backups.follow('first', { ...folder, shows_at: 9 }), true);
      const [known, ...rest] = await other.backups.followed();
      assert.deepEqual(rest, []);
      assert.deepEqual(known, { ...folder, shows_at: 9, since: known?.since });
      await store.backups.unfollow('first', 'a', false);
      const anew = { ...folder, whole_at: null, left_out: null };
      assert.equal(await other.backups.follow('second', anew), true);
      const kept = (await store.backups.followed())[0];
      assert.deepEqual(kept, { ...folder, shows_at: 9, since: known?.since });
      const moved = { ...folder, folder: '/b', whole_at: null };
      assert.equal(await other.backups.follow('second', moved), true);
      const there = (await store.backups.followed())[0];
      assert.deepEqual(there, { ...moved, since: there?.since }, 'another folder shows nothing');
      await store.backups.unfollow('second', 'a', true);
      assert.deepEqual(await store.backups.followed(), []);
    });

    proves('of settings merge what comes together', async ({ store, another, account, home }) => {
      const { unique_identifier } = home;
      const other = await another();
      for (let round = 0; round < 16; round += 1) {
        await Promise.all([
          store.locationSettings.change([
            { unique_identifier, account, time_zone: `Zone/${round}` },
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
        const its = { unique_identifier, account, time_zone: `Zone/${round}`, region: '' };
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
