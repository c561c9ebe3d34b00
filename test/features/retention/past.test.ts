/** What a retention rule would remove at once is not made again, in whatever way it is sent, and fails nothing else. */
// needs: both stores with --all

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { StoredRetentionRule } from '../../../src/features/retention/declares.ts';
import { answersIn, inShort, sendArray, sendLines } from '../../support/rows.ts';
import { keyed } from '../../support/secret-key.ts';
import { eventBody, visitorBody } from '../../support/sent.ts';
import type { Answer, Body } from '../../support/service.ts';
import { serviceGround } from '../../support/service-ground.ts';
import { until } from '../../support/until.ts';
import { refused, type World, world } from '../../support/world.ts';

const DAY = 86_400_000;
const YEAR = 365;
let clock = Date.parse('2026-11-21T12:00:00Z');
const RESOURCE = 'event_check_in_record';
const PLURAL = `${RESOURCE}s`;
const PATH = `/v1/${PLURAL}`;

let count = 0;

const visitor = (name: string, at: string, more = {}) =>
  visitorBody(at, name, { visitor_full_name: name, ...more });

/** A service that many days ago. */
async function serviceOn(on: World, name: string, days: number, more = {}): Promise<string> {
  const event_datetime = new Date(clock - days * DAY).toISOString();
  return (await on.funeral(name, { event_datetime, ...more })).unique_identifier;
}

async function enableIn(on: World, more: Partial<StoredRetentionRule> = {}): Promise<string> {
  count += 1;
  const unique_identifier = `ret_${String(count).padStart(22, '0')}`;
  await on.service.app.store.retention.add({
    ...{ unique_identifier, account: on.account, location: null, resource: RESOURCE },
    ...{ after_days: YEAR, since: 'event_datetime', unless: null, spares: null },
    ...{ at_least_days: null, basis: 'policy', status: 'enabled', stopped_because: null },
    ...{ preview: null, made_by: 'key_1', enabled_by: 'key_1', enabled_at: clock },
    ...{ counting_since: null, revision: 0, inserted_at: clock, updated_at: clock, ...more },
  });
  return unique_identifier;
}

describe('A record that is past its retention', () => {
  let location: string;
  let old: string;
  let recent: string;

  const on = world({ now: () => clock });
  const { service } = on;
  const enable = (more?: Partial<StoredRetentionRule>) => enableIn(on, more);
  const send = (body: object, query = '') => service.json(`${PATH}/upsert${query}`, body);
  const many = async (rows: readonly object[], query = '', headers = {}): Promise<Body> => {
    const { status, body, text } = await sendArray(on, PLURAL, rows, { query, headers });
    assert.equal(status, 200, text);
    return body;
  };
  const isPast = async (answer: Promise<Answer>): Promise<void> =>
    refused(await answer, 410, 'past_retention');

  beforeEach(async () => {
    const { retention } = service.app.store;
    for (const { unique_identifier } of await retention.list([on.account], '~', 99))
      await retention.remove(unique_identifier);
    count += 1;
    location = await service.location(`at ${count}`);
    const at = { location_unique_identifier: location };
    old = await serviceOn(on, 'old', YEAR + 1, at);
    recent = await serviceOn(on, 'recent', YEAR - 2, at);
  });

  it('is refused wherever it is sent, and what exists or is recent is not', async () => {
    assert.equal((await send(visitor('known', old))).status, 200);
    assert.equal((await send(visitor('first', recent))).status, 200);
    const rule = await enable();
    for (const query of ['', '?dry_run=true']) {
      await isPast(send(visitor('new', old), query));
      assert.equal((await send(visitor('known', old), query)).status, 200);
      assert.equal((await send(visitor('new', recent), query)).status, 200);
    }
    const rows = [
      visitor('a', old),
      visitor('b', recent),
      visitor('known', old),
      visitor('c', old),
    ];
    const all = ['erased', 'created', 'unchanged', 'erased'];
    assert.deepEqual(inShort((await many(rows, '?dry_run=true')).data), all);
    assert.deepEqual(inShort((await many(rows, '?atomic=true')).data), all);
    const { data, summary } = await many(rows);
    assert.deepEqual(inShort(data), ['erased', 'unchanged', 'unchanged', 'erased']);
    assert.deepEqual([summary.erased, summary.failed], [2, 0]);
    const lines = [visitor('d', old), visitor('e', recent)].map((row) => JSON.stringify(row));
    const { text } = await sendLines(on, PLURAL, lines.join('\n'));
    assert.deepEqual(inShort(answersIn(text).rows), ['erased', 'created'], text);
    await service.app.store.retention.remove(rule);
    assert.equal((await send(visitor('new', old))).status, 200);
  });

  it('is refused with an Idempotency-Key, too, and while it is sent by many at once', async () => {
    await enable();
    const headers = { 'Idempotency-Key': 'one' };
    const sent = () => service.json(`${PATH}/upsert`, visitor('new', old), { headers });
    await isPast(sent());
    await isPast(sent());
    const names = Array.from({ length: 40 }, (_, at) => `n${at}`);
    const answers = await Promise.all(
      names.map((name, at) => send(visitor(name, at % 2 === 0 ? old : recent))),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      names.map((_, at) => (at % 2 === 0 ? 410 : 200)),
    );
  });

  it('is made where the rule spares it, is of another location, is paused, or a hold covers it', async () => {
    const spares = [{ by: { key: 'visitor_interested_in_pre_planning' }, is: '=', value: 'true' }];
    const rule = await enable({ spares });
    const interested = { visitor_interested_in_pre_planning: true };
    assert.equal((await send(visitor('spared', old, interested))).status, 200);
    await isPast(send(visitor('not spared', old, { visitor_interested_in_pre_planning: false })));
    await service.app.store.retention.remove(rule);
    await enable({ location: await service.location(`other ${count}`) });
    await enable({ status: 'paused' });
    await enable({ since: 'inserted_at' });
    assert.equal((await send(visitor('elsewhere', old))).status, 200);
    await enable({ location });
    await isPast(send(visitor('held', old)));
    await on.place({ record: old });
    assert.equal((await send(visitor('held', old))).status, 200);
  });

  it('may be a service, and what belongs to one that is', async () => {
    await enable({ resource: 'event' });
    const sent = eventBody(location, 'older', { event_datetime: '0001-01-02T00:00:00Z' });
    await isPast(service.json('/v1/events/upsert', sent));
    await isPast(send(visitor('below', old)));
    assert.equal((await send(visitor('below', recent))).status, 200);
    const known = { ...sent, external_identifier: 'old', event_name: 'Corrected' };
    assert.equal((await service.json('/v1/events/upsert', known)).status, 200);
  });

  it('is not restored', async () => {
    const { body } = await send(visitor('removed', old));
    const one = `${PATH}/${body.unique_identifier}`;
    const removed = await service.send('DELETE', one);
    const removal = removed.headers.get('ledgerstone-removal');
    await enable();
    await isPast(service.json(`${one}/restore`, { version: 1 }));
    const whole = await service.send('POST', `/v1/removals/${removal}/restore`);
    assert.equal(whole.status, 200, whole.text);
    assert.deepEqual([whole.body.restored, whole.body.left[0]?.code], [0, 'past_retention']);
  });

  it('is quiet in a nightly sync, which removes nothing for it', async () => {
    await send(visitor('known', old));
    await enable();
    const { unique_identifier: sync } = await on.ok('/v1/syncs', { resource: RESOURCE, location });
    const rows = [visitor('new', old), visitor('known', old)];
    const { summary } = await many(rows, '', { 'Ledgerstone-Sync': sync });
    assert.deepEqual([summary.failed, summary.erased], [0, 1]);
    const finished = await on.ok(`/v1/syncs/${sync}/finish`);
    assert.deepEqual([finished.status, finished.removed], ['finished', {}]);
  });
});

