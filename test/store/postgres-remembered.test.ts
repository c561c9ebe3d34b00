/** What a process remembers of records on PostgreSQL is small, and drafts with receipts take few round trips. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoundedMap } from '../../src/core/bounded.ts';
import { createRemembered, type Remembered } from '../../src/store/postgres/cached/remembered.ts';
import { pairOf } from '../../src/store/postgres/names.ts';
import type { Draft, Outcome, StoredRecord } from '../../src/store/promises/store.ts';
import { onPostgres, type PostgresCase } from '../support/store-postgres.ts';
import { place } from '../support/store-shapes.ts';
import { storeOverWire } from '../support/store-wire.ts';
import { outcomesOf, placeDraft, written } from '../support/store-world.ts';

describe('A bounded map', () => {
  it('hold no more than they may, and keep what is used', () => {
    const most = 1_000;
    const texts = new BoundedMap<string, string>(most, (text) => text.length);
    for (let count = 0; count < 10_000; count++) {
      texts.set(`name ${count}`, 'x'.repeat(10));
      assert.equal(texts.get('name 0')?.length, 10, `after ${count}`);
    }
    const there = Array.from({ length: 10_000 }, (_, count) => texts.get(`name ${count}`) ?? '');
    const size = there.reduce((sum, text) => sum + text.length, 0);
    assert.ok(size > most / 4 && size <= most, `${size} characters`);
  });
});

describe('What is remembered', () => {
  const named = (name: string) => {
    const draft = placeDraft('own_1', name, { title: name });
    return { draft, pair: pairOf(draft) };
  };
  const record = (remembered: Remembered, name: string) =>
    remembered.recall([named(name)])[0]?.record;
  const some = (from: number) => Array.from({ length: 40 }, (_, at) => named(`${from + at}`));
  const outcomeOf = (outcome: 'created' | 'updated', version: number): Outcome => ({
    outcome,
    record: { document: '{}', version } as StoredRecord,
    mergeMs: 0,
  });

  it('suffices for unseen records, until many of them turn out to exist', () => {
    const remembered = createRemembered(2 ** 25);
    assert.ok(remembered.suffices(remembered.recall(some(0))));
    remembered.learnAll(
      remembered.recall(some(0)),
      some(0).map(() => outcomeOf('updated', 2)),
    );
    assert.ok(!remembered.suffices(remembered.recall(some(100))), 'who sends all of them again');
    assert.ok(remembered.suffices(remembered.recall(some(0))), 'these are known by now');
    for (let round = 0; round < 10; round++) {
      const next = some(1_000 + 40 * round);
      remembered.learnAll(
        remembered.recall(next),
        next.map(() => outcomeOf('created', 1)),
      );
    }
    assert.ok(remembered.suffices(remembered.recall(some(100))), 'new ones come again');
  });

  it('does not suffice where others change what was seen', () => {
    const remembered = createRemembered(2 ** 25);
    remembered.learnAll(
      remembered.recall(some(0)),
      some(0).map(() => outcomeOf('created', 1)),
    );
    assert.equal(record(remembered, '0')?.version, 1);
    remembered.learnAll(
      remembered.recall(some(0)),
      some(0).map(() => outcomeOf('updated', 7)),
    );
    assert.ok(!remembered.suffices(remembered.recall(some(0))));
    assert.equal(record(remembered, '0')?.version, 7);
    remembered.forget(named('0').pair);
    assert.equal(record(remembered, '0'), undefined);
    remembered.forgetAll();
    assert.equal(record(remembered, '1'), undefined);
  });
});

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

    it('that change nothing are answered as they are read, beside what is written', async () => {
      const { store, other, account, wire } = await world(ground);
      const again = placeDraft(account, 'known', { title: 'A' });
      const beside = (name: string) => store.commit([again, placeDraft(account, name, {})]);
      await store.commit([again]);
      // What was written is answered also where the read is lost.
      wire.cutAt('there', 'AS known (');
      for (const name of ['lost', 'one'])
        assert.deepEqual(outcomesOf(await beside(name)), ['unchanged', 'created']);
      await other.commit([placeDraft(account, 'known', { title: 'B' })]);
      const [changed] = await beside('two');
      assert.deepEqual([changed?.outcome, written(changed).record.version], ['updated', 3]);
      await other.accounts.close(account);
      assert.deepEqual(outcomesOf(await beside('three')), ['refused', 'refused']);
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
