/** Syncs: one is open for each source, resource and place; what they saw is whole; and removals for them spare what others made. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { StoredSync } from '../../src/core/objects/transfer/sync.ts';
import type { SeenFingerprint } from '../../src/store/promises/account-book.ts';
import type { Removal, Store, StoredRecord } from '../../src/store/promises/store.ts';
import { pluck } from '../support/pluck.ts';
import { thing, visit } from '../support/store-shapes.ts';
import {
  goneOf,
  listed,
  newAccount,
  type Proves,
  thingDraft,
  visitDraft,
  within,
  write,
} from '../support/store-world.ts';
import { wipe } from '../support/wipe.ts';

const DAY = 86_400_000;
let named = 0;

function syncOf(account: string, now: number, more: Partial<StoredSync> = {}): StoredSync {
  named += 1;
  return {
    ...{ unique_identifier: `syn_${String(named).padStart(22, '0')}`, account, location: null },
    ...{
      resource: 'thing',
      source: 1,
      at_most: 12.5,
      as_of: null,
      stored_status: 'open',
      seen: 0,
      repeated: 0,
    },
    ...{ removed: {}, records: [], left: [], left_count: 0, beyond: null, restored: null },
    began: null,
    ...{ step: 0, progress: null, key: 'key_1', inserted_at: now, expires_at: now + DAY },
    ...{ finished_at: null, finished_by: null, undone_by: null },
    ...more,
  };
}

const markNamed = (at: number): SeenFingerprint => [`mark ${at}`, at];

async function countSeen(store: Store, sync: StoredSync, marks: readonly SeenFingerprint[]) {
  const found = await store.syncs.seen(sync, pluck(marks, 0));
  for (const [mark, content] of marks) assert.equal(found.get(mark) ?? content, content);
  return found.size;
}

export function describePromises(proves: Proves): void {
  describe('Syncs', () => {
    proves('are open once for each source and place', async (world) => {
      const { store, account, clock, another } = world;
      const other = await another();
      const all = Array.from({ length: 6 }, () => syncOf(account, clock.now));
      await Promise.all(all.map((one, at) => [store, other][at % 2]?.syncs.begin(one, [1])));
      const elsewhere = syncOf(account, clock.now, { location: 'loc_1', at_most: 100 });
      const others = syncOf(account, clock.now, { source: 2 });
      await store.syncs.begin(elsewhere, [1]);
      await store.syncs.begin(others, [2]);
      const query = {
        ...{ accounts: [account], locations: undefined, resources: ['thing'], limit: 10 },
        before: undefined,
      };
      const begun = await other.syncs.list(query);
      const open = begun.filter(({ stored_status }) => stored_status === 'open');
      const places = open.map(({ source, location }) => `${source} ${location}`).sort();
      assert.deepEqual(places, ['1 loc_1', '1 null', '2 null']);
      assert.deepEqual(await other.syncs.find(elsewhere.unique_identifier, [account]), elsewhere);
      assert.equal(await store.syncs.find(elsewhere.unique_identifier, ['acct_other']), undefined);
      const [first, second] = begun;
      const before = first?.unique_identifier;
      const after = await store.syncs.list({ ...query, before, limit: 1 });
      assert.deepEqual(after, [second]);
      const there = await store.syncs.list({ ...query, locations: ['loc_1', 'loc_2'] });
      assert.deepEqual(there, [elsewhere]);
      assert.deepEqual(await store.syncs.list({ ...query, locations: [] }), []);
      assert.deepEqual(await store.syncs.list({ ...query, resources: ['other'] }), []);
      const merged = syncOf(account, clock.now);
      await store.syncs.begin(merged, [1, 2]);
      const left = await store.syncs.find(others.unique_identifier, [account]);
      assert.equal(left?.stored_status, 'replaced');
    });

    proves('are listed at some places as in all', async ({ store, account, clock }) => {
      const next = await newAccount(store);
      const all: StoredSync[] = [];
      for (let at = 0; at < 12; at += 1) {
        const location = `loc_${at % 4}`;
        const of = at % 3 === 0 ? next : account;
        const one = syncOf(of, clock.now, { location, source: at });
        await store.syncs.begin(one, [at]);
        all.unshift(one);
      }
      const accounts = [account, next];
      const locations = ['loc_1', 'loc_2', 'loc_none'];
      const resources = ['thing'];
      const there = all.filter(({ location }) => locations.includes(location ?? ''));
      const walked: StoredSync[] = [];
      for (let before: string | undefined; ; before = walked.at(-1)?.unique_identifier) {
        const page = await store.syncs.list({ accounts, locations, resources, limit: 2, before });
        walked.push(...page);
        if (page.length < 2) break;
      }
      assert.deepEqual(walked, there);
      const query = { accounts: [next], locations, resources, limit: 10, before: undefined };
      const own = there.filter((one) => one.account === next);
      assert.deepEqual(await store.syncs.list(query), own);
    });

    proves('are the first of their source until one is finished, for ever', async (world) => {
      const { store, account, clock, another } = world;
      const other = await another();
      const places = [null, 'loc_1', 'loc_2'];
      const resources = ['thing', 'visit'];
      /** Numbers 1 and 3 are one source. */
      const sources = [[1, 3], [2]];
      const all: { -readonly [Name in keyof StoredSync]: StoredSync[Name] }[] = [];
      const pick = <One>(some: readonly One[], at: number): One => some[at % some.length] as One;
      const isFirst = (location: string, resource: string, numbers: readonly number[]) =>
        [null, location].some((place) => {
          const own = all.filter(
            (one) =>
              one.location === place && one.resource === resource && numbers.includes(one.source),
          );
          const isOver = own.some(({ finished_at: at }) => at !== null && at < clock.now);
          return !isOver && own.some((one) => (one.finished_at ?? one.expires_at) >= clock.now);
        });
      for (let turn = 0, seed = 7; turn < 160; turn += 1) {
        seed = (seed * 48_271) % 2_147_483_647;
        const numbers = pick(sources, seed >> 3);
        const { location, resource, source } = {
          ...{ location: pick(places, seed >> 5), resource: pick(resources, seed >> 7) },
          source: pick(numbers, seed >> 9),
        };
        const sync = syncOf(account, clock.now, { location, resource, source });
        await store.syncs.begin(sync, numbers);
        all.push(sync);
        clock.now += 1_000;
        if (seed % 3 === 0) {
          const isStopped = { stored_status: seed % 2 ? 'finished' : 'stopped' } as const;
          const ended = { ...isStopped, finished_at: clock.now };
          assert.ok(await other.syncs.put({ ...sync, ...ended }));
          Object.assign(sync, ended);
        }
        clock.now += pick([1_000, 40_000_000, DAY, 91 * DAY], seed >> 11);
        if (seed % 5 === 0) while (await store.syncs.purge());
        for (const at of places.slice(1))
          for (const one of resources)
            for (const its of sources) {
              const sent = { account, location: String(at), resource: one, sources: its };
              const found = await other.syncs.isFirst({ ...sent, at: clock.now });
              assert.equal(found, isFirst(String(at), one, its), `${turn} ${at} ${one} ${its}`);
            }
      }
    });

    proves('hold all that they saw, until they take no more', async (world) => {
      const { store, account, clock, another, reopen } = world;
      const other = await another();
      const sync = syncOf(account, clock.now);
      await store.syncs.begin(sync, [1]);
      const marks = Array.from({ length: 3_000 }, (_, at) => markNamed(at));
      const stored = await Promise.all(
        Array.from({ length: 30 }, (_, at) =>
          [store, other][at % 2]?.syncs.see(sync, marks.slice(at * 100, at * 100 + 100)),
        ),
      );
      assert.ok(stored.every((one) => one?.size === 100));
      const again = await reopen();
      assert.equal(await countSeen(again, sync, marks), 3_000);
      const found = await again.syncs.find(sync.unique_identifier, [account]);
      assert.equal(found?.seen, 3_000);
      const progress = { after: null, going: [] };
      const next: StoredSync = { ...found, stored_status: 'finishing', progress };
      const put = await again.syncs.put(next);
      assert.deepEqual(put, { ...next, step: 1 });
      assert.equal(await again.syncs.put(next), undefined, 'it was changed since');
      assert.deepEqual(await again.syncs.going(), [put]);
      assert.equal(await again.syncs.see(sync, [markNamed(1)]), undefined);
      assert.equal(await countSeen(again, sync, marks), 3_000);
      clock.now += 100 * DAY;
      while (await again.syncs.purge());
      assert.equal(await countSeen(again, sync, marks), 3_000, 'it is not finished');
      assert.equal(await again.syncs.isComparable(sync), true);
      const finished = { ...put, stored_status: 'finished', finished_at: clock.now };
      await again.syncs.put(finished as StoredSync);
      while (await again.syncs.purge());
      assert.equal(await countSeen(again, sync, marks), 0);
      assert.equal(await again.syncs.find(sync.unique_identifier, [account]), undefined);
    });

    proves('go when their account is wiped', async ({ store, account, clock }) => {
      const sync = syncOf(account, clock.now);
      await store.syncs.begin(sync, [1]);
      const marks = [markNamed(1), markNamed(2)];
      await store.syncs.see(sync, marks);
      await wipe(store, account);
      assert.equal(await store.syncs.find(sync.unique_identifier, [account]), undefined);
      assert.equal(await countSeen(store, sync, marks), 0);
    });

    proves('hold rows of a record to the first one that says something', async (world) => {
      const { store, account, clock, another } = world;
      const other = await another();
      const sync = syncOf(account, clock.now);
      await store.syncs.begin(sync, [1]);
      const see = async (by: Store, ...marks: SeenFingerprint[]) =>
        Object.fromEntries((await by.syncs.see(sync, marks)) ?? []);
      assert.deepEqual(await see(store, ['a', 1], ['b', null], ['a', 2]), { a: 1, b: null });
      assert.deepEqual(await see(other, ['a', 2], ['b', null]), { a: 1, b: null });
      assert.deepEqual(await see(other, ['b', 3], ['c', null], ['c', 4]), { b: 3, c: 4 });
      const raced = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          see([store, other][at % 2] as Store, ['d', at], [`e ${at}`, at], ['b', 5]),
        ),
      );
      assert.equal(new Set(raced.map(({ d }) => d)).size, 1);
      assert.ok(raced.every(({ b }) => b === 3));
      const marks = { none: 1, a: 2, b: 4 };
      await store.syncs.release(sync, [...Object.entries(marks), ['a', 1]]);
      assert.deepEqual(await see(other, ['a', null], ['b', null]), { a: null, b: 3 });
      assert.deepEqual(await see(other, ['a', 2]), { a: 2 });
      const found = await store.syncs.find(sync.unique_identifier, [account]);
      assert.deepEqual([found?.seen, found?.repeated], [71, 47]);
    });

    proves('remove only what is of their source, at every depth', async (world) => {
      const { store, account, home } = world;
      const scope = within(account);
      const from = (draft: Parameters<typeof write>[1], source: number) =>
        write(store, { ...draft, by: `key_${source}`, source });
      const removal = (record: StoredRecord, more: Partial<Removal> = {}): Removal => {
        const { unique_identifier } = record;
        const shape = thing;
        return { shape, account, unique_identifier, cascade: true, sources: [1, 3], ...more };
      };
      const refusal = async (one: Removal) => {
        const outcome = await store.remove(one);
        return outcome.outcome === 'refused' ? outcome.error.code : outcome.outcome;
      };
      const nobodys = await write(store, thingDraft(home, 'nobody', {}));
      const foreign = await from(thingDraft(home, 'foreign', {}), 2);
      const changed = await from(thingDraft(home, 'changed', { label: '1' }), 1);
      await from(thingDraft(home, 'changed', { label: '2' }), 2);
      const parent = await from(thingDraft(home, 'parent', {}), 1);
      await from(visitDraft(parent, 'own', {}), 3);
      const visited = await from(visitDraft(parent, 'other', {}), 2);
      for (const rehearse of [true, false]) {
        for (const one of [nobodys, foreign, changed])
          assert.equal(await refusal(removal(one, { rehearse })), 'record_changed');
        assert.equal(await refusal(removal(parent, { rehearse })), 'record_has_children');
        assert.equal(await refusal(removal(parent, { rehearse, sources: [2] })), 'record_changed');
      }
      assert.equal((await listed(store, visit, scope)).length, 2, 'nothing is removed');
      await store.remove({ ...removal(visited, { sources: [2] }), shape: visit });
      const { position } = await from(thingDraft(home, 'later', {}), 1);
      const whole = removal(parent, { by: 'syn_1', rehearse: true });
      assert.equal(await refusal(whole), 'deleted');
      assert.equal(await refusal({ ...whole, rehearse: false }), 'deleted');
      assert.deepEqual(await listed(store, visit, scope), []);
      const gone = await goneOf(store, parent);
      const at = { account, record: parent.unique_identifier, position: gone?.position ?? 0 };
      const [last] = await store.log.of({ ...at, limit: 1, bytes: 1 });
      assert.equal(last?.by, 'syn_1');
      assert.ok((gone?.position ?? 0) > position);
    });
  });
}
