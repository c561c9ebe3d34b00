/** Promise 2 for receipts: they are kept with what they prove, or not at all. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import type { Draft, Outcome, Store, StoredRecord } from '../../src/store/promises/store.ts';
import { asAnswered } from '../../src/store/records/records.ts';
import { shapes } from '../support/store-shapes.ts';
import {
  answeredBy,
  became,
  bytesOf,
  keptRecord,
  newAccount,
  outcomesOf,
  type Proves,
  placeDraft,
  refused,
  remove,
  removing,
  thingDraft,
  visitDraft,
  type World,
  write,
  written,
} from '../support/store-world.ts';
import { wipe } from '../support/wipe.ts';

const HOUR = 3_600_000;
/** Receipts are purged this long after they expire at the latest. */
const SPAN_MS = 600_000;

async function settled(store: Store, draft: Draft | undefined): Promise<readonly Outcome[]> {
  await store.purgeReceipts();
  return store.commit(draft === undefined ? [] : [draft]);
}

type Of = Pick<StoredRecord, 'account'>;

export function describePromises(proves: Proves): void {
  const named = ({ account }: Of, idempotency_key: string, owner = 'key_one') => ({
    ...{ owner, accounts: [account], idempotency_key, fingerprint: bytesOf(1) },
  });
  const receipt = (of: Of, idempotency_key: string, now: number, fingerprint = 1) => ({
    ...named(of, idempotency_key),
    ...{ fingerprint: bytesOf(fingerprint), expires_at: now + HOUR },
  });
  /** A draft with a receipt. */
  const kept = ({ now }: World['clock'], draft: Draft, name: string, fingerprint?: number) => ({
    ...{ ...draft, receipt: receipt(draft, name, now, fingerprint) },
  });

  describe('2. Receipts', () => {
    proves('hold the record as the request left it', async ({ store, home, clock, reopen }) => {
      const outcomes = await store.commit([
        kept(clock, thingDraft(home, 'a', { label: 'A' }), '1'),
        kept(clock, thingDraft(home, 'a', { label: 'B' }), '2', 2),
        kept(clock, thingDraft(home, 'a', { label: 'B' }), '3'),
      ]);
      assert.deepEqual(outcomesOf(outcomes), ['created', 'updated', 'unchanged']);
      await write(store, thingDraft(home, 'a', { label: 'C' }));
      const again = await reopen();
      for (const [index, outcome] of outcomes.map(written).entries()) {
        const kept = keptRecord(await again.receipt(named(home, String(index + 1))));
        assert.equal(kept.version, outcome.record.version);
        assert.equal(kept.outcome, outcome.outcome);
        assert.deepEqual(await answeredBy(again, kept), asAnswered(outcome.record));
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
        names.map((name) => kept(clock, thingDraft(home, name, { label: 'B' }), name)),
      );
      for (const [index, outcome] of outcomes.map(written).entries()) {
        const kept = keptRecord(await other.receipt(named(home, `name ${index}`)));
        assert.equal(kept.outcome, index < 10 || index === 13 ? 'updated' : 'created');
        assert.equal(kept.outcome, outcome.outcome);
        assert.deepEqual(await answeredBy(other, kept), asAnswered(outcome.record));
      }
    });

    proves('belong to their owner', async ({ store, home, clock }) => {
      await store.commit([kept(clock, thingDraft(home, 'a', {}), '1')]);
      assert.equal(await store.receipt(named(home, '1', 'key_two')), undefined);
      assert.equal(await store.receipt(named(home, '2')), undefined);
    });

    proves('are not kept for what was refused or withheld', async ({ store, home, clock }) => {
      const refusals = [
        kept(clock, thingDraft(home, 'a', { price: 1 }), '1'),
        kept(clock, visitDraft(home, 'b', {}), '2'),
      ];
      await store.commit(refusals);
      const sound = kept(clock, thingDraft(home, 'c', {}), '3');
      await store.commit([sound, ...refusals], { atomic: true });
      for (const name of ['1', '2', '3']) {
        assert.equal(await store.receipt(named(home, name)), undefined);
      }
      assert.deepEqual(await became(store, [sound]), ['created']);
    });

    proves('answer whoever comes second, who changes nothing', async (world) => {
      const { store, home, clock } = world;
      const first = kept(clock, thingDraft(home, 'a', { label: 'A' }), '1');
      const second = kept(clock, thingDraft(home, 'a', { label: 'B' }), '1', 2);
      const [one, two] = await store.commit([first, second]);
      assert.equal(one?.outcome, 'created');
      assert.ok(two?.outcome === 'repeated');
      assert.deepEqual(await answeredBy(store, two.receipt), asAnswered(written(one).record));
      assert.equal(two.receipt.fingerprint[0], 1);
      const [three] = await (await world.another()).commit([second]);
      assert.ok(three?.outcome === 'repeated');
      assert.deepEqual(keptRecord(three.receipt), keptRecord(two.receipt));
      const now = await write(store, thingDraft(home, 'a', {}));
      assert.equal(now.document, '{"label":"A"}');
    });

    proves('are gone when they expire, and can be written again', async (world) => {
      const { store, home, clock } = world;
      await store.commit([kept(clock, thingDraft(home, 'a', {}), '1')]);
      clock.now += HOUR - 1;
      while (await store.purgeReceipts());
      assert.ok(await store.receipt(named(home, '1')), 'and not a moment before');
      clock.now += 1;
      assert.equal(await store.receipt(named(home, '1')), undefined);
      const draft = kept(clock, thingDraft(home, 'a', { label: 'A' }), '1', 3);
      assert.deepEqual(await became(store, [draft]), ['updated']);
      assert.equal((await store.receipt(named(home, '1')))?.fingerprint[0], 3);
    });

    proves('are of one account, and found in any that their owner sees', async (world) => {
      const { store, home, clock, account } = world;
      const other = await newAccount(store);
      const accounts = [account, other];
      const ours = receipt(home, '1', clock.now);
      const theirs = { ...ours, fingerprint: bytesOf(2) };
      const drafts = [
        { ...thingDraft(home, 'a', {}), receipt: ours },
        { ...placeDraft(other, 'x', {}), receipt: theirs },
      ];
      for (const draft of drafts) {
        assert.deepEqual(await became(store, [draft]), ['created']);
        assert.deepEqual(await became(store, [draft]), ['repeated']);
      }
      const reading = await world.another();
      for (const { fingerprint } of [ours, theirs]) {
        const found = await reading.receipt({ ...ours, accounts, fingerprint });
        assert.deepEqual(found?.fingerprint, fingerprint);
      }
      assert.equal((await reading.receipt({ ...theirs, accounts: [account] }))?.fingerprint[0], 1);
    });

    proves('hold nothing of a record that was removed since, however it was', async (world) => {
      const { store, home, clock } = world;
      const made = await write(store, thingDraft(home, 'a', {}));
      const drafts = ['v', 'w'].map((name) =>
        kept(clock, visitDraft(made, name, { person: { name } }), name),
      );
      const [, second] = await store.commit(drafts);
      await remove(store, written(second).record);
      const receiptOf = async (name: string) => keptRecord(await store.receipt(named(home, name)));
      assert.notEqual((await receiptOf('v')).record, undefined);
      assert.equal((await receiptOf('w')).record, undefined);
      await remove(store, home);
      for (const name of ['v', 'w']) {
        const { outcome, record } = await receiptOf(name);
        assert.deepEqual([outcome, record], ['created', undefined]);
      }
      const [again] = await store.commit(drafts);
      assert.ok(again?.outcome === 'repeated');
      assert.equal(keptRecord(again.receipt).record, undefined);
    });

    proves('outlive others of the same version', async (world) => {
      const { store, home, clock } = world;
      await write(store, thingDraft(home, 'a', { label: 'A' }));
      const unchanged = (name: string, more: number) => {
        const by = receipt(home, name, clock.now);
        const later = { ...by, expires_at: by.expires_at + more };
        return { ...thingDraft(home, 'a', {}), receipt: later };
      };
      const minute = 60_000;
      await store.commit([unchanged('1', 0)]);
      await store.commit([unchanged('2', 5 * minute)]);
      await store.commit([unchanged('3', SPAN_MS + 5 * minute)]);
      for (const [name, until] of [
        ['2', 4 * minute],
        ['3', SPAN_MS + 4 * minute],
      ] as const) {
        clock.now = 1_800_000_000_000 + HOUR + until;
        while (await store.purgeReceipts());
        const { record } = keptRecord(await store.receipt(named(home, name)));
        assert.equal(record?.document, '{"label":"A"}');
      }
    });

    proves('give their room back when their account is wiped', async (world) => {
      const { url, distribution, home, clock, account } = world;
      const now = () => clock.now;
      const how = { shapes, now, create: false, serve: false, receiptBytes: 1 };
      const store = await openStore({ url, distribution, ...how });
      const keep = async (at: StoredRecord, name: string) => {
        const outcomes = await became(store, [kept(clock, thingDraft(at, name, {}), name)]);
        await store.purgeReceipts();
        return outcomes.join();
      };
      assert.equal(await keep(home, '1'), 'created');
      assert.equal(await keep(home, '2'), 'refused');
      await wipe(store, account);
      await store.purgeReceipts();
      const again = await write(store, placeDraft(account, 'again', {}));
      assert.equal(await keep(again, '3'), 'created');
      await store.close();
    });

    proves('take the same room, however large the record is', async (world) => {
      const { url, distribution, home, clock } = world;
      const now = () => clock.now;
      const how = { shapes, now, create: false, serve: false, receiptBytes: 20_000 };
      const store = await openStore({ url, distribution, ...how });
      for (let count = 0; count < 24; count += 1) {
        const draft = thingDraft(home, 'long', { label: `${count >> 1}`.padEnd(5_000, 'A') });
        const [outcome] = await became(store, [kept(clock, draft, `same ${count}`)]);
        const wanted = count % 2 === 1 ? 'unchanged' : count === 0 ? 'created' : 'updated';
        assert.equal(outcome, wanted, `${count}`);
        await store.purgeReceipts();
      }
      await store.close();
    });

    proves('take no more room than there is, and none is forgotten early', async (world) => {
      const { url, distribution, home, clock } = world;
      const now = () => clock.now;
      const how = { shapes, now, create: false, serve: false, receiptBytes: 20_000 };
      const open = { url, distribution, ...how };
      const store = await openStore(open);
      const drafts = Array.from({ length: 200 }, (_, index) =>
        kept(clock, thingDraft(home, `t${index}`, {}), `t${index}`),
      );
      const commitOne = async (draft: Draft) => (await store.commit([draft]))[0];
      const first: Outcome[] = [];
      for (const draft of drafts) {
        const outcome = await commitOne(draft);
        if (outcome?.outcome === 'refused') break;
        first.push(outcome as Outcome);
        // What is counted is known at the latest now.
        await store.purgeReceipts();
      }
      assert.ok(first.length > 10 && first.length < 60, `${first.length}`);
      const full = await commitOne(drafts[first.length] as Draft);
      assert.equal(refused(full).code, 'idempotency_keys_exhausted');
      assert.equal(refused(full).headers['Retry-After'], '60');
      const by = receipt(home, 'batch', clock.now);
      const batch = await store.commit([thingDraft(home, 'b', {})], { receipt: by });
      assert.equal(refused(batch[0]).code, 'idempotency_keys_exhausted');
      assert.equal((await commitOne(drafts[0] as Draft))?.outcome, 'repeated');
      assert.equal((await commitOne(thingDraft(home, 'plain', {})))?.outcome, 'created');
      const { record } = written(first[0]);
      const removed = await removing(store, record, {
        receipt: receipt(home, 'removal', clock.now),
      });
      assert.equal(refused(removed).code, 'idempotency_keys_exhausted');
      const others = { ...receipt(home, 'theirs', clock.now), owner: 'key_two' };
      assert.equal(
        (await commitOne({ ...thingDraft(home, 'o', {}), receipt: others }))?.outcome,
        'created',
      );

      await store.close();
      const again = await openStore(open);
      while (await again.purgeReceipts());
      const [still] = await again.commit([drafts[first.length] as Draft]);
      // A process learns of the bound when it has kept a receipt itself.
      const [next] =
        still?.outcome === 'created' ? await settled(again, drafts[first.length + 1]) : [still];
      assert.equal(refused(next).code, 'idempotency_keys_exhausted');
      clock.now += HOUR + 2 * SPAN_MS;
      while (await again.purgeReceipts());
      await again.purgeReceipts();
      const later = kept(clock, thingDraft(home, 'later', {}), 'later');
      assert.deepEqual(await became(again, [later]), ['created']);
      await again.close();
    });

    proves('go with the data of an account that is wiped', async (world) => {
      const { store, home, clock, account } = world;
      await store.commit([kept(clock, thingDraft(home, 'a', {}), '1')]);
      await wipe(store, account);
      assert.equal(await store.receipt(named(home, '1')), undefined);
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
      const outcomes = await store.commit(drafts(home), {
        receipt: receipt(home, '1', clock.now, 7),
      });
      assert.deepEqual(outcomesOf(outcomes), ['created', 'refused', 'unchanged']);
      await write(store, thingDraft(home, 'a', { label: 'later' }));
      const again = await world.reopen();
      const kept = await again.receipt(named(home, '1'));
      assert.ok(kept?.outcome === 'batch');
      const { unique_identifier } = written(outcomes[0]).record;
      assert.deepEqual(kept.drafts, [
        { outcome: 'created', unique_identifier },
        { outcome: 'refused', faults: refused(outcomes[1]).faults },
        { outcome: 'unchanged', unique_identifier },
      ]);
      assert.deepEqual([...kept.fingerprint], Array(32).fill(7));
      const repeated = await again.commit(drafts(home), {
        receipt: receipt(home, '1', clock.now, 8),
      });
      assert.deepEqual(repeated, Array(3).fill({ outcome: 'repeated', receipt: kept }));
      assert.equal((await write(again, thingDraft(home, 'a', {}))).version, 2);
    });

    proves('are not kept for an atomic batch of which nothing was done', async (world) => {
      const { store, home, clock } = world;
      const options = { atomic: true, receipt: receipt(home, '1', clock.now) };
      await store.commit(drafts(home), options);
      assert.equal(await store.receipt(named(home, '1')), undefined);
      const outcomes = await store.commit([thingDraft(home, 'a', {})], options);
      assert.deepEqual(outcomesOf(outcomes), ['created']);
      assert.equal((await store.receipt(named(home, '1')))?.outcome, 'batch');
      const repeated = await store.commit(drafts(home), options);
      assert.deepEqual(outcomesOf(repeated), ['repeated', 'repeated', 'repeated']);
    });

    proves('share their keys with those of records, and expire like those', async (world) => {
      const { store, home, clock } = world;
      await store.commit(drafts(home), { receipt: receipt(home, '1', clock.now) });
      const one = kept(clock, thingDraft(home, 'c', {}), '1');
      assert.deepEqual(await became(store, [one]), ['repeated']);
      clock.now += HOUR;
      assert.equal(await store.receipt(named(home, '1')), undefined);
      const later = kept(clock, thingDraft(home, 'c', {}), '1');
      assert.deepEqual(await became(store, [later]), ['created']);
      assert.equal((await store.receipt(named(home, '1')))?.outcome, 'created');
    });

    proves('are of the first account in which they write, and go with it', async (world) => {
      const { store, home, clock, account } = world;
      const other = await newAccount(store);
      const accounts = [account, other];
      const orphan = visitDraft({ ...home, unique_identifier: 'thing_none' }, 'v', {});
      const batch = [
        { ...orphan, account: other },
        thingDraft(home, 'a', {}),
        placeDraft(other, 'x', {}),
      ];
      const by = { ...receipt(home, '1', clock.now), accounts };
      const outcomes = await store.commit(batch, { receipt: by });
      assert.deepEqual(outcomesOf(outcomes), ['refused', 'created', 'created']);
      const [first, ours, theirs] = outcomes.map((one) =>
        one.outcome === 'refused'
          ? { outcome: 'refused', faults: one.error.faults }
          : { outcome: 'created', unique_identifier: written(one).record.unique_identifier },
      );
      const keptFor = async (...seen: string[]) => {
        const kept = await store.receipt({ ...by, accounts: seen });
        return kept?.outcome === 'batch' ? kept.drafts : kept;
      };
      assert.deepEqual(await keptFor(...accounts), [first, ours, theirs]);
      assert.deepEqual(await keptFor(account), [null, ours, null]);
      assert.deepEqual(await keptFor(other), undefined);
      const again = await (await world.another()).commit(batch, { receipt: by });
      assert.deepEqual(outcomesOf(again), ['repeated', 'repeated', 'repeated']);
      await wipe(store, account);
      assert.equal(await keptFor(...accounts), undefined);
    });

    proves('of processes that repeat a batch at once, one carries it out', async (world) => {
      const { store, home, clock } = world;
      const stores = [store, await world.another(), await world.another()];
      for (let round = 0; round < 10; round++) {
        const options = { receipt: receipt(home, `r${round}`, clock.now) };
        const batch = [
          thingDraft(home, `t${round}`, {}),
          thingDraft(home, 'a', { label: `${round}` }),
        ];
        const all = await Promise.all(stores.map((each) => each.commit(batch, options)));
        const done = all.filter(([first]) => first?.outcome === 'created');
        assert.equal(done.length, 1);
        assert.equal(all.filter(([first]) => first?.outcome === 'repeated').length, 2);
      }
    });
  });
}
