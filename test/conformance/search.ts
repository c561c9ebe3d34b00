/** Search: what was written is found a little later, within the scope of whoever asks, and what is gone is not. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import {
  nearMatchesOf,
  nearStartsOf,
  rangesOf,
  readSearchText,
  type TermRanges,
} from '../../src/core/schema/search/searching.ts';
import type { RecordShape } from '../../src/core/schema/shape.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';
import { MAX_LOOKED_AT, MAX_NEAR } from '../../src/store/promises/search.ts';
import type { Scope, Store, StoredRecord } from '../../src/store/promises/store.ts';
import { owner, place, thing, visit } from '../support/store-shapes.ts';
import {
  below,
  idsOf,
  listed,
  newAccount,
  type Proves,
  placeDraft,
  remove,
  thingDraft,
  visitDraft,
  within,
  write,
  written,
} from '../support/store-world.ts';
import { wipe } from '../support/wipe.ts';

export function describePromises(proves: Proves): void {
  describe('Search', () => {
    proves('finds records by starts of words, in any order, and last digits', async (world) => {
      const { store, account, home } = world;
      const at = await write(store, thingDraft(home, 'chapel', { label: 'Chapel' }));
      const visited = (name: string, phone: string) =>
        write(store, visitDraft(at, name, { person: { name, phone } }));
      const jane = await visited('Jane Alma Doe', '+14155550123');
      const jose = await visited('José O’Brien-Ünal', '+442079460958');
      const jan = await visited('Jan Smith', '+14155559123');
      await feed(store);
      const finds = async (records: readonly StoredRecord[], ...texts: readonly string[]) => {
        for (const text of texts)
          assert.deepEqual(await found(store, visit, text, within(account)), ids(records), text);
      };
      await finds([jane], 'doe', 'do ja', 'jane alma doe', 'doe alma');
      await finds([jane], '0123', '(415) 555-0123', '+1 415 555 0123');
      await finds([jane, jan], 'JA', 'jan');
      await finds([jose], 'jose', 'obrien', 'o’brien unal', '020 7946 0958');
      await finds([jan], 'smith', '9123');
      await finds([], 'jane smith', 'lma', '123');
      assert.deepEqual(await found(store, thing, 'chapel', within(account)), []);
      assert.deepEqual(await found(store, place, 'home', within(account)), ids([home]));
      assert.deepEqual(await found(store, owner, 'us', within(account)), [account]);
    });

    proves(
      'finds all of the last commit, however large it is',
      async ({ store, account, home }) => {
        const at = await write(store, thingDraft(home, 'chapel', { label: 'Chapel' }));
        for (const count of [1, 3]) {
          const crowd = Array.from({ length: count * 230 }, (_, index) =>
            visitDraft(at, `${count} ${index}`, { person: { name: `Adam ${index}` } }),
          );
          const records = (await store.commit(crowd)).map(
            (one) => written(one).record.unique_identifier,
          );
          await feed(store);
          assert.equal(await store.search.has(account, records), records.length);
        }
      },
    );

    proves('finds what is spelt nearly so, and parts of names', async (world) => {
      const { store, account, home } = world;
      const at = await write(store, thingDraft(home, 'chapel', { label: 'Chapel' }));
      const visited = (name: string) => write(store, visitDraft(at, name, { person: { name } }));
      const anna = await visited('Anna Kowalski');
      const agnes = await visited('Agnes Thornbury');
      const jon = await visited('Jon Smyth');
      const pat = await visited('Patricia O’Brien');
      const crowd = Array.from({ length: MAX_NEAR + 1 }, (_, index) =>
        visitDraft(at, `crowd ${index}`, { person: { name: `Adam Smith ${index}` } }),
      );
      await store.commit(crowd);
      await feed(store);
      const finds = async (
        record: StoredRecord | undefined,
        texts: readonly string[],
        scope = within(account),
      ) => {
        for (const text of texts)
          assert.deepEqual(await nearly(store, text, scope), record ? ids([record]) : [], text);
      };
      await finds(anna, ['kowalsky', 'kawalski', 'owalski', 'kkowalski', 'kowlaski']);
      await finds(undefined, ['ana kowalsky', 'kovalsky', 'anne']);
      await finds(agnes, ['thornberry', 'agnis thornberry']);
      await finds(jon, ['jon smith']);
      for (const scope of [below(account), within()]) await finds(undefined, ['kowalsky'], scope);
      assert.deepEqual(await found(store, visit, 'brien', within(account)), ids([pat]));
      assert.deepEqual(await found(store, visit, 'patricia brien', within(account)), ids([pat]));
      await remove(store, anna);
      await settled(store, account, async () => finds(undefined, ['kowalsky']));
    });

    proves('finds nothing outside the accounts and anchors of a scope', async (world) => {
      const { store, account, home } = world;
      const other = await write(store, placeDraft(account, 'other', { title: 'Other home' }));
      const foreign = await newAccount(store, 'Them');
      const theirs = await write(store, placeDraft(foreign, 'home', { title: 'Home' }));
      await feed(store);
      const finds = async (scope: Scope, records: readonly StoredRecord[]) =>
        assert.deepEqual(await found(store, place, 'home', scope), ids(records));
      await finds(within(account), [home, other]);
      await finds(within(account, foreign), [home, other, theirs]);
      await finds(below(account, other.unique_identifier), [other]);
      await finds(below(account, theirs.unique_identifier), []);
      await finds(below(account), []);
      await finds(within(), []);
    });

    proves('follows what becomes of records, down to what is below', async (world) => {
      const { store, account, home } = world;
      const at = await write(store, thingDraft(home, 'chapel', { label: 'Chapel' }));
      const draft = (name: string) => visitDraft(at, 'one', { person: { name, phone: '5550123' } });
      const one = await write(store, draft('Jane Doe'));
      await feed(store);
      await write(store, draft('Joan Roe'));
      await feed(store);
      const finds = async (shape: RecordShape, text: string, records: readonly StoredRecord[]) =>
        assert.deepEqual(await found(store, shape, text, within(account)), ids(records), text);
      await finds(visit, 'jane', []);
      await finds(visit, 'doe', []);
      await finds(visit, 'joan roe', [one]);
      await finds(visit, '0123', [one]);
      await remove(store, at);
      await settled(store, account, async () => finds(visit, 'joan', []));
      await finds(visit, '0123', []);
      await store.accounts.rename(account, 'We');
      await feed(store);
      await finds(owner, 'us', []);
      assert.deepEqual(await found(store, owner, 'we', within(account)), [account]);
      await wipe(store, account);
      const anew = await write(store, placeDraft(account, 'new', { title: 'New home' }));
      await feed(store);
      await finds(place, 'home', [anew]);
    });

    proves('takes up all that was there before it', async ({ store, account, home, reopen }) => {
      const at = await write(store, thingDraft(home, 'chapel', { label: 'Chapel' }));
      const names = Array.from({ length: 450 }, (_, index) => `Visitor N${index}`);
      const outcomes = await store.commit(
        names.map((name) => visitDraft(at, name, { person: { name } })),
      );
      assert.equal(outcomes.length, names.length);
      const before = await store.search.lag([account]);
      assert.equal(before.building, 1);
      await feed(store);
      assert.equal((await found(store, visit, 'visitor', within(account))).length, names.length);
      assert.equal((await found(store, visit, 'n449 visitor', within(account))).length, 1);
      const again = await reopen();
      assert.equal((await found(again, visit, 'visitor', within(account))).length, names.length);
      assert.deepEqual(await again.search.lag([account]), { building: 0, since: undefined });
    });

    proves('says where it did not look through all, and finds by other words', async (world) => {
      const { store, account, home } = world;
      const at = await write(store, thingDraft(home, 'chapel', { label: 'Chapel' }));
      const words = [...'abcdefghijkl'].map((letter) => `Smit${letter}`);
      const crowd = { person: { name: words.join(' ') } };
      const many = Array.from({ length: MAX_LOOKED_AT / words.length + 1 }, (_, index) =>
        visitDraft(at, `crowd ${index}`, crowd),
      );
      await store.commit(many);
      const name = 'Jo Smittenberg';
      const jo = await write(store, visitDraft(at, 'jo', { person: { name } }));
      await feed(store);
      const [smit] = rangesOf(visit, readSearchText('smit'));
      const [both] = rangesOf(visit, readSearchText('jo smit'));
      assert.ok(smit !== undefined && both !== undefined);
      const finds = async (ranges: TermRanges, wanted: object) => {
        const query = { scope: within(account), ranges: [ranges] };
        assert.deepEqual(await store.search.find(query), wanted);
      };
      const holding = [' jo'];
      const among = smit.whole.map((range) => ({ ...range, holding }));
      await finds({ whole: among, likely: [] }, { records: [], all: false });
      await finds({ ...both, whole: among }, { records: ids([jo]), all: false });
      await finds(both, { records: ids([jo]), all: true });
    });

    proves(
      'says how many records are found by the first words of a long text only',
      async (world) => {
        const { store, account, home } = world;
        const at = await write(store, thingDraft(home, 'chapel', { label: 'Chapel' }));
        await feed(store);
        const before = await store.search.cut();
        const visited = (external: string, words: number) =>
          write(
            store,
            visitDraft(at, external, {
              person: { name: Array.from({ length: words }, (_, index) => `n${index}`).join(' ') },
            }),
          );
        await visited('short', 12);
        await visited('long', 13);
        const other = await newAccount(store, 'Them');
        await write(store, placeDraft(other, 'far', { title: 'of so many words '.repeat(9) }));
        await write(store, placeDraft(other, 'long', { title: [...'abcdefghijklmno'].join(' ') }));
        await feed(store);
        assert.equal(await store.search.cut(), before + 2);
        assert.equal((await found(store, visit, 'n0 n11', within(account))).length, 2);
        await visited('long', 3);
        await feed(store);
        assert.equal(await store.search.cut(), before + 1);
      },
    );

    proves('says since when it is behind, and that it has followed', async (world) => {
      const { store, account, home, clock } = world;
      await feed(store);
      assert.deepEqual(await store.search.lag(), { building: 0, since: undefined });
      clock.now += 1_000;
      await write(store, thingDraft(home, 'one', { label: 'One' }));
      clock.now += 1_000;
      await write(store, thingDraft(home, 'two', { label: 'Two' }));
      const behind = { building: 0, since: clock.now - 1_000 };
      assert.deepEqual(await store.search.lag([account]), behind);
      assert.deepEqual(await store.search.lag(), behind);
      await feed(store);
      assert.deepEqual(await store.search.lag([account]), { building: 0, since: undefined });
    });

    proves('is right however many feed it while records are written and removed', async (world) => {
      const { store, account, home, another } = world;
      const at = await write(store, thingDraft(home, 'chapel', { label: 'Chapel' }));
      const other = await another();
      let writing = true;
      const feeding = [store, other, store].map(async (one) => {
        while (writing) await one.search.feed();
      });
      for (let index = 0; index < 60; index++) {
        const name = `Visitor ${index % 20}`;
        const draft = (age: string) =>
          visitDraft(at, name, { person: { name: `${age} ${index}` } });
        const record = await write(store, draft('Old'));
        await write(store, draft('New'));
        if (index % 3 === 0) await remove(store, record);
      }
      writing = false;
      await Promise.all(feeding);
      await feed(store);
      assert.deepEqual(await found(store, visit, 'old', within(account)), []);
      const there = await listed(store, visit, within(account));
      assert.deepEqual(await found(store, visit, 'new', within(account)), ids(there));
    });
  });
}

/** Until there is nothing more to do. */
async function feed(store: Store): Promise<void> {
  while (await store.search.feed());
}

/** Where what is below a removed record is swept a little later. */
async function settled(store: Store, account: string, is: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + 60_000; ; ) {
    await feed(store);
    try {
      return await is();
    } catch (error) {
      if (Date.now() > until) throw error;
    }
    await store.log.last(account);
  }
}

async function found(store: Store, shape: RecordShape, text: string, scope: Scope) {
  const ranges = rangesOf(shape, readSearchText(text));
  const { records, all } = await store.search.find({ scope, ranges });
  assert.equal(all, true);
  return records;
}

/** What is spelt nearly so, of what the index may have. */
async function nearly(store: Store, text: string, scope: Scope): Promise<readonly string[]> {
  const asked = readSearchText(text);
  const query = { scope, near: nearStartsOf(visit, asked) };
  const records = await store.findAll(visit, await store.search.findNear(query), scope);
  return ids(
    records.filter(
      ({ document }) => nearMatchesOf(visit, JSON.parse(document) as JsonObject, asked).length > 0,
    ),
  );
}

function ids(records: readonly StoredRecord[]): readonly string[] {
  return idsOf(records).sort().reverse();
}
