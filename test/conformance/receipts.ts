/** Promise 2 for receipts: they are kept with what they prove, or not at all. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Draft, Receipt, StoredRecord } from '../../src/store/store.ts';
import {
  keptRecord,
  outcomesOf,
  type Proves,
  placeDraft,
  refused,
  thingDraft,
  visitDraft,
  write,
  written,
} from '../support/store-world.ts';

const HOUR = 3_600_000;

export function describeReceipts(proves: Proves): void {
  const receipt = (idempotency_key: string, now: number, fingerprint = 1): Receipt => ({
    owner: 'key_one',
    idempotency_key,
    fingerprint: new Uint8Array(32).fill(fingerprint),
    expires_at: now + HOUR,
  });
  const proved = (draft: Draft, by: Receipt): Draft => ({ ...draft, receipt: by });

  describe('2. Receipts', () => {
    proves('hold the record as the request left it', async ({ store, home, clock, reopen }) => {
      const outcomes = await store.commit([
        proved(thingDraft(home, 'a', { label: 'A' }), receipt('1', clock.now)),
        proved(thingDraft(home, 'a', { label: 'B' }), receipt('2', clock.now, 2)),
        proved(thingDraft(home, 'a', { label: 'B' }), receipt('3', clock.now)),
      ]);
      assert.deepEqual(outcomesOf(outcomes), ['created', 'updated', 'unchanged']);
      await write(store, thingDraft(home, 'a', { label: 'C' }));
      const again = await reopen();
      for (const [index, outcome] of outcomes.map(written).entries()) {
        const kept = keptRecord(await again.receipt('key_one', String(index + 1)));
        assert.equal(kept.outcome, outcome.outcome);
        assert.deepEqual(kept.record, outcome.record);
        assert.deepEqual([...kept.fingerprint], Array(32).fill(index === 1 ? 2 : 1));
      }
    });

    proves('hold what became of records that another process has changed', async (world) => {
      const { store, home, clock, another } = world;
      const names = Array.from({ length: 20 }, (_, index) => `name ${index}`);
      await store.commit(names.slice(0, 10).map((name) => thingDraft(home, name, {})));
      const other = await another();
      // One that was seen here, and one that was not.
      await other.commit([
        thingDraft(home, 'name 3', { tags: ['theirs'] }),
        thingDraft(home, 'name 13', { tags: ['theirs'] }),
      ]);
      const outcomes = await store.commit(
        names.map((name) =>
          proved(thingDraft(home, name, { label: 'B' }), receipt(name, clock.now)),
        ),
      );
      for (const [index, outcome] of outcomes.map(written).entries()) {
        const kept = keptRecord(await other.receipt('key_one', `name ${index}`));
        assert.equal(kept.outcome, index < 10 || index === 13 ? 'updated' : 'created');
        assert.equal(kept.outcome, outcome.outcome);
        assert.deepEqual(kept.record, outcome.record);
      }
    });

    proves('belong to their owner', async ({ store, home, clock }) => {
      await store.commit([proved(thingDraft(home, 'a', {}), receipt('1', clock.now))]);
      assert.equal(await store.receipt('key_two', '1'), undefined);
      assert.equal(await store.receipt('key_one', '2'), undefined);
    });

    proves('are not kept for what was refused or withheld', async ({ store, home, clock }) => {
      const refusals = [
        proved(thingDraft(home, 'a', { price: 1 }), receipt('1', clock.now)),
        proved(visitDraft(home, 'b', {}), receipt('2', clock.now)),
      ];
      await store.commit(refusals);
      const sound = proved(thingDraft(home, 'c', {}), receipt('3', clock.now));
      await store.commit([sound, ...refusals], { atomic: true });
      for (const name of ['1', '2', '3']) {
        assert.equal(await store.receipt('key_one', name), undefined);
      }
      assert.deepEqual(outcomesOf(await store.commit([sound])), ['created']);
    });

    proves('answer whoever comes second, who changes nothing', async (world) => {
      const { store, home, clock } = world;
      const first = proved(thingDraft(home, 'a', { label: 'A' }), receipt('1', clock.now));
      const second = proved(thingDraft(home, 'a', { label: 'B' }), receipt('1', clock.now, 2));
      const [one, two] = await store.commit([first, second]);
      assert.equal(one?.outcome, 'created');
      assert.ok(two?.outcome === 'repeated');
      assert.deepEqual(keptRecord(two.receipt).record, written(one).record);
      assert.equal(two.receipt.fingerprint[0], 1);
      const [three] = await (await world.another()).commit([second]);
      assert.deepEqual(three, two);
      const now = await write(store, thingDraft(home, 'a', {}));
      assert.equal(now.document, '{"label":"A"}');
    });

    proves('are gone when they expire, and can be written anew', async (world) => {
      const { store, home, clock } = world;
      await store.commit([proved(thingDraft(home, 'a', {}), receipt('1', clock.now))]);
      clock.now += HOUR - 1;
      assert.ok(await store.receipt('key_one', '1'));
      clock.now += 1;
      assert.equal(await store.receipt('key_one', '1'), undefined);
      const draft = proved(thingDraft(home, 'a', { label: 'A' }), receipt('1', clock.now, 3));
      assert.deepEqual(outcomesOf(await store.commit([draft])), ['updated']);
      assert.equal((await store.receipt('key_one', '1'))?.fingerprint[0], 3);
    });

    proves('go with the data of an account that is wiped', async (world) => {
      const { store, home, clock, account } = world;
      await store.commit([proved(thingDraft(home, 'a', {}), receipt('1', clock.now))]);
      await store.accounts.wipe(account);
      assert.equal(await store.receipt('key_one', '1'), undefined);
    });
  });

  describe('2. Receipts of whole batches', () => {
    const drafts = (home: StoredRecord) => [
      thingDraft(home, 'a', { label: 'A' }),
      thingDraft(home, 'b', { price: 5 }),
      thingDraft(home, 'a', { label: 'A' }),
    ];

    proves('hold what became of each draft, and answer whoever repeats it', async (world) => {
      const { store, home, clock } = world;
      const outcomes = await store.commit(drafts(home), { receipt: receipt('1', clock.now, 7) });
      assert.deepEqual(outcomesOf(outcomes), ['created', 'refused', 'unchanged']);
      await write(store, thingDraft(home, 'a', { label: 'later' }));
      const again = await world.reopen();
      const kept = await again.receipt('key_one', '1');
      assert.ok(kept?.outcome === 'batch');
      const { unique_identifier } = written(outcomes[0]).record;
      assert.deepEqual(kept.drafts, [
        { outcome: 'created', unique_identifier },
        { outcome: 'refused', faults: refused(outcomes[1]).faults },
        { outcome: 'unchanged', unique_identifier },
      ]);
      assert.deepEqual([...kept.fingerprint], Array(32).fill(7));
      const repeated = await again.commit(drafts(home), { receipt: receipt('1', clock.now, 8) });
      assert.deepEqual(
        repeated,
        [kept, kept, kept].map((each) => ({ outcome: 'repeated', receipt: each })),
      );
      assert.equal((await write(again, thingDraft(home, 'a', {}))).version, 2);
    });

    proves('are not kept for an atomic batch of which nothing was carried out', async (world) => {
      const { store, home, clock } = world;
      const options = { atomic: true, receipt: receipt('1', clock.now) };
      await store.commit(drafts(home), options);
      assert.equal(await store.receipt('key_one', '1'), undefined);
      const outcomes = await store.commit([thingDraft(home, 'a', {})], options);
      assert.deepEqual(outcomesOf(outcomes), ['created']);
      assert.equal((await store.receipt('key_one', '1'))?.outcome, 'batch');
      const repeated = await store.commit(drafts(home), options);
      assert.deepEqual(outcomesOf(repeated), ['repeated', 'repeated', 'repeated']);
    });

    proves('share their keys with those of records, and expire like those', async (world) => {
      const { store, home, clock } = world;
      await store.commit(drafts(home), { receipt: receipt('1', clock.now) });
      const one = proved(thingDraft(home, 'c', {}), receipt('1', clock.now));
      assert.deepEqual(outcomesOf(await store.commit([one])), ['repeated']);
      clock.now += HOUR;
      assert.equal(await store.receipt('key_one', '1'), undefined);
      const later = proved(thingDraft(home, 'c', {}), receipt('1', clock.now));
      assert.deepEqual(outcomesOf(await store.commit([later])), ['created']);
      assert.equal((await store.receipt('key_one', '1'))?.outcome, 'created');
    });

    proves('go with the data of an account that is wiped, others stay', async (world) => {
      const { store, home, clock, account } = world;
      const other = await store.accounts.create({ name: 'Others', livemode: false });
      const theirs = placeDraft(other.unique_identifier, 'x', {});
      await store.commit([...drafts(home), theirs], { receipt: receipt('1', clock.now) });
      await store.commit([theirs], { receipt: receipt('2', clock.now) });
      await store.accounts.wipe(account);
      assert.equal(await store.receipt('key_one', '1'), undefined);
      assert.equal((await store.receipt('key_one', '2'))?.outcome, 'batch');
    });

    proves(
      'of several processes that repeat a batch at once, one carries it out',
      async (world) => {
        const { store, home, clock } = world;
        const stores = [store, await world.another(), await world.another()];
        for (let round = 0; round < 10; round++) {
          const options = { receipt: receipt(`r${round}`, clock.now) };
          const batch = [
            thingDraft(home, `t${round}`, {}),
            thingDraft(home, 'a', { label: `${round}` }),
          ];
          const all = await Promise.all(stores.map((each) => each.commit(batch, options)));
          const done = all.filter(([first]) => first?.outcome === 'created');
          assert.equal(done.length, 1);
          assert.equal(all.filter(([first]) => first?.outcome === 'repeated').length, 2);
        }
      },
    );
  });
}
