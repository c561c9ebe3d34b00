/** What keys read is in the audit by the hour, and a flood of people's reads fills neither memory nor disk. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { AuditEntry } from '../../src/core/objects/requests/audit-entry.ts';
import { addReads, createAuditRecorder } from '../../src/services/audit/recorder.ts';
import { verifyAudit } from '../../src/services/audit/verify.ts';
import { type Store, StoreUnavailable } from '../../src/store/promises/store.ts';
import { whenOver } from '../support/at-end.ts';
import { opened } from '../support/opened.ts';
import { pluck } from '../support/pluck.ts';
import { serviceGround } from '../support/service-ground.ts';
import { shapes } from '../support/store-shapes.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 3_600_000;
const HOUR = Date.parse('2026-11-20T10:00:00Z');
const KEY = randomBytes(32);

describe('The audit of many reads', () => {
  let store: Store;
  let now = HOUR;

  const parts = () => ({
    ...{ book: store.audit, requests: store.requests, key: KEY, now: () => now },
  });
  const all = (): Promise<readonly AuditEntry[]> =>
    store.audit.walk({ chain: '', number: 0 }, 10_000);
  const read = (key: string, anchor: string, hour: number, count: number, outcome = 'read') => ({
    ...{ account: 'acct_1', key, anchor, resource: 'event', outcome, hour, count },
    last_at: hour,
  });
  const recorderOf = (book = store.audit) =>
    createAuditRecorder({
      ...{ ...parts(), book, reads: true, days: 800, head: () => {}, headsOfAll: false },
      failed: (error) => assert.fail(String(error)),
    });
  const faults = async () =>
    (await verifyAudit({ ...{ book: store.audit, keys: [KEY], heads: [], days: 800, now } }))
      .faults;

  before(async () => {
    const { url, remove } = await serviceGround();
    whenOver(remove);
    store = await opened({ url, shapes, create: true, serve: false, now: () => now });
  });

  it('has what each key read in an hour, once, whichever processes add it', async () => {
    await store.requests.note(
      [],
      [
        read('key_1', 'loc_1', HOUR, 7),
        read('key_1', 'loc_2', HOUR, 3),
        read('key_2', '', HOUR, 1),
        // People's reads are there one by one, and writes in the log of changes.
        read('stf_1', 'loc_1', HOUR, 5),
        read('key_1', 'loc_1', HOUR, 9, 'created'),
        read('key_1', 'loc_1', HOUR + HOUR_MS, 2),
      ],
    );
    now = HOUR + HOUR_MS;
    await addReads(parts(), 0);
    assert.deepEqual(await all(), [], 'counts of the hour may still be written');
    now += 10 * 60_000;
    await Promise.all(Array.from({ length: 5 }, () => addReads(parts(), 0)));
    const members = ['time', 'by', 'record', 'count', 'resource', 'action', 'account'] as const;
    const shown = async () => pluck(await all(), ...members);
    const entry = (by: string, record: string | null, count: number, time = HOUR) => [
      ...[time, by, record, count, 'event', 'reads', 'acct_1'],
    ];
    const ofFirst = ['key_1', 'loc_1', 7] as const;
    const first = [entry(...ofFirst), entry('key_1', 'loc_2', 3), entry('key_2', null, 1)];
    assert.deepEqual(await shown(), first);
    now += HOUR_MS;
    await addReads(parts(), 0);
    await addReads(parts(), 0);
    assert.deepEqual(await shown(), [...first, entry('key_1', 'loc_1', 2, HOUR + HOUR_MS)]);
    assert.deepEqual(await faults(), []);
  });

  it('has no more than a thousand entries of an hour', async () => {
    const hour = HOUR + 3 * HOUR_MS;
    const many = Array.from({ length: 1_200 }, (_, at) => read('key_1', `loc_${at}`, hour, 2));
    await store.requests.note([], many);
    now = hour + 2 * HOUR_MS;
    await addReads(parts(), 0);
    const found = (await all()).filter(({ time }) => time === hour);
    assert.deepEqual(pluck(found, 'by', 'record', 'count'), [['key_1', null, 2_400]]);
  });

  it('has what keys read before the service stood still for days, and after a clock was put back', async () => {
    const stopped = HOUR + 5 * HOUR_MS;
    await store.requests.note([], [read('key_3', 'loc_1', stopped, 4)]);
    now = stopped + 70 * HOUR_MS;
    let looked = await addReads(parts(), 0);
    const of = async (key: string) => (await all()).filter(({ by }) => by === key);
    assert.deepEqual(pluck(await of('key_3'), 'time', 'count'), [[stopped, 4]]);
    // A clock that is wrong for so long that it is believed.
    const ahead = now + 9_000 * HOUR_MS;
    await store.requests.note([], [read('key_4', 'loc_1', ahead, 1)]);
    now = ahead + 2 * HOUR_MS;
    looked = await addReads(parts(), looked);
    assert.equal((await of('key_4')).length, 1);
    now = stopped + 72 * HOUR_MS;
    await store.requests.note([], [read('key_5', 'loc_1', now - 2 * HOUR_MS, 6)]);
    looked = await addReads(parts(), looked);
    assert.deepEqual(pluck(await of('key_5'), 'count'), [6]);
    await addReads(parts(), looked);
    assert.equal((await of('key_5')).length, 1);
    assert.deepEqual(await faults(), []);
  });

  it('gathers a flood by minute, and loses none of its count, also while the store accepts nothing', async () => {
    const earlier = (await all()).length;
    let failing = false;
    const recorder = recorderOf(
      Object.assign(Object.create(store.audit) as Store['audit'], {
        async append(entries: readonly AuditEntry[]) {
          if (failing) throw new StoreUnavailable('full');
          return store.audit.append(entries);
        },
        walk: (...args: Parameters<Store['audit']['walk']>) => store.audit.walk(...args),
      }),
    );
    const note = (count: number) => {
      for (let at = 0; at < count; at += 1)
        recorder.note({ action: 'read', by: 'stf_1', resource: 'event', record: `evt_${at}` });
    };
    failing = true;
    note(5_000);
    await assert.rejects(recorder.before({ action: 'export', by: 'stf_1' }), StoreUnavailable);
    assert.equal(recorder.figures().unwritten, 5_000);
    failing = false;
    await until(async () => (await all()).length > earlier);
    note(5_000);
    // Put back, too, the clock shows that time goes on.
    now -= 61_000;
    await until(() => recorder.figures().unwritten < 1_000);
    await recorder.close();
    const found = (await all()).filter(({ by }) => by === 'stf_1');
    const seen = found.reduce((sum, { count }) => sum + count, 0);
    assert.equal(seen, 10_000);
    assert.ok(found.length <= 2_402, `${found.length} entries`);
    assert.deepEqual(await faults(), []);
  });

  it('a flood of one person hides neither other records nor other people', async () => {
    const recorder = recorderOf();
    const look = (by: string, record: string): void =>
      recorder.note({ action: 'read', by, resource: 'event', record });
    for (let at = 0; at < 4_000; at += 1) look('stf_flood', 'evt_flooded');
    for (let at = 0; at < 5; at += 1) look('stf_flood', 'evt_hidden');
    for (let at = 0; at < 4_000; at += 1) look('stf_scan', `evt_${at}`);
    for (let at = 0; at < 5; at += 1) look('stf_other', 'evt_own');
    await recorder.close();
    const entries = await all();
    const of = (by: string, record?: string) =>
      entries.filter((one) => one.by === by && (record === undefined || one.record === record));
    const times = (some: readonly { readonly count: number }[]): number =>
      some.reduce((sum, { count }) => sum + count, 0);
    assert.equal(times(of('stf_flood', 'evt_flooded')), 4_000);
    assert.ok(of('stf_flood', 'evt_flooded').length <= 21);
    assert.equal(of('stf_flood', 'evt_hidden').length, 5);
    assert.equal(of('stf_other', 'evt_own').length, 5);
    assert.equal(times(of('stf_scan')), 4_000);
    assert.ok(of('stf_scan').length <= 1_201);
    assert.deepEqual(await faults(), []);
  });

  it('is written before by no caller more often than a hundred times a second', async () => {
    const recorder = recorderOf();
    const tried = await Promise.allSettled(
      Array.from({ length: 500 }, () => recorder.before({ action: 'erase', by: 'key_1' })),
    );
    const refused = tried.filter(({ status }) => status === 'rejected').length;
    assert.ok(refused >= 400, `${refused} refused`);
    await recorder.before({ action: 'erase', by: 'key_2' });
    await recorder.close();
    assert.deepEqual(await faults(), []);
  });
});
