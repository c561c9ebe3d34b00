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

type Query = Record<string, string>;
const at = (path: string, query: Query) => `/v1/${path}?${new URLSearchParams(query)}`;
const remove = (path: string, query: Query, sent: Sent = {}): Promise<Answer> =>
  stage.service.send('DELETE', at(path, query), sent);
const patch = (path: string, query: Query, body: Body, sent: Sent = {}) =>
  stage.service.patch(at(path, query), body, sent);
/** Both, of an event or a location. */
const ways = {
  DELETE: remove,
  PATCH: (path: string, query: Query, sent?: Sent) =>
    patch(path, query, { [path === 'events' ? 'event_name' : 'location_name']: 'x' }, sent),
};

async function read(path: string, { unique_identifier }: Body): Promise<Body> {
  return (await stage.service.get(`/v1/${path}/${unique_identifier}`)).body;
}

async function stands(path: string, { unique_identifier }: Body): Promise<boolean> {
  return (await stage.service.get(`/v1/${path}/${unique_identifier}`)).status === 200;
}

for (const { path, parent, full } of examples) {
  const { external_identifier: _, ...fields } = full;

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

  it(`${path}: changes the record, whichever way its parent is named, and no other`, async () => {
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
    const answer = await patch(path, { external_identifier: 'not there', ...named }, fields);
    assert.equal(answer.status, 404, answer.text);
    assert.deepEqual(faultsOf(answer), [['external_identifier', 'resource_missing']]);
    const list = await stage.service.get(`/v1/${path}?external_identifier=not%20there`);
    assert.deepEqual(list.body.data, []);
  });
}

describe('What it never does by accident', () => {
  it('names all that is wrong with the query and the body, and does nothing', async () => {
    const event = await made('events', 'stands');
    const place = { location_unique_identifier: stage.parents.location };
    const away = { location_external_identifier: 'chapel' };
    const own = { external_identifier: 'stands' };
    const body = { event_name: 'changed' };
    const missing = (...names: string[]) => names.map((name) => [name, 'parameter_missing']);
    const conflict = ['location_external_identifier', 'parameters_conflict'];
    // What is wrong with both, and with one of them.
    const both: readonly (readonly [Query, faults: unknown[]])[] = [
      [{}, missing('external_identifier', 'location_unique_identifier')],
      [place, missing('external_identifier')],
      [{ ...place, external_identifier: '' }, missing('external_identifier')],
      [own, missing('location_unique_identifier')],
      [{ ...own, ...away }, missing('account_unique_identifier')],
      [{ ...own, ...place, ...away }, [conflict]],
      [{ ...own, ...place, event_name: 'x' }, [['event_name', 'parameter_unknown']]],
    ];
    const wrong = async (answer: Answer, faults: unknown) => {
      assert.equal(answer.status, 400, answer.text);
      assert.deepEqual(faultsOf(answer), faults, answer.text);
    };
    for (const [query, faults] of both) {
      await wrong(await remove('events', query), faults);
      await wrong(await patch('events', query, body), faults);
    }
    const cascade = await remove('events', { ...own, ...place, cascade: 'maybe' });
    await wrong(cascade, [['cascade', 'type_invalid']]);
    for (const [query, sent, ...faults] of [
      [{ ...place, ...away }, { event_name: 7 }, conflict, ['event_name', 'type_invalid']],
      [{ ...place, cascade: 'true' }, body, ['cascade', 'parameter_unknown']],
      [place, { external_identifier: 'x', ...body }, ['external_identifier', 'value_invalid']],
    ] as const)
      await wrong(await patch('events', { ...own, ...query }, sent), faults);
    assert.deepEqual(await read('events', event), event);
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

  for (const [method, send] of Object.entries(ways))
    it(`a parent that is not there is 404, and named: ${method}`, async () => {
      const query = { external_identifier: 'x', location_unique_identifier: 'nothing' };
      const answer = await send('events', query);
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
});

describe('It is as by the unique identifier in all else', () => {
  const query = (external_identifier: string, more = {}) => ({
    external_identifier,
    location_external_identifier: 'chapel',
    account_unique_identifier: stage.parents.account,
    ...more,
  });

  for (const [method, send] of Object.entries(ways))
    it(`takes If-Match: ${method}`, async () => {
      const event = await made('events', 'matched');
      const match = (tag: string) =>
        send('events', query('matched'), { headers: { 'If-Match': tag } });
      refused(await match('"7"'), 412, 'record_changed');
      assert.deepEqual(await read('events', event), event);
      const fresh = await match('"1"');
      assert.equal(fresh.status, 200, fresh.text);
      if (method === 'PATCH') assert.equal(fresh.headers.get('etag'), '"2"');
    });

  it('a DELETE takes no body', async () => {
    const event = await made('events', 'bodied');
    const headers = { 'Content-Type': 'application/json' };
    refused(
      await remove('events', query('bodied'), { headers, body: '{}' }),
      400,
      'body_unexpected',
    );
    assert.ok(await stands('events', event));
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

  for (const [method, send] of Object.entries(ways))
    it(`takes an Idempotency-Key, and a repetition does nothing more: ${method}`, async () => {
      const as = `repeated ${method}`;
      await made('events', as);
      const headers = { 'Idempotency-Key': `by-pair-${method}` };
      const first = await send('events', query(as), { headers });
      assert.equal(first.status, 200, first.text);
      // What was removed is made again, and what was changed is changed back.
      const next = await made('events', as);
      const again = await send('events', query(as), { headers });
      assert.deepEqual(again.body, first.body);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assert.deepEqual(await read('events', next), next);
    });
});

describe('Keys', () => {
  it('of a location reach what is below it; elsewhere they learn nothing, and they remove no location', async () => {
    const { service, parents } = stage;
    const away = await service.location('elsewhere');
    const { secret: key } = await service.newKey({ anchors: [away] });
    const here = await made('events', 'mine');
    const there = await made('events', 'mine', { location_unique_identifier: away });
    const account_unique_identifier = parents.account;
    for (const [method, send] of Object.entries(ways).reverse()) {
      const event = (location_unique_identifier: string) =>
        send('events', { external_identifier: 'mine', location_unique_identifier }, { key });
      refused(await event(parents.location), 404, 'resource_missing');
      assert.equal((await event(away)).status, 200);
      const location = (external_identifier: string) =>
        send('locations', { external_identifier, account_unique_identifier }, { key });
      const [strange, nowhere] = [await location('chapel'), await location('nowhere')];
      for (const one of [strange, nowhere]) assert.equal(one.status, 403, one.text);
      assert.deepEqual(faultsOf(strange), faultsOf(nowhere));
      const own = await location('elsewhere');
      if (method === 'PATCH') assert.equal(own.status, 200, own.text);
      else refused(own, 403, 'whole_account_needed');
    }
    assert.deepEqual(await read('events', here), here);
    assert.equal(await stands('events', there), false);
  });
});
