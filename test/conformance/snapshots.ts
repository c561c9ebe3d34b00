/** A snapshot shows everything as it stood at one moment. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { apiKey } from '../../src/core/objects/api-key.ts';
import type { Batches } from '../../src/store/promises/snapshot.ts';
import { place, thing, visit } from '../support/store-shapes.ts';
import {
  below,
  bytesOf,
  idsOf,
  newAccount,
  newKey,
  type Proves,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';

async function all<Row>(batches: Batches<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

export function describePromises(proves: Proves): void {
  describe('snapshots', () => {
    proves('show what stood when they were taken, whatever is written since', async (world) => {
      const { store, account, home } = world;
      const first = await write(store, thingDraft(home, 'first', { label: 'One' }));
      const snapshot = await store.snapshot();
      const reading = snapshot.records(thing)[Symbol.asyncIterator]();
      await write(store, thingDraft(home, 'first', { label: 'Changed' }));
      await write(store, thingDraft(home, 'second', { label: 'Two' }));
      await store.accounts.rename(account, 'Them');
      assert.deepEqual((await reading.next()).value, [first]);
      const [us] = await all(snapshot.accounts());
      assert.equal(us?.document, '{"name":"Us"}');
      assert.equal((await all(snapshot.changes())).length, 3);
      assert.deepEqual(await all(snapshot.records(place)), [home]);
      await snapshot.close();
      await snapshot.close();
      const later = await store.snapshot();
      assert.equal((await all(later.records(thing))).length, 2);
      await later.close();
    });

    proves('read any number of records, by unique identifier', async ({ store, home }) => {
      const other = await newAccount(store, 'Others');
      const there = await write(store, placeDraft(other, 'there', { title: 'There' }));
      const drafts = Array.from({ length: 1_203 }, (_, at) =>
        thingDraft(at % 7 === 3 ? there : home, `t${at}`, { label: `Thing ${at}` }),
      );
      for (let at = 0; at < drafts.length; at += 200)
        await store.commit(drafts.slice(at, at + 200));
      const snapshot = await store.snapshot();
      const batches: number[] = [];
      const records: string[] = [];
      for await (const batch of snapshot.records(thing)) {
        batches.push(batch.length);
        records.push(...idsOf(batch));
      }
      await snapshot.close();
      assert.equal(records.length, 1_203);
      assert.deepEqual(records, records.toSorted());
      assert.ok(Math.max(...batches) <= 500);
    });

    proves('read the records of many accounts by unique identifier', async ({ store }) => {
      const made: string[] = [];
      for (let at = 0; at < 120; at += 1) {
        const account = await newAccount(store, `Account ${at}`);
        made.push(
          (await write(store, placeDraft(account, 'one', { title: 'One' }))).unique_identifier,
        );
      }
      const snapshot = await store.snapshot();
      const shown = idsOf(await all(snapshot.records(place)));
      await snapshot.close();
      assert.deepEqual(shown, shown.toSorted());
      assert.deepEqual(new Set(made).difference(new Set(shown)), new Set());
    });

    proves('are limited to a scope', async ({ store, account, home }) => {
      const other = await write(store, placeDraft(account, 'other', { title: 'Other' }));
      const elsewhere = await newAccount(store, 'Others');
      const theirs = await write(store, placeDraft(elsewhere, 'theirs', { title: 'Theirs' }));
      const [here, there, far] = [
        await write(store, thingDraft(home, 'a', {})),
        await write(store, thingDraft(other, 'a', {})),
        await write(store, thingDraft(theirs, 'a', {})),
      ];
      const snapshot = await store.snapshot();
      const read = async (...scope: Parameters<typeof within>) =>
        idsOf(await all(snapshot.records(thing, within(...scope))));
      assert.deepEqual(await read(account), idsOf([here, there]));
      assert.deepEqual(await read(elsewhere), idsOf([far]));
      const one = below(account, other.unique_identifier);
      assert.deepEqual(idsOf(await all(snapshot.records(thing, one))), idsOf([there]));
      const asked = [...idsOf([here, there, far]), here.unique_identifier, 'nothing'];
      const found = async (...scope: Parameters<typeof within>) =>
        new Set(idsOf(await snapshot.findAll(thing, asked, within(...scope))));
      assert.deepEqual(await found(account), new Set(idsOf([here, there])));
      assert.deepEqual(idsOf(await snapshot.findAll(thing, asked, one)), idsOf([there]));
      assert.deepEqual(await snapshot.findAll(place, idsOf([home]), one), []);
      await snapshot.close();
    });

    proves('tell of removed records, receipts and keys', async (world) => {
      const { store, account, home, clock } = world;
      const one = await write(store, thingDraft(home, 'one', { label: 'One' }));
      const guest = await write(store, visitDraft(one, 'guest', {}));
      const fingerprint = bytesOf(7);
      const receipt = {
        ...{ owner: 'key_1', accounts: [account], idempotency_key: 'again', fingerprint },
        expires_at: clock.now + 60_000,
      };
      const kept = await write(store, { ...thingDraft(home, 'two', { label: 'Two' }), receipt });
      await remove(store, one);
      const limits = { from: ['10.0.0.0/8'], requests_a_second: 2.5 };
      const key = await store.keys.create(
        newKey({ accounts: [account], hash: fingerprint, ...limits }),
      );
      const snapshot = await store.snapshot();
      const [goneThing] = await all(snapshot.gone(thing));
      assert.equal(goneThing?.parent, home.unique_identifier);
      assert.equal(goneThing?.unique_identifier, one.unique_identifier);
      // Its parent was removed, too, and can come back.
      const [goneVisit] = await all(snapshot.gone(visit));
      assert.equal(goneVisit?.unique_identifier, guest.unique_identifier);
      assert.equal(goneVisit?.parent, one.unique_identifier);
      const deleted = (await all(snapshot.changes())).filter((one) => one.outcome === 'deleted');
      assert.equal(deleted.length, 2);
      const [shown] = await all(snapshot.receipts());
      assert.equal(shown?.fingerprint, '07'.repeat(32));
      assert.equal(shown?.record, kept.unique_identifier);
      assert.equal(shown?.resource, 'thing');
      assert.equal(shown?.version, kept.version);
      const [row] = await all(snapshot.rows(apiKey));
      assert.equal(row?.unique_identifier, key.unique_identifier);
      assert.deepEqual(row?.from, ['10.0.0.0/8']);
      assert.equal(row?.hash, '07'.repeat(32));
      assert.equal(row?.requests_a_second, 2.5);
      assert.equal(row?.livemode, false);
      assert.equal(row?.resources, null);
      await snapshot.close();
    });
  });
}
