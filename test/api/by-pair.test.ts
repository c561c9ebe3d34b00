/** DELETE and PATCH /v1/<resource>?external_identifier=…: one record that is there, by its caller's own identifier and what it belongs to. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf, waysTo } from '../support/scenario.ts';
import type { Answer, Body, Sent } from '../support/service.ts';
import { outcomeOf, refused, world } from '../support/world.ts';

const stage = world();
const { made } = stage;

const remove = (path: string, query: Record<string, string>, sent: Sent = {}): Promise<Answer> =>
  stage.service.send('DELETE', `/v1/${path}?${new URLSearchParams(query)}`, sent);

async function stands(path: string, { unique_identifier }: Body): Promise<boolean> {
  return (await stage.service.get(`/v1/${path}/${unique_identifier}`)).status === 200;
}

for (const { path, parent } of examples) {
  it(`${path}: removes the record, whichever way its parent is named, and no other`, async () => {
    const external_identifier = 'Case #1041 & more';
    for (const named of waysTo(stage, parent)) {
      const record = await made(path, external_identifier);
      const other = await made(path, 'another');
      const answer = await remove(path, { external_identifier, ...named });
      assert.equal(answer.status, 200, answer.text);
      const { object, unique_identifier } = record;
      assert.deepEqual(answer.body, { object, unique_identifier, deleted: true });
      assert.equal(outcomeOf(answer), 'deleted');
      assert.equal(answer.headers.get('ledgerstone-removed'), '1');
      assert.equal(await stands(path, record), false);
      assert.ok(await stands(path, other));
      const again = await remove(path, { external_identifier, ...named });
      assert.equal(again.status, 404);
      assert.deepEqual(faultsOf(again), [['external_identifier', 'resource_missing']]);
    }
  });
}

describe('What it never does by accident', () => {
  it('without an identifier it removes nothing, and says what to send', async () => {
    const event = await made('events', 'stands');
    const { location } = stage.parents;
    const place = { location_unique_identifier: location };
    const own = { external_identifier: 'stands' };
    const missing = (...names: string[]) =>
      names.map((name) => [name, 'parameter_missing'] as const);
    const away = { location_external_identifier: 'chapel' };
    type Query = Record<string, string>;
    const refusals: readonly (readonly [Query, ReturnType<typeof faultsOf>])[] = [
      [{}, missing('external_identifier', 'location_unique_identifier')],
      [place, missing('external_identifier')],
      [{ ...place, external_identifier: '' }, missing('external_identifier')],
      [own, missing('location_unique_identifier')],
      [{ ...own, ...away }, missing('account_unique_identifier')],
      [{ ...own, ...place, ...away }, [['location_external_identifier', 'parameters_conflict']]],
      [{ ...own, ...place, event_name: 'x' }, [['event_name', 'parameter_unknown']]],
      [{ ...own, ...place, cascade: 'maybe' }, [['cascade', 'type_invalid']]],
    ];
    for (const [query, faults] of refusals) {
      const answer = await remove('events', query);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), faults, answer.text);
    }
    assert.ok(await stands('events', event));
  });

  it('a record of that identifier under another parent stands', async () => {
    const away = await stage.service.location('away');
    const there = await made('events', 'two', { location_unique_identifier: away });
    const here = await made('events', 'two');
    const query = { external_identifier: 'two', location_unique_identifier: away };
    assert.equal((await remove('events', query)).status, 200);
    assert.ok(await stands('events', here));
    assert.equal(await stands('events', there), false);
  });

  it('a parent that is not there is 404, and named', async () => {
    const query = { external_identifier: 'x', location_unique_identifier: 'nothing' };
    const answer = await remove('events', query);
    assert.equal(answer.status, 404);
    assert.deepEqual(faultsOf(answer), [['location_unique_identifier', 'resource_missing']]);
  });

  it('a record that others belong to goes only with cascade=true, and a rehearsal tells', async () => {
    const { location } = stage.parents;
    const event = await made('events', 'parent');
    const json = { event_unique_identifier: event.unique_identifier };
    await made('event_administrators', 'child', json);
    const query = { external_identifier: 'parent', location_unique_identifier: location };
    refused(await remove('events', query), 409, 'record_has_children');
    const all = { ...query, cascade: 'true' };
    const told = await remove('events', { ...all, dry_run: 'true' });
    assert.equal(told.headers.get('ledgerstone-removed'), '2');
    assert.ok(await stands('events', event));
    const answer = await remove('events', all);
    assert.equal(answer.headers.get('ledgerstone-removed'), '2');
    assert.equal(await stands('events', event), false);
  });

  it('takes If-Match, and no body', async () => {
    const { location } = stage.parents;
    const event = await made('events', 'tagged');
    const query = { external_identifier: 'tagged', location_unique_identifier: location };
    const late = await remove('events', query, { headers: { 'If-Match': '"7"' } });
    refused(late, 412, 'record_changed');
    const headers = { 'Content-Type': 'application/json' };
    const bodied = await remove('events', query, { headers, body: '{}' });
    refused(bodied, 400, 'body_unexpected');
    assert.ok(await stands('events', event));
    assert.equal((await remove('events', query, { headers: { 'If-Match': '"1"' } })).status, 200);
  });
});

it('with an Idempotency-Key a repetition gets the first answer, and the next record of the pair stands', async () => {
  const { location } = stage.parents;
  await made('events', 'repeated');
  const query = { external_identifier: 'repeated', location_unique_identifier: location };
  const headers = { 'Idempotency-Key': 'remove-repeated' };
  const first = await remove('events', query, { headers });
  assert.equal(first.status, 200);
  const next = await made('events', 'repeated');
  const again = await remove('events', query, { headers });
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.ok(await stands('events', next));
});

describe('keys', () => {
  it('of a location remove what is below it, nothing elsewhere, and no location', async () => {
    const { service, parents } = stage;
    const away = await service.location('elsewhere');
    const { secret: key } = await service.newKey({ anchors: [away] });
    const here = await made('events', 'mine');
    const there = await made('events', 'mine', { location_unique_identifier: away });
    const at = (location_unique_identifier: string) =>
      remove('events', { external_identifier: 'mine', location_unique_identifier }, { key });
    refused(await at(parents.location), 404, 'resource_missing');
    assert.equal((await at(away)).status, 200);
    assert.ok(await stands('events', here));
    assert.equal(await stands('events', there), false);
    const own = { external_identifier: 'elsewhere', account_unique_identifier: parents.account };
    refused(await remove('locations', own, { key }), 403, 'whole_account_needed');
  });
});

const patch = (path: string, query: Record<string, string>, body: Body, sent: Sent = {}) =>
  stage.service.patch(`/v1/${path}?${new URLSearchParams(query)}`, body, sent);

async function read(path: string, { unique_identifier }: Body): Promise<Body> {
  return (await stage.service.get(`/v1/${path}/${unique_identifier}`)).body;
}

for (const { path, parent, full } of examples) {
  it(`${path}: changes the record, whichever way its parent is named, and no other`, async () => {
    const { external_identifier: _, ...fields } = full;
    for (const [at, named] of waysTo(stage, parent).entries()) {
      const external_identifier = `Case #${at} & more`;
      const record = await made(path, external_identifier);
      const other = await made(path, 'another');
      const answer = await patch(path, { external_identifier, ...named }, fields);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(outcomeOf(answer), 'updated');
      assert.equal(answer.body.unique_identifier, record.unique_identifier);
      assert.deepEqual(await read(path, record), answer.body);
      assert.deepEqual(await read(path, other), other);
    }
  });

  it(`${path}: creates nothing`, async () => {
    const [named = {}] = waysTo(stage, parent);
    const { external_identifier: _, ...fields } = full;
    const answer = await patch(path, { external_identifier: 'not there', ...named }, fields);
    assert.equal(answer.status, 404, answer.text);
    assert.deepEqual(faultsOf(answer), [['external_identifier', 'resource_missing']]);
    const list = await stage.service.get(`/v1/${path}?external_identifier=not%20there`);
    assert.deepEqual(list.body.data, []);
  });
}

describe('What it says', () => {
  it('names all that is wrong with the query and the body, and changes nothing', async () => {
    const event = await made('events', 'stands');
    const place = { location_unique_identifier: stage.parents.location };
    const body = { event_name: 'changed' };
    const named = { external_identifier: 'stands' };
    const homeless = ['location_unique_identifier', 'parameter_missing'];
    const moved = { external_identifier: 'moved', ...body };
    for (const [query, sent, ...faults] of [
      [{}, body, ['external_identifier', 'parameter_missing'], homeless],
      [named, body, homeless],
      [
        { ...named, ...place, location_external_identifier: 'chapel' },
        { event_name: 7 },
        ['location_external_identifier', 'parameters_conflict'],
        ['event_name', 'type_invalid'],
      ],
      [{ ...named, ...place, cascade: 'true' }, body, ['cascade', 'parameter_unknown']],
      [{ ...named, ...place }, moved, ['external_identifier', 'value_invalid']],
    ] as const) {
      const answer = await patch('events', query, sent);
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), faults, answer.text);
    }
    assert.deepEqual(await read('events', event), event);
  });

  it('a parent that is not there is 404, and named', async () => {
    const query = { external_identifier: 'x', location_unique_identifier: 'nothing' };
    const answer = await patch('events', query, {});
    assert.equal(answer.status, 404);
    assert.deepEqual(faultsOf(answer), [['location_unique_identifier', 'resource_missing']]);
  });
});

describe('It is a PATCH in all else', () => {
  const query = (external_identifier: string, more = {}) => ({
    external_identifier,
    location_external_identifier: 'chapel',
    account_unique_identifier: stage.parents.account,
    ...more,
  });

  it('takes If-Match', async () => {
    await made('events', 'matched');
    const match = (tag: string) =>
      patch('events', query('matched'), { event_name: 'a' }, { headers: { 'If-Match': tag } });
    const stale = await match('"7"');
    assert.equal(stale.status, 412, stale.text);
    const fresh = await match('"1"');
    assert.equal(fresh.status, 200, fresh.text);
    assert.equal(fresh.headers.get('etag'), '"2"');
  });

  it('takes dry_run and expand[]', async () => {
    const event = await made('events', 'rehearsed');
    const asked = query('rehearsed', { dry_run: 'true' });
    const answer = await patch('events', asked, { event_name: 'b' });
    assert.equal(answer.headers.get('ledgerstone-dry-run'), 'true', answer.text);
    assert.deepEqual(await read('events', event), event);
    const wide = await patch('events', query('rehearsed', { 'expand[]': 'location' }), {});
    assert.equal(wide.body.location.unique_identifier, stage.parents.location, wide.text);
  });

  it('takes an Idempotency-Key: a repetition is answered as before', async () => {
    await made('events', 'repeated');
    const headers = { 'Idempotency-Key': 'patch-by-pair' };
    const first = await patch('events', query('repeated'), { event_name: 'c' }, { headers });
    await patch('events', query('repeated'), { event_name: 'd' });
    const again = await patch('events', query('repeated'), { event_name: 'c' }, { headers });
    assert.equal(again.headers.get('idempotent-replayed'), 'true', again.text);
    assert.equal(again.body.unique_identifier, first.body.unique_identifier);
    assert.equal((await read('events', first.body)).event_name, 'd');
  });
});

describe('Keys', () => {
  it('of a location change it and what is below it; elsewhere they learn nothing', async () => {
    const { service, parents } = stage;
    const away = await service.location('elsewhere');
    const { secret: key } = await service.newKey({ anchors: [away] });
    await made('events', 'mine');
    await made('events', 'mine', { location_unique_identifier: away });
    const at = async (location_unique_identifier: string) => {
      const asked = { external_identifier: 'mine', location_unique_identifier };
      return (await patch('events', asked, { event_name: 'x' }, { key })).status;
    };
    assert.equal(await at(away), 200);
    assert.equal(await at(parents.location), 404);
    const location = (external_identifier: string) => {
      const asked = { external_identifier, account_unique_identifier: parents.account };
      return patch('locations', asked, { location_name: 'x' }, { key });
    };
    assert.equal((await location('elsewhere')).status, 200);
    const strange = await location('chapel');
    const nowhere = await location('nowhere');
    assert.equal(strange.status, 403);
    assert.deepEqual(faultsOf(strange), faultsOf(nowhere));
    assert.equal(nowhere.status, 403);
  });
});
