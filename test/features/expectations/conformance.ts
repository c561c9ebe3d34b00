/** What stores promise of expectations: nothing that a person set is replaced, and each state is entered once. */

import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Expectation } from '../../../src/features/expectations/declares.ts';
import { sql } from '../../../src/features/expectations/store.ts';
import { pluck } from '../../support/pluck.ts';
import type { Proves } from '../../support/store-world.ts';
import { wipe } from '../../support/wipe.ts';

const HOUR = 3_600_000;

function expected(account: string, more: Partial<Expectation> = {}) {
  const one: Omit<Expectation, 'unique_identifier'> = {
    ...{ account, source: 'src_1', location: 'loc_1', hours: 'mon-fri 8-18', every: 'hour' },
    ...{ silent_after: 3, closed_days: '', status: 'learned', learned_days: 30, kept_days: 29 },
    ...{ state: 'on_time', since: 100, silent_since: null, last_at: 90, refused_at: null },
    ...{ refusal: null, inserted_at: 100, updated_at: 100 },
    ...more,
  };
  return one;
}

export function describePromises(proves: Proves): void {
  describe('Expectations', () => {
    proves('are set by people, and learned only where they are not', async ({ store, account }) => {
      const book = store.expectations;
      await book.put(expected(account));
      const [first] = await book.list({ limit: 9 });
      assert.ok(first);
      const { unique_identifier: id } = first;
      assert.deepEqual(first, { ...expected(account), unique_identifier: id });
      const learned = {
        hours: 'mon 8-9',
        state: 'new',
        inserted_at: 900,
        updated_at: 900,
      } as const;
      await book.put(expected(account, learned));
      assert.deepEqual(await book.find(id), { ...first, hours: 'mon 8-9' });
      const set: Partial<Expectation> = {
        ...{ status: 'confirmed', hours: 'tue 8-9', closed_days: '12-25', updated_at: 900 },
        ...{ learned_days: null, kept_days: null },
      };
      await book.put(expected(account, { ...set, state: 'new' }));
      assert.deepEqual(await book.find(id), { ...first, ...set });
      await book.put(expected(account));
      assert.deepEqual(await book.find(id), { ...first, ...set }, 'not learned again');
      assert.equal(await book.remove(id), true);
      assert.equal(await book.remove(id), false);
    });

    proves('are listed by what they are of', async ({ store, account }) => {
      const book = store.expectations;
      await book.put(expected(account));
      await book.put(expected(account, { source: 'src_2', state: 'silent' }));
      await book.put(expected('acct_other', { location: 'loc_2', status: 'off' }));
      const listed = async (query: object): Promise<readonly string[]> =>
        (await book.list({ limit: 9, ...query }))
          .map(({ source, location }) => `${source} ${location}`)
          .sort();
      assert.equal((await listed({})).length, 3);
      assert.equal((await listed({ limit: 2 })).length, 2);
      assert.deepEqual(await listed({ accounts: [account] }), ['src_1 loc_1', 'src_2 loc_1']);
      assert.deepEqual(await listed({ accounts: [] }), []);
      assert.deepEqual(await listed({ source: 'src_2' }), ['src_2 loc_1']);
      assert.deepEqual(await listed({ locations: ['loc_2', 'loc_3'] }), ['src_1 loc_2']);
      assert.deepEqual(await listed({ state: 'silent' }), ['src_2 loc_1']);
      assert.deepEqual(await listed({ status: 'off' }), ['src_1 loc_2']);
      const [first] = await book.list({ limit: 1 });
      assert.equal((await listed({ after: first?.unique_identifier })).length, 2);
      assert.deepEqual(await book.states(), [
        ['src_2', 'silent', 1],
        ['src_1', 'on_time', 1],
      ]);
    });

    proves('enter each state once, with what is told of it', async (world) => {
      const { store, another, account } = world;
      const book = store.expectations;
      await book.put(expected(account));
      const [before] = (await book.list({ limit: 1 })) as [Expectation];
      const silent = { since: 200, silent_since: 200, last_at: 90, refused_at: null };
      const after = { state: 'silent', ...silent } as const;
      // Each tells it in a row of its own, which a row that goes stands for.
      for (let at = 0; at < 8; at++) await book.put(expected(account, { source: `told_${at}` }));
      const others = (await book.list({ limit: 99 })).filter(({ source }) => source !== 'src_1');
      const other = await another();
      const moved = await Promise.all(
        others.map(({ unique_identifier: id }, at) => {
          const { expectations } = at % 2 === 0 ? store : other;
          return expectations.move(before, { ...before, ...after }, [[sql.remove, id]]);
        }),
      );
      assert.equal(moved.length, 8);
      assert.equal(moved.filter((is) => is).length, 1);
      assert.equal((await book.list({ limit: 99 })).length, 8);
      const { unique_identifier } = before;
      const found = await other.expectations.find(unique_identifier);
      assert.deepEqual(found, { ...before, ...after });
      await book.note([{ unique_identifier, last_at: 300, refused_at: null }]);
      assert.equal((await book.find(unique_identifier))?.last_at, 300);
    });

    proves('are looked at by one process at a time', async ({ store, another }) => {
      const other = await another();
      const looks = (looked_at: number) => {
        return { looked_at, learned_at: 0, outages: [{ from: 0, until: looked_at }] };
      };
      let seen = await store.expectations.watch();
      assert.equal(seen, undefined);
      for (const at of [5, 9]) {
        const all = await Promise.all(
          [store, other, store, other].map((one) => one.expectations.look(seen, looks(at))),
        );
        assert.equal(all.filter((is) => is).length, 1);
        seen = await other.expectations.watch();
        assert.deepEqual(seen, { ...looks(at), single: true });
      }
    });

    proves('are learned from what keys wrote, by the hour', async ({ store, account }) => {
      const entry = (more: object) => ({
        ...{ account, key: 'key_1', anchor: 'loc_1', resource: 'event', outcome: 'created' },
        ...{ count: 1, hour: 10 * HOUR, last_at: 10 * HOUR + 5 },
        ...more,
      });
      const done = [
        entry({}),
        entry({ outcome: 'unchanged', last_at: 10 * HOUR + 9 }),
        entry({ hour: 11 * HOUR, last_at: 11 * HOUR, outcome: 'read' }),
        entry({ hour: 12 * HOUR, last_at: 12 * HOUR, outcome: 'refused', anchor: '' }),
        entry({ hour: 12 * HOUR, last_at: 12 * HOUR, key: 'stf_1' }),
      ];
      await store.requests.note([], done);
      const seen = { key: 'key_1', anchor: 'loc_1', hour: 10 * HOUR, last_at: 10 * HOUR + 9 };
      assert.deepEqual(await store.expectations.hoursSeen(account, 10 * HOUR, 13 * HOUR), [seen]);
      assert.deepEqual(await store.expectations.hoursSeen(account, 11 * HOUR, 13 * HOUR), []);
      const last = await store.expectations.lastSeen(10 * HOUR);
      assert.deepEqual(
        last.toSorted((one, other) => one.last_at - other.last_at),
        [
          { account, key: 'key_1', anchor: 'loc_1', last_at: 10 * HOUR + 9, refused: 0 },
          { account, key: 'key_1', anchor: '', last_at: 12 * HOUR, refused: 1 },
        ],
      );
    });

    proves('go with their account', async ({ store, account }) => {
      await store.expectations.put(expected(account));
      await store.expectations.put(expected('acct_other'));
      await wipe(store, account, true);
      const left = await store.expectations.list({ limit: 9 });
      assert.deepEqual(pluck(left, 'account'), ['acct_other']);
    });
  });
}
