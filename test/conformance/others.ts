/** Promises 4, 5 and 8, where a process has seen a record, and another one has been there since. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { thing } from '../support/store-shapes.ts';
import {
  became,
  outcomesOf,
  type Proves,
  placeDraft,
  remove,
  thingDraft,
  within,
  write,
  written,
} from '../support/store-world.ts';

export function describePromises(proves: Proves): void {
  describe('5. What another process did to a record that was seen before', () => {
    proves('is merged into when it was changed', async ({ store, home, another }) => {
      const full = { label: 'one', price: 1, currency: 'USD' };
      const seen = await write(store, thingDraft(home, 'a', full));
      const other = await another();
      await write(other, thingDraft(home, 'a', { label: 'two', tags: ['new'] }));
      const [changed] = await store.commit([thingDraft(home, 'a', { price: 3 })]);
      const { record } = written(changed);
      assert.equal(changed?.outcome, 'updated');
      assert.equal(record.unique_identifier, seen.unique_identifier);
      assert.equal(record.version, 3);
      const wanted = { label: 'two', tags: ['new'], price: 3, currency: 'USD' };
      assert.deepEqual(JSON.parse(record.document), wanted);
    });

    proves('is undone by what is sent again, which is a change', async (world) => {
      const { store, home, another } = world;
      const draft = thingDraft(home, 'a', { label: 'one' });
      await write(store, draft);
      await write(await another(), thingDraft(home, 'a', { label: 'two' }));
      const [again] = await store.commit([draft]);
      assert.equal(again?.outcome, 'updated');
      assert.equal(written(again).record.document, '{"label":"one"}');
    });

    proves('is found to be what is sent, which changes nothing', async (world) => {
      const { store, home, another } = world;
      await write(store, thingDraft(home, 'a', { label: 'one' }));
      const theirs = await write(await another(), thingDraft(home, 'a', { label: 'two' }));
      const [same] = await store.commit([thingDraft(home, 'a', { label: 'two' })]);
      assert.equal(same?.outcome, 'unchanged');
      assert.deepEqual(written(same).record, theirs);
    });

    proves('is not taken back when it was removed', async ({ store, home, another, account }) => {
      const seen = await write(store, thingDraft(home, 'a', { label: 'one', tags: ['old'] }));
      await remove(await another(), seen);
      const [made] = await store.commit([thingDraft(home, 'a', { label: 'two' })]);
      assert.equal(made?.outcome, 'created');
      const { record } = written(made);
      assert.notEqual(record.unique_identifier, seen.unique_identifier);
      assert.equal(record.version, 1);
      assert.equal(record.document, '{"label":"two"}');
      assert.equal(await store.find(thing, seen.unique_identifier, within(account)), undefined);
    });

    proves('is seen when it was made where there was none', async ({ store, home, another }) => {
      const seen = await write(store, thingDraft(home, 'a', { label: 'one' }));
      await remove(store, seen);
      const theirs = await write(await another(), thingDraft(home, 'a', { label: 'two' }));
      const [changed] = await store.commit([thingDraft(home, 'a', { price: 3, currency: 'USD' })]);
      assert.equal(changed?.outcome, 'updated');
      assert.equal(written(changed).record.unique_identifier, theirs.unique_identifier);
      assert.equal(written(changed).record.document, '{"label":"two","price":3,"currency":"USD"}');
    });

    proves('harms no other draft of a batch', async ({ store, home, another }) => {
      const names = Array.from({ length: 40 }, (_, index) => `name ${index}`);
      const draftsOf = (label: string) => names.map((name) => thingDraft(home, name, { label }));
      const first = (await store.commit(draftsOf('one'))).map((one) => written(one).record);
      const other = await another();
      await write(other, thingDraft(home, 'name 7', { tags: ['theirs'] }));
      await remove(other, first[11] as (typeof first)[0]);
      const outcomes = await store.commit([...draftsOf('two'), thingDraft(home, 'name 41', {})]);
      assert.deepEqual(outcomesOf(outcomes), [
        ...names.map((_, index) => (index === 11 ? 'created' : 'updated')),
        'created',
      ]);
      const versions = outcomes.map((one) => written(one).record.version);
      assert.deepEqual(versions, [
        ...names.map((_, index) => (index === 11 ? 1 : index === 7 ? 3 : 2)),
        1,
      ]);
      assert.equal(written(outcomes[7]).record.document, '{"label":"two","tags":["theirs"]}');
    });

    proves('refuses what is in an account that was closed', async (world) => {
      const { store, home, account, another } = world;
      const seen = await write(store, thingDraft(home, 'a', { label: 'one' }));
      const other = await another();
      await other.accounts.close(account);
      const drafts = [thingDraft(home, 'a', { label: 'two' }), thingDraft(home, 'b', {})];
      assert.deepEqual(await became(store, drafts), ['refused', 'refused']);
      await other.accounts.reopen(account);
      assert.deepEqual(await store.find(thing, seen.unique_identifier, within(account)), seen);
      assert.deepEqual(await became(store, drafts), ['updated', 'created']);
    });

    proves('refuses only what is below a removed parent', async (world) => {
      const { store, home, another, account } = world;
      const gone = await write(store, placeDraft(account, 'home 2', {}));
      await store.commit([thingDraft(gone, 'a', { label: 'one' }), thingDraft(home, 'b', {})]);
      await remove(await another(), gone);
      const outcomes = await store.commit([
        thingDraft(gone, 'a', { label: 'two' }),
        thingDraft(gone, 'c', {}),
        thingDraft(home, 'b', { label: 'B' }),
        thingDraft(home, 'd', {}),
      ]);
      assert.deepEqual(outcomesOf(outcomes), ['refused', 'refused', 'updated', 'created']);
    });
  });
}
