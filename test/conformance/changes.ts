/** Promises 1 and 8, and some of 9: what a commit leaves in the records that it writes. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { StoreUnavailable } from '../../src/store/promises/store.ts';
import { place, thing } from '../support/store-shapes.ts';
import {
  became,
  type Proves,
  placeDraft,
  thingDraft,
  within,
  write,
  written,
} from '../support/store-world.ts';

export function describePromises(proves: Proves): void {
  describe('1. Durable before shown', () => {
    proves('what was answered is there when the store is opened again', async (world) => {
      const drafts = ['a', 'b', 'c'].map((name) => thingDraft(world.home, name, { label: name }));
      const outcomes = (await world.store.commit(drafts)).map(written);
      const store = await world.reopen();
      for (const { record } of outcomes) {
        const scope = within(world.account);
        assert.deepEqual(await store.find(thing, record.unique_identifier, scope), record);
      }
    });

    proves('a store that was closed writes no more, and says so', async ({ store, home }) => {
      await store.close();
      await store.close();
      await assert.rejects(store.commit([thingDraft(home, 'a', {})]), StoreUnavailable);
      await assert.rejects(store.checkWritable(), StoreUnavailable);
    });

    proves('a store that can be written says so', async ({ store }) => {
      await store.checkWritable();
      assert.ok(store.place.length > 0);
    });
  });

  describe('8. Versions', () => {
    proves('a created record is whole, at version 1', async ({ store, home, account, clock }) => {
      const made = await write(store, thingDraft(home, 'a', { label: 'A' }));
      const { unique_identifier, position, ...record } = made;
      assert.match(unique_identifier, /^thg_[0-9A-Za-z]{22}$/);
      assert.ok(position > home.position);
      assert.deepEqual(record, {
        ...{ account, anchor: home.unique_identifier, parent: home.unique_identifier },
        ...{ external_identifier: 'a', document: '{"label":"A"}', version: 1 },
        ...{ inserted_at: clock.now, updated_at: clock.now, created_by: null, changed_by: null },
      });
      assert.equal(home.anchor, home.unique_identifier, 'an anchor is its own');
    });

    proves('a change raises version and position, and keeps who the record is', async (world) => {
      const { store, home, clock } = world;
      const before = await write(store, thingDraft(home, 'a', { label: 'A' }));
      clock.now += 1_000;
      const [outcome] = await store.commit([thingDraft(home, 'a', { label: 'B' })]);
      const { record } = written(outcome);
      assert.deepEqual(outcome?.outcome, 'updated');
      const { position } = record;
      const changed = { document: '{"label":"B"}', version: 2, position, updated_at: clock.now };
      assert.deepEqual(record, { ...before, ...changed });
      assert.ok(record.position > before.position);
    });

    proves('no change leaves the record, its times, version and position', async (world) => {
      const { store, home, clock } = world;
      const full = {
        ...{ label: 'A', tags: ['x', { y: 1 }], extra: { deep: { deeper: [1] } } },
        maker: { name: 'M', address: { city: 'C' } },
      };
      const before = await write(store, thingDraft(home, 'a', full));
      clock.now += 1_000;
      const same = [full, {}, { maker: {} }, { label: 'A', extra: { deep: {}, gone: null } }];
      for (const patch of same) {
        const [outcome] = await store.commit([thingDraft(home, 'a', patch)]);
        assert.equal(outcome?.outcome, 'unchanged');
        assert.deepEqual(written(outcome).record, before);
      }
      const next = await write(store, thingDraft(home, 'b', {}));
      assert.ok(next.position > before.position);
    });
  });

  describe('9. Positions', () => {
    proves('fit the records that another process reads', async ({ store, home, another }) => {
      const made = await write(store, placeDraft(home.account, 'p', { title: 'P' }));
      const scope = within(home.account);
      assert.deepEqual(await (await another()).find(place, made.unique_identifier, scope), made);
      assert.deepEqual(await became(store, []), []);
    });
  });
}