// With a key rules run, which stops those of the other tests.
describe('A record that is too young to go', () => {
  const on = world({ now: () => clock, settings: keyed() });

  it('is kept, and an erasure waits until it is old enough', async () => {
    const recent = await serviceOn(on, 'recent', YEAR - 2);
    const at = { event_unique_identifier: recent };
    const { unique_identifier: record } = await on.visit('young', at);
    const more = { at_least_days: YEAR, after_days: 2 * YEAR, status: 'paused' } as const;
    const rule = await enableIn(on, more);
    for (const path of [`${PATH}/${record}`, `/v1/events/${recent}?cascade=true`]) {
      const answer = await on.service.send('DELETE', path);
      refused(answer, 409, 'record_held');
      assert.match(answer.body.error.message, new RegExp(rule));
    }
    const { unique_identifier: id, status, left } = await on.erase(record);
    assert.deepEqual([status, left], ['waiting', [{ record, code: 'record_held', held_by: rule }]]);
    clock += 3 * DAY;
    await until(async () => (await on.erasure(id)).status === 'done', 60_000);
    assert.equal((await on.service.get(`${PATH}/${record}`)).status, 410);
  });
});

// Its process lives while the clock is wrong, so it needs a count of the time that passes beside it.
describe('A record that comes while the clock is years ahead', () => {
  let ahead = 0;
  const elapsed = () => performance.now();
  const on = world({ now: () => clock + ahead, elapsed, store: serviceGround });

  it('is refused only if the latest time that the store has seen says so', async () => {
    const send = (name: string, event: string) =>
      on.service.json(`${PATH}/upsert`, visitor(name, event));
    const old = await serviceOn(on, 'old', YEAR + 1);
    const recent = await serviceOn(on, 'recent', YEAR - 2);
    await enableIn(on);
    await on.service.app.store.noteTime(clock);
    await on.restart(() => {
      ahead = 3 * YEAR * DAY;
    });
    assert.equal((await send('first', recent)).status, 200);
    refused(await send('first', old), 410, 'past_retention');
    ahead = 0;
    assert.equal((await send('second', recent)).status, 200);
  });
});
