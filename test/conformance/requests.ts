/** The log of requests: what was refused, and how much was done. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import {
  ACTIVITY_MS,
  type Activity,
  MAX_REFUSED,
  REQUESTS_MS,
  type RefusedQuery,
  type RefusedRequest,
} from '../../src/store/promises/requests.ts';
import type { Store } from '../../src/store/promises/store.ts';
import { bytesOf, newAccount, newKey, type Proves } from '../support/store-world.ts';

const HOUR = 3_600_000;

function refused(
  request_id: string,
  time: number,
  more: Partial<RefusedRequest> = {},
): RefusedRequest {
  return {
    ...{ request_id, time, key: 'key_1', account: 'acct_1', authentication: null },
    ...{ address: '203.0.113.7', method: 'POST', path: '/v1/events/upsert', status: 400 },
    ...{ code: 'type_invalid', rows: null },
    faults: [{ code: 'type_invalid', param: 'event_name', count: 1 }],
    ...more,
  };
}

function activity(hour: number, more: Partial<Activity> = {}): Activity {
  const name = { account: 'acct_1', key: 'key_1', anchor: 'loc_1', resource: 'event' };
  return { hour, ...name, outcome: 'created', count: 1, last_at: hour + 5, ...more };
}

async function idsOf(store: Store, query: Partial<RefusedQuery>): Promise<string[]> {
  const found = await store.requests.refused({ limit: 100, ...query });
  return found.map(({ request_id }) => request_id);
}

export function describePromises(proves: Proves): void {
  describe('The log of requests', () => {
    proves('keeps what was refused as it was told, the newest first', async ({ store, reopen }) => {
      const one = refused('req_a', 1_000);
      const two = refused('req_b', 2_000, {
        ...{ key: null, account: null, authentication: 'unknown', address: null, faults: [] },
        ...{ code: 'authentication_failed', status: 401 },
      });
      const many = refused('req_c', 3_000, {
        status: 200,
        faults: [{ code: 'datetime_invalid', param: 'event_datetime', count: 2, rows: [57, 60] }],
        rows: { numbered: 'lines', counts: { created: 198, datetime_invalid: 2 } },
      });
      await store.requests.note([two, one], []);
      await store.requests.note([many, one], []);
      const all = await (await reopen()).requests.refused({ limit: 10 });
      assert.deepEqual(all, [many, two, one]);
    });

    proves('says since when marks find every refusal of a record', async ({ store }) => {
      const { requests } = store;
      const last = (query: Partial<RefusedQuery> = {}) => requests.lastUnnamed(query);
      const named = { marks: ['m1'], unnamed: false };
      const many = { path: '/v1/events/upsert_many' };
      await requests.note([refused('req_a', 1_000, named)], []);
      await requests.note([refused('req_b', 1_500, { ...named, ...many })], []);
      const read = { method: 'GET', path: '/v1/events' };
      await requests.note([refused('req_c', 1_600, read)], []);
      assert.equal(await last(), undefined);
      // As 1.0 notes them: one record by its mark, and rows of which not all may have one.
      await requests.note([refused('req_d', 1_700, { marks: ['m1'] })], []);
      assert.equal(await last(), undefined);
      const older: readonly Partial<RefusedRequest>[] = [{}, { ...many, marks: ['m1'] }];
      for (const [at, more] of [...older, { marks: ['m1'], unnamed: true }].entries()) {
        const time = 2_000 + at;
        await requests.note([refused(`req_e${at}`, time, more)], []);
        assert.equal(await last(), time);
      }
      assert.equal(await last({ from: 2_003 }), undefined);
      assert.equal(await last({ key: 'key_2' }), undefined);
      assert.equal(await last({ account: 'acct_2' }), undefined);
      assert.equal(await last({ seenBy: new Set(['acct_2', 'acct_3']) }), undefined);
      assert.equal(await last({ by: 'staff' }), undefined);
      assert.deepEqual(await idsOf(store, { marks: ['m1'], from: 2_000 }), ['req_e2', 'req_e1']);
    });

    proves('is listed page by page, and by what is asked for', async ({ store }) => {
      const rows = { numbered: 'lines', counts: { created: 1, parent_gone: 1 } } as const;
      await store.requests.note(
        [
          refused('req_a', 1_000),
          refused('req_b', 2_000, { key: 'key_2' }),
          refused('req_c', 2_000, { code: 'json_invalid', faults: [] }),
          refused('req_d', 3_000, { rows }),
          refused('req_e', 4_000, { account: 'acct_2', key: 'key_3' }),
        ],
        [],
      );
      assert.deepEqual(await idsOf(store, { limit: 2 }), ['req_e', 'req_d']);
      const after = { time: 3_000, request_id: 'req_d' };
      assert.deepEqual(await idsOf(store, { limit: 2, after }), ['req_c', 'req_b']);
      const later = { time: 2_000, request_id: 'req_c' };
      assert.deepEqual(await idsOf(store, { after: later }), ['req_b', 'req_a']);
      assert.deepEqual(await idsOf(store, { request_id: 'req_d' }), ['req_d']);
      assert.deepEqual(await idsOf(store, { key: 'key_2' }), ['req_b']);
      assert.deepEqual(await idsOf(store, { account: 'acct_2' }), ['req_e']);
      assert.deepEqual(await idsOf(store, { from: 2_000, to: 4_000 }), ['req_d', 'req_c', 'req_b']);
      assert.deepEqual(await idsOf(store, { code: 'json_invalid' }), ['req_c'], 'of the answer');
      assert.deepEqual(await idsOf(store, { code: 'parent_gone' }), ['req_d'], 'of a row');
      assert.deepEqual(await idsOf(store, { code: 'json' }), [], 'the whole of a code');
      const both = { key: 'key_1', code: 'type_invalid', to: 3_000 };
      assert.deepEqual(await idsOf(store, both), ['req_a']);
    });

    proves('shows whoever asks for some accounts what is of those alone', async (world) => {
      const { store, account } = world;
      const other = await newAccount(store, 'O');
      const third = await newAccount(store, 'T');
      const keyOf = async (hash: number, ...accounts: readonly string[]): Promise<string> =>
        (await store.keys.create(newKey({ hash: bytesOf(hash), accounts }))).unique_identifier;
      const two = { key: await keyOf(1, account, other), account: null };
      const three = { key: await keyOf(2, account, other, third), account: null };
      await store.requests.note(
        [
          refused('req_1', 1, { account }),
          refused('req_2', 2, { account: other }),
          refused('req_3', 3, two),
          refused('req_4', 4, three),
          refused('req_5', 5, { key: null, account: null, authentication: 'absent' }),
          refused('req_6', 6, { account: third }),
        ],
        [
          activity(0, { account }),
          activity(0, { account: other }),
          activity(0, { ...two, account: '' }),
          activity(0, { ...three, account: '' }),
        ],
      );
      const seen = (...accounts: string[]) => idsOf(store, { seenBy: new Set(accounts) });
      assert.deepEqual(await seen(account), ['req_1']);
      assert.deepEqual(await seen(account, other), ['req_3', 'req_2', 'req_1']);
      const all = [6, 4, 3, 2, 1].map((nth) => `req_${nth}`);
      assert.deepEqual(await seen(account, other, third), all);
      assert.deepEqual(await seen(), []);
      const ofKeys = ['req_4', 'req_3', 'req_1'];
      assert.deepEqual(await idsOf(store, { account }), ofKeys, 'keys that have it');
      const seenBy = new Set([account, other]);
      assert.deepEqual(await idsOf(store, { seenBy, account }), ['req_3', 'req_1']);
      const count = async (...accounts: string[]) =>
        (await store.requests.activity({ seenBy: new Set(accounts), limit: 9 })).length;
      const counts = [await count(account), await count(account, other), await count()];
      assert.deepEqual(counts, [1, 3, 0]);
    });

    proves('adds up what was done, listed by account and hour, page by page', async (world) => {
      const { store, account, another } = world;
      const seven = 7 * HOUR;
      assert.deepEqual(await store.requests.accountsAmong(['acct_none', account]), [account]);
      await store.requests.note([], [activity(seven, { count: 3 }), activity(HOUR)]);
      await (await another()).requests.note(
        [],
        [
          activity(seven, { count: 4, last_at: seven + 9 }),
          activity(seven, { outcome: 'updated' }),
          activity(HOUR, { account: 'acct_2', anchor: '', resource: '' }),
        ],
      );
      const all = await store.requests.activity({ limit: 9 });
      assert.deepEqual(all, [
        activity(HOUR, { account: 'acct_2', anchor: '', resource: '' }),
        activity(seven, { outcome: 'updated' }),
        activity(seven, { count: 7, last_at: seven + 9 }),
        activity(HOUR),
      ]);
      const walked: Activity[] = [];
      for (;;) {
        const after = walked.at(-1);
        const [next] = await store.requests.activity({ limit: 1, after });
        if (next === undefined) break;
        walked.push(next);
      }
      assert.deepEqual(walked, all);
      const counts = async (query: object) =>
        (await store.requests.activity({ limit: 9, ...query })).map(({ count }) => count);
      assert.deepEqual(await counts({ from: seven }), [1, 7]);
      assert.deepEqual(await counts({ to: seven, account: 'acct_1' }), [1]);
      assert.deepEqual(await counts({ key: 'key_9' }), []);
      assert.deepEqual(await counts({ anchor: 'loc_1', from: seven }), [1, 7]);
    });

    proves(`keeps the last ${MAX_REFUSED} of a key, and of all without one`, async ({ store }) => {
      // Few enough for a busy machine, too.
      const LOT = 500;
      const lot = (from: number, key: string | null) =>
        Array.from({ length: LOT }, (_, index) => {
          const at = from + index;
          return refused(`req_${key}_${String(at).padStart(6, '0')}`, at, { key });
        });
      for (let from = 0; from < MAX_REFUSED; from += LOT) {
        await store.requests.note(lot(from, 'key_1'), []);
        await store.requests.note(lot(from, null), []);
      }
      const count = async (query: Partial<RefusedQuery>) => {
        let counted = 0;
        for (let after: RefusedQuery['after']; ; ) {
          const page = await store.requests.refused({ limit: 2_000, ...query, after });
          after = page.at(-1);
          if (after === undefined) return counted;
          counted += page.length;
        }
      };
      assert.equal(await count({}), 2 * MAX_REFUSED);
      await store.requests.note(lot(MAX_REFUSED, null).slice(0, 10), []);
      assert.equal(await count({}), 2 * MAX_REFUSED);
      assert.equal(await count({ key: 'key_1' }), MAX_REFUSED, 'of others nothing goes');
      assert.equal(await count({ to: 10 }), 10, 'the oldest went');
    });

    proves('forgets requests after thirty days and activity after 45, in pieces', async (world) => {
      const { store, clock } = world;
      const limit = clock.now - REQUESTS_MS;
      const oldest = clock.now - ACTIVITY_MS;
      const old = Array.from({ length: 600 }, (_, index) => refused(`req_old_${index}`, limit - 1));
      const hours = Array.from({ length: 600 }, (_, index) =>
        activity(oldest - HOUR, { key: `key_${index}` }),
      );
      await store.requests.note([...old, refused('req_new', limit)], [...hours, activity(oldest)]);
      assert.equal(await store.requests.purge(), true);
      assert.equal(await store.requests.purge(), false);
      assert.deepEqual(await idsOf(store, {}), ['req_new']);
      assert.deepEqual(await store.requests.activity({ limit: 9 }), [activity(oldest)]);
    });
  });
}
