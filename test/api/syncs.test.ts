/** Syncs: a source sends all that it has at a place; what it left out goes, and nothing of anybody else does. */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Body, joinService, type Service } from '../support/service.ts';

async function ground(service: Service = joined) {
  count += 1;
  const location = await service.location(`at ${count}`);
  const make = async (name: string, more = {}) => (await service.newKey({ name, ...more })).secret;
  const row = (external_identifier: string, event_name = 'A service', at = location) => ({
    ...{ location_unique_identifier: at, external_identifier, event_name },
    event_datetime: '2026-11-20T14:30:00Z',
  });
  const send = (key: string, rows: readonly object[], sync?: string) =>
    service.json('/v1/events/upsert_many', rows, {
      key,
      headers: sync === undefined ? {} : { 'Ledgerstone-Sync': sync },
    });
  const begin = async (key: string, more = {}) => {
    const begun = await service.json(
      '/v1/syncs',
      { resource: 'event', location, ...more },
      { key },
    );
    assert.equal(begun.status, 200, begun.text);
    return begun.body.unique_identifier as string;
  };
  const finish = (key: string, sync: string, more = {}) =>
    service.json(`/v1/syncs/${sync}/finish`, more, { key });
  const there = async () => {
    const { body } = await service.get(
      `/v1/events?location_unique_identifier=${location}&limit=1000`,
    );
    return body.data.map((one: Body) => one.external_identifier).sort();
  };
  return { service, location, make, row, send, begin, finish, there };
}

const joined = await joinService();
let count = 0;

