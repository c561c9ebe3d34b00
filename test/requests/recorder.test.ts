/** The log of requests is written apart from everything else, in bounded room, and nothing of it is lost or doubled while the store accepts no writes. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRecorder, type RecorderParts } from '../../src/services/requests/recorder.ts';
import type { RefusedRequest } from '../../src/store/promises/requests.ts';
import { StoreUnavailable } from '../../src/store/promises/store.ts';
import { opened } from '../support/opened.ts';
import { done } from '../support/requests-done.ts';
import { shortPace } from '../support/service.ts';
import { shapes } from '../support/store-shapes.ts';
import { sqliteGround } from '../support/store-sqlite.ts';
import { until } from '../support/until.ts';

function refused(request_id: string, key: string | null): RefusedRequest {
  const time = Date.now();
  const none = { account: null, authentication: null, address: null, rows: null };
  const what = { method: 'POST', path: '/v1/events/upsert', status: 400, code: 'type_invalid' };
  return { request_id, time, key, ...none, ...what, faults: [] };
}

const GONE = 'acct_gone';

async function setUp() {
  const { url } = await sqliteGround();
  const store = await opened({ url, shapes, create: true, serve: true });
  const { requests: book } = store;
  let refuses = false;
  let refusals = 0;
  const failures: unknown[] = [];
  /** The store's own book, unless the disk is said to be full. */
  const disk: RecorderParts['book'] = {
    note: async (...lot) => {
      if (refuses) {
        refusals += 1;
        throw new StoreUnavailable('The disk is full.');
      }
      return book.note(...lot);
    },
    accountsAmong: async (accounts) => accounts.filter((account) => account !== GONE),
  };
  const recorder = createRecorder({
    book: disk,
    now: Date.now,
    pace: shortPace,
    failed: (error) => failures.push(error),
  });
  const fill = (full: boolean): void => {
    refuses = full;
  };
  return { book, recorder, failures, fill, refusals: () => refusals };
}

describe('the recorder of requests', () => {
  it('writes what was refused within seconds, by itself', async () => {
    const { book, recorder } = await setUp();
    recorder.refused(refused('req_1', 'key_1'));
    await until(async () => (await book.refused({ limit: 9 })).length > 0);
    await recorder.close();
  });

  it('writes all that is left when it is closed', async () => {
    const { book, recorder } = await setUp();
    for (let index = 0; index < 150; index++) recorder.refused(refused(`req_${index}`, 'key_1'));
    for (let index = 0; index < 1_500; index++)
      recorder.done({ ...done, anchor: `loc_${index}` }, 2);
    await recorder.close();
    assert.equal((await book.refused({ limit: 999 })).length, 150);
    const activity = await book.activity({ limit: 9_999 });
    assert.equal(activity.length, 1_500);
    assert.ok(activity.every(({ count }) => count === 2));
  });

  it('leaves out what was done in accounts that were removed meanwhile', async () => {
    const { book, recorder } = await setUp();
    recorder.done({ ...done, account: GONE }, 1);
    recorder.done({ ...done, account: '' }, 2);
    recorder.done(done, 3);
    await recorder.close();
    const activity = await book.activity({ limit: 9 });
    assert.deepEqual(activity.map(({ count }) => count).sort(), [2, 3]);
  });

  it('takes a limited number of each key and of all keys, until they are written', async () => {
    const { book, recorder } = await setUp();
    const fillUp = (key: string | null): number => {
      let taken = 0;
      for (; recorder.takes(key); taken++)
        recorder.refused({ ...refused(`req_${key}_${taken}`, key), unnamed: false });
      return taken;
    };
    assert.equal(fillUp('key_1'), 200);
    assert.equal(fillUp(null), 200, 'of all without a key together');
    for (const key of ['key_2', 'key_3', 'key_4']) assert.equal(fillUp(key), 200);
    assert.equal(fillUp('key_5'), 0, 'of all');
    recorder.dropped('key_1');
    recorder.dropped('key_5');
    await until(() => recorder.takes('key_1') && recorder.takes('key_5'));
    for (const key of ['key_1', 'key_2', 'key_5'])
      recorder.refused({ ...refused(`req_after_${key}`, key), time: 1, unnamed: false });
    await recorder.close();
    const marked = { to: 2, from: 0 };
    for (const key of ['key_1', 'key_5'])
      assert.equal(await book.lastUnnamed({ ...marked, key }), 1, 'it was the next one');
    assert.equal(await book.lastUnnamed({ ...marked, key: 'key_2' }), undefined);
  });

  it('keeps what cannot be written now, once, and does not report a disk that all writes report', async () => {
    const { book, recorder, failures, fill, refusals } = await setUp();
    fill(true);
    recorder.refused(refused('req_1', 'key_1'));
    recorder.done(done, 3);
    await until(() => refusals() > 2);
    recorder.done(done, 4);
    assert.deepEqual(await book.refused({ limit: 9 }), []);
    fill(false);
    await recorder.close();
    assert.equal((await book.refused({ limit: 9 })).length, 1);
    const [activity, ...others] = await book.activity({ limit: 9 });
    assert.equal(activity?.count, 7);
    assert.equal(others.length, 0);
    assert.deepEqual(failures, []);
  });

  it('keeps counting in bounded memory, dropping locations first', async () => {
    const { book, recorder, fill } = await setUp();
    fill(true);
    for (let index = 0; index < 60_000; index++)
      recorder.done({ ...done, anchor: `loc_${index}` }, 1);
    fill(false);
    await recorder.close();
    // Closing waits for some seconds at the most; what is under way then is written nevertheless.
    const noted = async () => {
      const activity = await book.activity({ limit: 99_999 });
      return { places: activity.length, sum: activity.reduce((sum, { count }) => sum + count, 0) };
    };
    await until(async () => (await noted()).sum >= 60_000);
    const { places, sum } = await noted();
    assert.ok(places <= 20_001, `${places}`);
    assert.equal(sum, 60_000);
  });
});
