/** What a retention rule would remove at once is not made again, in whatever way it is sent, and fails nothing else. */
// needs: both stores with --all

import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import type { StoredRetentionRule } from '../../../src/features/retention/declares.ts';
import { whenOver } from '../../support/at-end.ts';
import { keyed } from '../../support/secret-key.ts';
import { eventBody, visitorBody } from '../../support/sent.ts';
import { type Body, type Service, startService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const DAY = 86_400_000;
const YEAR = 365;
let clock = Date.parse('2026-11-21T12:00:00Z');
const PATH = '/v1/event_check_in_records';

let service: Service;
let count = 0;

before(async () => {
  service = await startService({ now: () => clock });
});

describe('A record that is past its retention', () => {
  let account: string;
  let location: string;
  let old: string;
  let recent: string;

  const serviceOn = async (name: string, days: number): Promise<string> => {
    const sent = eventBody(location, name, {
      event_name: name,
      event_datetime: new Date(clock - days * DAY).toISOString(),
    });
    const { body } = await service.json('/v1/events/upsert', sent);
    return body.unique_identifier;
  };
  const visitor = (name: string, at = old, more = {}) =>
    visitorBody(at, name, { visitor_full_name: name, ...more });
  const send = (body: object, query = '') => service.json(`${PATH}/upsert${query}`, body);
  const many = (rows: readonly object[], query = '') =>
    service.json(`${PATH}/upsert_many${query}`, rows);
  const enable = async (more: Partial<StoredRetentionRule> = {}): Promise<string> => {
    count += 1;
    const unique_identifier = `ret_${String(count).padStart(22, '0')}`;
    await service.app.store.retention.add({
      ...{ unique_identifier, account, location: null, resource: 'event_check_in_record' },
      ...{ after_days: YEAR, since: 'event_datetime', unless: null, spares: null },
      ...{ at_least_days: null, basis: 'policy', status: 'enabled', stopped_because: null },
      ...{ preview: null, made_by: 'key_1', enabled_by: 'key_1', enabled_at: clock },
      ...{ counting_since: null, revision: 0, inserted_at: clock, updated_at: clock, ...more },
    });
    return unique_identifier;
  };
  const isPast = async (answer: ReturnType<typeof send>): Promise<void> => {
    const { status, body, text } = await answer;
    assert.deepEqual([status, body.error?.code], [410, 'past_retention'], text);
  };
  const outcomes = ({ body }: { readonly body: Body }) =>
    body.data.map(({ outcome }: Body) => outcome);

  beforeEach(async () => {
    account = service.account.unique_identifier;
    for (const { unique_identifier } of await service.app.store.retention.list([account], '~', 99))
      await service.app.store.retention.remove(unique_identifier);
    count += 1;
    location = await service.location(`at ${count}`);
    [old, recent] = [await serviceOn('old', YEAR + 1), await serviceOn('recent', YEAR - 2)];
  });

  it('is refused wherever it is sent, and what exists or is recent is not', async () => {
    assert.equal((await send(visitor('known'))).status, 200);
    assert.equal((await send(visitor('first', recent))).status, 200);
    const rule = await enable();
    for (const query of ['', '?dry_run=true']) {
      await isPast(send(visitor('new'), query));
      assert.equal((await send(visitor('known'), query)).status, 200);
      assert.equal((await send(visitor('new', recent), query)).status, 200);
    }
    const rows = [visitor('a'), visitor('b', recent), visitor('known', old), visitor('c')];
    const all = ['erased', 'created', 'unchanged', 'erased'];
    assert.deepEqual(outcomes(await many(rows, '?dry_run=true')), all);
    assert.deepEqual(outcomes(await many(rows, '?atomic=true')), all);
    const again = await many(rows);
    assert.deepEqual(outcomes(again), ['erased', 'unchanged', 'unchanged', 'erased']);
    assert.deepEqual([again.body.summary.erased, again.body.summary.failed], [2, 0]);
    const lines = [visitor('d'), visitor('e', recent)].map((row) => JSON.stringify(row));
    const streamed = await service.send('POST', `${PATH}/upsert_many`, {
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: `${lines.join('\n')}\n`,
    });
    const [first, second] = streamed.text.split('\n').map((line) => line && JSON.parse(line));
    assert.deepEqual([first.outcome, second.outcome], ['erased', 'created'], streamed.text);
    // A clock that is years ahead of what the store has seen makes no system forget its records.
    await service.app.store.noteTime(clock);
    clock += 3 * YEAR * DAY;
    assert.equal((await send(visitor('ahead', recent))).status, 200);
    await isPast(send(visitor('ahead')));
    clock -= 3 * YEAR * DAY;
    await service.app.store.retention.remove(rule);
    assert.equal((await send(visitor('new'))).status, 200);
  });

  it('is refused with an Idempotency-Key, too, and while it is sent by many at once', async () => {
    await enable();
    const headers = { 'Idempotency-Key': 'one' };
    const sent = () => service.json(`${PATH}/upsert`, visitor('new'), { headers });
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
    assert.equal((await send(visitor('elsewhere'))).status, 200);
    await enable({ location });
    await isPast(send(visitor('held')));
    const { secret } = await service.newKey({ permissions: ['read'], allow: ['hold'] });
    const hold = { account, record: old, matter: 'A claim' };
    const held = await service.json('/v1/holds', hold, { key: secret });
    assert.equal(held.status, 200, held.text);
    assert.equal((await send(visitor('held'))).status, 200);
  });

  it('may be a service, and what belongs to one that is', async () => {
    await enable({ resource: 'event' });
    const sent = eventBody(location, 'older', { event_datetime: '0001-01-02T00:00:00Z' });
    await isPast(service.json('/v1/events/upsert', sent));
    await isPast(send(visitor('below')));
    assert.equal((await send(visitor('below', recent))).status, 200);
    const known = { ...sent, external_identifier: 'old', event_name: 'Corrected' };
    assert.equal((await service.json('/v1/events/upsert', known)).status, 200);
  });

  it('is not restored', async () => {
    const { body } = await send(visitor('removed'));
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
    await send(visitor('known'));
    await enable();
    const { secret: key } = await service.newKey({});
    const begun = await service.json(
      '/v1/syncs',
      { resource: 'event_check_in_record', location },
      { key },
    );
    const sync = begun.body.unique_identifier;
    const headers = { 'Ledgerstone-Sync': sync };
    const sent = await service.json(`${PATH}/upsert_many`, [visitor('new'), visitor('known')], {
      ...{ key, headers },
    });
    assert.deepEqual([sent.body.summary.failed, sent.body.summary.erased], [0, 1], sent.text);
    const finished = await service.json(`/v1/syncs/${sync}/finish`, {}, { key });
    assert.deepEqual([finished.body.status, finished.body.removed], ['finished', {}]);
  });

  it('is kept for some time before, and an erasure waits for that', async () => {
    // With a key rules run, which stops those of the other tests.
    const without = service;
    service = await startService({ now: () => clock, settings: keyed() });
    whenOver(async () => {
      service = without;
    });
    account = service.account.unique_identifier;
    location = await service.location('keyed');
    recent = await serviceOn('recent', YEAR - 2);
    const { body } = await send(visitor('young', recent));
    const record = body.unique_identifier;
    const rule = await enable({ at_least_days: YEAR, after_days: 2 * YEAR, status: 'paused' });
    for (const path of [`${PATH}/${record}`, `/v1/events/${recent}?cascade=true`]) {
      const { status, body, text } = await service.send('DELETE', path);
      assert.deepEqual([status, body.error?.code], [409, 'record_held'], text);
      assert.match(body.error.message, new RegExp(rule));
    }
    const { secret: key } = await service.newKey({ permissions: ['read'], allow: ['erase'] });
    const begun = await service.json('/v1/erasures', { account, records: [record] }, { key });
    const path = `/v1/erasures/${begun.body.unique_identifier}`;
    const ran = await service.json(`${path}/run`, { records: [record] }, { key });
    const [left] = ran.body.left;
    assert.deepEqual([ran.body.status, left.code, left.held_by], ['waiting', 'record_held', rule]);
    clock += 3 * DAY;
    const status = async () => (await service.get(path, { key })).body.status;
    await until(async () => (await status()) === 'done', 60_000);
    assert.equal((await service.get(`${PATH}/${record}`)).status, 410);
    clock -= 3 * DAY;
  });
});
