/** Promise 2 for receipts: they are kept with what they prove, or not at all. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Draft, Receipt } from '../../src/store/store.ts';
import {
  outcomesOf,
  type Proves,
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
        const kept = await again.receipt('key_one', String(index + 1));
        assert.equal(kept?.outcome, outcome.outcome);
        assert.deepEqual(kept?.record, outcome.record);
        assert.deepEqual([...(kept?.fingerprint ?? [])], Array(32).fill(index === 1 ? 2 : 1));
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
      assert.deepEqual(two.receipt.record, written(one).record);
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
}
