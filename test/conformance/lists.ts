/** Finds and lists: what is in them, in which order, and for whom. */
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe } from 'node:test';
import { placeIn } from '../../src/store/pages.ts';
import type {
  Filter,
  ListQuery,
  Page,
  Scope,
  Store,
  StoredRecord,
} from '../../src/store/promises/store.ts';
import { owner, place, thing, visit } from '../support/store-shapes.ts';
import { walk } from '../support/store-walk.ts';
import {
  below,
  idsOf,
  listed,
  namesOf,
  newAccount,
  type Proves,
  placeDraft,
  thingDraft,
  visitDraft,
  type World,
  within,
  write,
} from '../support/store-world.ts';

const byTitle = { key: 'title' };
const byTitleDown = { key: 'title', descending: true };

const names = ({ records }: Page) => namesOf(records);

/** Places by those titles, in an account of their own. */
async function places(store: Store, titles: readonly string[]): Promise<Scope> {
  const account = await newAccount(store, 'Titles', true);
  await store.commit(titles.map((title) => placeDraft(account, title, { title })));
  return within(account);
}

export function describePromises(proves: Proves): void {
  describe('Lists', () => {
    proves('by a key: folded, by code point, ties by unique identifier', async ({ store }) => {
      const titles = [
        ...['zoe', '\u{1f600}', 'Émile b', 'emile a', 'ÉMILE c', '\ufffd'],
        ...['Zoe', 'Ångström', 'apple', 'zoe\u0301', '', 'a b', 'a-b', 'ａb'],
      ];
      const scope = await places(store, titles);
      const page = await store.list({ shape: place, scope, order: byTitle, limit: 100 });
      assert.deepEqual(names(page), [
        ...['', 'a b', 'a-b', 'ａb', 'Ångström', 'apple', 'emile a', 'Émile b'],
        ...['ÉMILE c', 'zoe', 'Zoe', 'zoe\u0301', '\ufffd', '\u{1f600}'],
      ]);
      assert.equal(page.more, false);
    });

    proves('by a key that a record lacks: that one comes first', async ({ store, home }) => {
      const made = await write(store, thingDraft(home, 'a', {}));
      const people = [{ name: 'B' }, null, { name: 'A' }, { phone: '1' }];
      await store.commit(people.map((person, index) => visitDraft(made, `${index}`, { person })));
      const order = { key: 'person' };
      const query: ListQuery = { shape: visit, scope: within(home.account), order, limit: 9 };
      assert.deepEqual(names(await store.list(query)), ['1', '3', '2', '0']);
      await write(store, visitDraft(made, '0', { person: { name: null } }));
      assert.deepEqual(names(await store.list(query)), ['0', '1', '3', '2']);
    });

    proves('by a key, descending: the very reverse, wherever it begins', async (world) => {
      const { store, home } = world;
      const made = await write(store, thingDraft(home, 'a', {}));
      const people = ['b', 'a', '', '\u{10ffff}\u{10ffff}', 'a', '\ufffd', 'A'];
      await store.commit(
        people.map((name, index) => visitDraft(made, `${index}`, { person: { name } })),
      );
      const query = { shape: visit, scope: within(home.account), limit: 9 };
      const person = (is: Filter['is'], value = 'a'): Filter => ({
        ...{ by: { key: 'person' }, is, value },
      });
      const wheres: (readonly Filter[])[] = [
        ...[[], [person('<=', 'b'), person('>=')]],
        ...(['=', '<', '<=', '>', '>='] as const).map((is) => [person(is)]),
      ];
      for (const where of wheres) {
        const up = await store.list({ ...query, where, order: { key: 'person' } });
        const order = { key: 'person', descending: true };
        const down = await store.list({ ...query, where, order });
        assert.deepEqual(down.records, up.records.toReversed(), JSON.stringify(where));
        for (const side of ['after', 'before'] as const) {
          const walked = await walk(store, { ...query, where, order, side, limit: 2 });
          assert.deepEqual(walked, down.records);
        }
      }
      const all = await store.list({ ...query, order: { key: 'person', descending: true } });
      assert.deepEqual(names(all), ['3', '5', '0', '6', '4', '1', '2']);
    });

    proves('the newest first, which is the order of unique identifiers', async (world) => {
      const { store, home, clock } = world;
      for (const name of ['a', 'b', 'c']) {
        clock.now += 5;
        await store.commit([thingDraft(home, name, {}), thingDraft(home, `${name}${name}`, {})]);
      }
      await write(store, thingDraft(home, 'a', { label: 'changed' }));
      const scope = within(home.account);
      const page = await store.list({ shape: thing, scope, order: 'newest', limit: 100 });
      assert.deepEqual(names(page), ['cc', 'c', 'bb', 'b', 'aa', 'a']);
    });

    proves('pages: after a record, or just before it, in the same order', async ({ store }) => {
      const titles = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
      const scope = await places(store, titles);
      for (const order of [byTitle, byTitleDown, 'newest'] as const) {
        const all = await store.list({ shape: place, scope, order, limit: 100 });
        const { records } = all;
        assert.deepEqual(names(all), order === byTitle ? titles : titles.toReversed());
        for (const [at, one] of records.entries()) {
          for (const limit of [1, 2, 3, 6, 7]) {
            const query = { shape: place, scope, order, limit };
            const after = await store.list({ ...query, after: placeIn(query, one) });
            assert.deepEqual(after.records, records.slice(at + 1, at + 1 + limit));
            assert.equal(after.more, at + 1 + limit < records.length);
            const before = await store.list({ ...query, before: placeIn(query, one) });
            assert.deepEqual(before.records, records.slice(Math.max(0, at - limit), at));
            assert.equal(before.more, at > limit);
          }
        }
      }
    });

    proves('more says exactly whether there are more', async ({ store }) => {
      const scope = await places(store, ['a', 'b', 'c']);
      for (const limit of [1, 2, 3, 4]) {
        const page = await store.list({ shape: place, scope, order: byTitle, limit });
        assert.equal(page.records.length, Math.min(limit, 3));
        assert.equal(page.more, limit < 3);
      }
    });
  });

  describe('Lists of large records', () => {
    /** Documents of 800 to 950 bytes, most of them in two-byte characters, by titles that are their order. */
    async function heavy({ store }: World): Promise<Scope> {
      const account = await newAccount(store, 'Heavy');
      const drafts = Array.from({ length: 10 }, (_, index) => {
        const notes = { text: 'é'.repeat(400 + index * 5) };
        return placeDraft(account, `h${index}`, { title: `${index}`, notes });
      });
      await store.commit(drafts);
      return within(account);
    }
    const bytesOf = ({ document }: StoredRecord) => Buffer.byteLength(document);

    proves('a page ends before its documents exceed a number of bytes', async (world) => {
      const scope = await heavy(world);
      for (const order of [byTitle, byTitleDown, 'newest'] as const) {
        for (const where of [[], [{ by: 'updated_at', is: '>=', value: 0 }]] as const) {
          const query: ListQuery = { shape: place, scope, order, where, limit: 9 };
          const all = (await world.store.list({ ...query, limit: 100 })).records;
          assert.equal(all.length, 10);
          for (const [at, one] of all.entries()) {
            for (const side of ['after', 'before'] as const) {
              const ahead = side === 'after' ? all.slice(at + 1) : all.slice(0, at).reverse();
              for (const count of [1, 3, 4]) {
                const held = ahead.slice(0, count).reduce((sum, one) => sum + bytesOf(one), 0);
                for (const bytes of [held, held + 1, held + 700]) {
                  const from = { [side]: placeIn(query, one) };
                  const page = await world.store.list({ ...query, ...from, bytes });
                  const records = ahead.slice(0, count);
                  assert.deepEqual(page.records, side === 'after' ? records : records.reverse());
                  assert.equal(page.more, ahead.length > count);
                }
              }
            }
          }
        }
      }
    });

    proves('a page holds one record, however large', async (world) => {
      const scope = await heavy(world);
      for (const bytes of [0, 1, 500]) {
        const query: ListQuery = { shape: place, scope, order: byTitle, limit: 9, bytes };
        const page = await world.store.list(query);
        assert.deepEqual(names(page), ['h0']);
        assert.equal(page.more, true);
      }
    });

    proves('a walk of pages that end early has every record once', async (world) => {
      const scope = await heavy(world);
      for (const order of [byTitle, byTitleDown, 'newest'] as const) {
        for (const side of ['after', 'before'] as const) {
          const query = { shape: place, scope, order, side, limit: 9, bytes: 2_500 };
          const all = await world.store.list({ shape: place, scope, order, limit: 100 });
          assert.deepEqual(await walk(world.store, query), all.records);
        }
      }
    });

    proves('bytes bound no list that has fewer', async (world) => {
      const scope = await heavy(world);
      const query = { shape: place, scope, order: byTitle, limit: 4, bytes: 100_000 };
      const page = await world.store.list(query);
      assert.deepEqual(names(page), ['h0', 'h1', 'h2', 'h3']);
      assert.equal(page.more, true);
    });
  });

  describe('Scope', () => {
    proves('holds no record of another account', async ({ store, home, account }) => {
      const theirs = await places(store, ['x', 'y']);
      assert.deepEqual(await listed(store, place, within(account), { order: byTitle }), [home]);
      assert.equal(await store.find(place, home.unique_identifier, theirs), undefined);
      const longer = `${home.unique_identifier}\0`;
      assert.equal(await store.find(place, longer, within(account)), undefined);
      assert.deepEqual(await store.find(place, home.unique_identifier, within(account)), home);
      assert.equal(await store.find(thing, home.unique_identifier, within(account)), undefined);
      assert.equal(await store.find(place, home.unique_identifier, within()), undefined);
    });

    proves('of several accounts is one list, in one order', async ({ store, account, clock }) => {
      const scopes: Scope[] = [];
      for (let i = 0; i < 3; i++) {
        clock.now += 1;
        scopes.push(await places(store, [`a${i}`, `b${i}`, `c${i}`, `d${i}`]));
      }
      const accounts = new Set(scopes.flatMap((scope) => [...scope.accounts]));
      const query = { shape: place, scope: { accounts, anchors: undefined }, limit: 5 };
      const page = await store.list({ ...query, order: byTitle });
      assert.deepEqual(names(page), ['a0', 'a1', 'a2', 'b0', 'b1']);
      assert.equal(page.more, true);
      const newest = await store.list({ ...query, order: 'newest' });
      assert.deepEqual(names(newest), ['d2', 'c2', 'b2', 'a2', 'd1']);
      const down = await store.list({ ...query, order: byTitleDown });
      assert.deepEqual(names(down), ['d2', 'd1', 'd0', 'c2', 'c1']);
      assert.ok(!accounts.has(account));
      assert.equal(await store.count({ ...query, limit: 100 }), 12);
      assert.equal(await store.count(query), 6);
    });

    proves('of anchors holds what is under them, at every depth', async (world) => {
      const { store, home, account } = world;
      const away = await write(store, placeDraft(account, 'away', { title: 'Away' }));
      const made: StoredRecord[] = [];
      for (const at of [home, away]) {
        const one = await write(store, thingDraft(at, 'a', {}));
        made.push(one, await write(store, visitDraft(one, 'v', {})));
      }
      const [, , thingAway, visitAway] = made;
      const scope = below(account, away.unique_identifier);
      assert.deepEqual(await listed(store, place, scope), [away]);
      assert.deepEqual(await listed(store, place, scope, { order: byTitle }), [away]);
      assert.deepEqual(await listed(store, thing, scope), [thingAway]);
      assert.deepEqual(await listed(store, visit, scope), [visitAway]);
      for (const [index, record] of made.entries()) {
        const shape = index % 2 === 0 ? thing : visit;
        const found = await store.find(shape, record.unique_identifier, scope);
        assert.deepEqual(found, index < 2 ? undefined : record);
      }
      const both = below(account, away.unique_identifier, home.unique_identifier);
      assert.equal((await listed(store, visit, both)).length, 2);
      assert.deepEqual(await listed(store, thing, below(account)), []);
    });

    proves('of anchors leaves the accounts themselves', async ({ store, home, account }) => {
      const scope = below(account, home.unique_identifier);
      const accounts = await listed(store, owner, scope, { order: { key: 'name' } });
      assert.deepEqual(idsOf(accounts), [account]);
      assert.equal((await store.find(owner, account, scope))?.document, '{"name":"Us"}');
    });

    proves('of a closed account has no account in it', async ({ store, account }) => {
      const query = { shape: owner, scope: within(account), order: { key: 'name' }, limit: 9 };
      assert.equal((await store.list(query)).records.length, 1);
      await store.accounts.close(account);
      assert.deepEqual(await store.list(query), { records: [], more: false });
      assert.equal(await store.find(owner, account, query.scope), undefined);
    });
  });
}