describe('syncs', { concurrency: true }, () => {
  it('remove what the source left out, tell it before, and restore it when undone', async () => {
    const { make, row, send, begin, finish, there, service } = await ground();
    const key = await make('Nightly');
    await send(
      key,
      ['a', 'b', 'c'].map((name) => row(name)),
    );
    const sync = await begin(key);
    const sent = await send(key, [row('a'), row('d')], sync);
    assert.equal(sent.status, 200, sent.text);
    const rehearsed = await finish(key, sync, { dry_run: true });
    assert.deepEqual(rehearsed.body.removed, { event: 2 }, rehearsed.text);
    assert.deepEqual(rehearsed.body.records.map((one: Body) => one.external_identifier).sort(), [
      'b',
      'c',
    ]);
    assert.equal(rehearsed.body.status, 'open');
    assert.deepEqual(await there(), ['a', 'b', 'c', 'd']);
    const finished = await finish(key, sync);
    assert.equal(finished.body.status, 'finished', finished.text);
    assert.deepEqual(finished.body.removed, { event: 2 });
    assert.deepEqual(await there(), ['a', 'd']);
    assert.deepEqual((await finish(key, sync)).body, finished.body, 'again it does nothing');
    const late = await send(key, [row('e')], sync);
    assert.deepEqual([late.status, late.body.error.code], [409, 'sync_ended']);
    const undone = await service.send('POST', `/v1/syncs/${sync}/undo`, { key });
    assert.equal(undone.body.status, 'undone', undone.text);
    assert.equal(undone.body.restored, 2);
    assert.deepEqual(await there(), ['a', 'b', 'c', 'd']);
  });

  it('of two sources at one place lose nothing of each other', async () => {
    const { make, row, send, begin, finish, there, service } = await ground();
    const [one, two] = [await make('One'), await make('Two')];
    await send(
      one,
      ['a1', 'a2', 'both'].map((name) => row(name)),
    );
    await send(
      two,
      ['b1', 'b2'].map((name) => row(name)),
    );
    await send(two, [row('both', 'Changed by the other')]);
    const { body } = await service.get('/v1/events?external_identifier=a2');
    const [{ unique_identifier: parent }] = body.data;
    await service.json(
      '/v1/event_check_in_records/upsert',
      {
        ...{ event_unique_identifier: parent, external_identifier: 'guest' },
        ...{ visitor_full_name: 'Nora Lane', visitor_phone_number: '+12175550153' },
      },
      { key: two },
    );
    for (const key of [one, two]) {
      const sync = await begin(key);
      await send(key, [row(key === one ? 'a1' : 'b1')], sync);
      const { body: done, text } = await finish(key, sync);
      assert.equal(done.status, 'finished', text);
      if (key === one) {
        assert.deepEqual(done.removed, {});
        assert.deepEqual(
          done.left.map((each: Body) => [each.external_identifier, each.reason]).sort(),
          [
            ['a2', 'children_of_other'],
            ['both', 'changed_by_other'],
          ],
        );
      } else assert.deepEqual(done.removed, { event: 1 });
    }
    assert.deepEqual(await there(), ['a1', 'a2', 'b1', 'both']);
  });

  it('see rows that are unchanged, refused or sent one by one', async () => {
    const { make, row, send, begin, finish, there, service } = await ground();
    const key = await make('Nightly');
    await send(
      key,
      ['same', 'wrong', 'single', 'bad', 'gone'].map((name) => row(name)),
    );
    const sync = await begin(key);
    await send(key, [row('same'), { ...row('wrong'), event_datetime: 'soon' }], sync);
    const headers = { 'Ledgerstone-Sync': sync };
    await service.json('/v1/events/upsert', row('single'), { key, headers });
    const bad = await service.json(
      '/v1/events/upsert',
      { ...row('bad'), what: 1 },
      { key, headers },
    );
    assert.equal(bad.status, 400);
    const done = await finish(key, sync);
    assert.deepEqual(done.body.removed, { event: 1 }, done.text);
    assert.deepEqual(await there(), ['bad', 'same', 'single', 'wrong']);
  });

  it('remove no more than their share, and finish with a larger one', async () => {
    const { make, row, send, begin, finish, there } = await ground();
    const key = await make('Nightly');
    const names = Array.from({ length: 30 }, (_, at) => `n${at}`);
    await send(
      key,
      names.map((name) => row(name)),
    );
    const sync = await begin(key, { at_most: '10%' });
    await send(
      key,
      names.slice(0, 10).map((name) => row(name)),
      sync,
    );
    const refused = await finish(key, sync);
    assert.deepEqual(
      [refused.status, refused.body.error.code, refused.body.error.param],
      [409, 'sync_removes_too_much', 'at_most'],
    );
    assert.equal((await there()).length, 30);
    const wrong = await finish(key, sync, { at_most: '101%' });
    assert.deepEqual([wrong.status, wrong.body.error.param], [400, 'at_most']);
    const done = await finish(key, sync, { at_most: '70%' });
    assert.deepEqual(done.body.removed, { event: 20 }, done.text);
  });

  it('refuse what is of another source, resource or place, and say why', async () => {
    const { make, row, send, begin, finish, service } = await ground();
    const [key, other] = [await make('Nightly'), await make('Other')];
    const sync = await begin(key);
    for (const [by, id, status, code] of [
      [other, sync, 409, 'sync_mismatch'],
      [key, `syn_${'0'.repeat(22)}`, 404, 'resource_missing'],
      [key, 'nothing', 400, 'header_invalid'],
    ] as const) {
      const answer = await send(by, [row('x')], id);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code], answer.text);
    }
    const elsewhere = await service.location(`elsewhere ${count}`);
    const { body } = await send(key, [row('x', 'A', elsewhere), row('y')], sync);
    assert.equal(body.data?.[0]?.error?.code ?? body.results?.[0]?.error?.code, 'sync_mismatch');
    assert.equal((await finish(other, sync)).body.error.code, 'sync_mismatch');
    const both = await service.json(
      '/v1/syncs',
      { resource: 'event', location: elsewhere, account: service.account.unique_identifier },
      { key },
    );
    assert.equal(both.body.error.code, 'parameters_conflict');
    const reader = await make('Reader', { permissions: ['read', 'write'] });
    const denied = await service.json(
      '/v1/syncs',
      { resource: 'event', location: elsewhere },
      { key: reader },
    );
    assert.equal(denied.status, 403);
    const again = await begin(key);
    const replaced = await send(key, [row('y')], sync);
    assert.deepEqual([replaced.status, replaced.body.error.code], [409, 'sync_ended']);
    assert.equal((await send(key, [row('y')], again)).status, 200);
  });
});
