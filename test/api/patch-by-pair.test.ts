/** PATCH /v1/<resource>?external_identifier=…: one record that is there, by its caller's own identifier and what it belongs to. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { faultsOf, waysTo } from '../support/scenario.ts';
import type { Answer, Body, Sent } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();
const { made } = stage;

const patch = (path: string, query: Record<string, string>, body: Body, sent: Sent = {}) =>
  stage.service.patch(`/v1/${path}?${new URLSearchParams(query)}`, body, sent);

async function read(path: string, { unique_identifier }: Body): Promise<Body> {
  return (await stage.service.get(`/v1/${path}/${unique_identifier}`)).body;
}

const outcomeOf = ({ headers }: Answer): string | null => headers.get('ledgerstone-outcome');

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

it('accounts are not changed through the interface', async () => {
  assert.equal((await patch('accounts', { external_identifier: 'x' }, {})).status, 405);
});
