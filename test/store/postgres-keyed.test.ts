/** Drafts with receipts on PostgreSQL: no receipt of what was not written, and few round trips. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Draft } from '../../src/store/promises/store.ts';
import { onPostgres, type PostgresCase } from '../support/store-postgres.ts';
import { place } from '../support/store-shapes.ts';
import { storeOverWire } from '../support/store-wire.ts';
import { outcomesOf, placeDraft, written } from '../support/store-world.ts';

await onPostgres(({ name, ground }) => {
  describe(`Drafts with receipts on ${name}`, () => {
    it('take two round trips', async () => {
      const { store, wire, keyed } = await world(ground);
      const taken: number[] = [];
      for (let count = 0; count < 10; count++) {
        const before = wire.roundTrips;
        const drafts = [keyed(`made ${count}`, `${count}`), keyed('changed', `again ${count}`)];
        await store.commit(drafts);
        taken.push(wire.roundTrips - before);
      }
      assert.equal(Math.min(...taken), 2, `${taken}`);
      const again = await store.commit([keyed('made 1', '1'), keyed('changed', 'again 1')]);
      assert.deepEqual(outcomesOf(again), ['repeated', 'repeated']);
    });

    it('are merged with what others have written since, and repeated as they were answered', async () => {
      const { store, other, account, keyed } = await world(ground);
      await store.commit([placeDraft(account, 'one', {}), placeDraft(account, 'two', {})]);
      await other.commit([placeDraft(account, 'one', { notes: { by: 'them' } })]);
      const drafts = [keyed('one', 'k1'), keyed('two', 'k2'), keyed('three', 'k3')];
      const done = (await store.commit(drafts)).map(written);
      assert.deepEqual(outcomesOf(done), ['updated', 'updated', 'created']);
      assert.deepEqual(
        done.map(({ record }) => record.version),
        [3, 2, 1],
      );
      assert.match(done[0]?.record.document ?? '', /them/);
      for (const process of [store, other]) {
        for (const [at, again] of (await process.commit(drafts)).entries()) {
          assert.ok(again.outcome === 'repeated' && 'record' in again.receipt);
          assert.equal(again.receipt.outcome, done[at]?.outcome);
          assert.equal(again.receipt.record?.version, done[at]?.record.version);
          assert.equal(again.receipt.record?.document, done[at]?.record.document);
        }
      }
    });

    it('are done once where two processes are sent the same at once', async () => {
      const { store, other, account, keyed } = await world(ground);
      for (let count = 0; count < 10; count++) {
        const draft = keyed(`${count}`, `${count}`);
        const beside = (): Draft => placeDraft(account, `beside ${count}`, { title: 'B' });
        const done = await Promise.all([
          store.commit([draft, beside()]),
          other.commit([draft, beside()]),
        ]);
        const outcomes = done.map(([first]) => first?.outcome).sort();
        assert.deepEqual(outcomes, ['created', 'repeated']);
        const pair = { account, parent: account, external_identifier: `${count}` };
        assert.equal((await store.findPair(place, pair))?.version, 1);
      }
    });

    it('are done again where their receipt has expired', async () => {
      const { store, keyed } = await world(ground);
      const expired = { ...keyed('one', 'k'), title: 'A' };
      const receipt = expired.receipt && { ...expired.receipt, expires_at: Date.now() - 1 };
      assert.deepEqual(outcomesOf(await store.commit([{ ...expired, receipt }])), ['created']);
      assert.deepEqual(outcomesOf(await store.commit([keyed('two', 'k')])), ['created']);
      assert.deepEqual(outcomesOf(await store.commit([keyed('two', 'k')])), ['repeated']);
    });
  });
});

/** A store over a wire that counts, another one past it, and drafts with receipts. */
async function world(ground: PostgresCase['ground']) {
  const { store, direct: other, account, wire } = await storeOverWire(ground);
  const keyed = (external_identifier: string, idempotency_key: string) => {
    const fingerprint = new Uint8Array(32).fill(7);
    const expires_at = Date.now() + 60_000;
    const receipt = { owner: 'key_one', idempotency_key, fingerprint, expires_at };
    return { ...placeDraft(account, external_identifier, { title: idempotency_key }), receipt };
  };
  return { store, other, account, wire, keyed };
}
