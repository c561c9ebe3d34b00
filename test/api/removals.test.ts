/** What a removal took away comes back whole, and whoever may see it finds it. */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pluck } from '../support/pluck.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import { type Body, joinService, type Service } from '../support/service.ts';
import { refused } from '../support/world.ts';

async function family(service: Service, as = 'f') {
  const location = await service.location();
  const memorial = { event_name: 'Memorial service', person: { full_name: 'Agnes Thornbury' } };
  const sent = eventBody(location, as, memorial);
  const { body: event } = await service.json('/v1/events/upsert', sent);
  const people: Body[] = [];
  for (const name of ['Ann', 'Ben', 'Cy']) {
    const sent = visitorBody(event.unique_identifier, name, { visitor_full_name: name });
    people.push((await service.json('/v1/event_check_in_records/upsert', sent)).body);
  }
  const kin = {
    ...{ event_unique_identifier: event.unique_identifier, external_identifier: 'kin' },
    ...{ person_full_name: 'Dora', person_phone_number: '+14155550124' },
  };
  people.push((await service.json('/v1/event_administrators/upsert', kin)).body);
  return { location, event, people };
}

const PATHS: Record<string, string> = {
  ...{ loc_: 'locations', evt_: 'events' },
  ...{ ecr_: 'event_check_in_records', ead_: 'event_administrators' },
};
const at = ({ unique_identifier: id }: Body): string => `/v1/${PATHS[id.slice(0, 4)]}/${id}`;

async function removeAll(service: Service, record: Body): Promise<string> {
  const { status, headers, text } = await service.send('DELETE', `${at(record)}?cascade=true`);
  assert.equal(status, 200, text);
  const removal = headers.get('ledgerstone-removal') ?? '';
  assert.match(removal, /^rem_[0-9A-Za-z]{22}$/);
  return removal;
}

const restore = (service: Service, removal: string, query = '') =>
  service.send('POST', `/v1/removals/${removal}/restore${query}`);

describe('A removal', () => {
  it('is undone whole: every record comes back as it was', async () => {
    const service = await joinService();
    const { event, people } = await family(service);
    const removal = await removeAll(service, event);
    assert.equal((await service.get(at(people[0] as Body))).status, 404);
    const rehearsed = await restore(service, removal, '?dry_run=true');
    assert.equal(rehearsed.headers.get('ledgerstone-dry-run'), 'true');
    assert.deepEqual([rehearsed.body.restored, rehearsed.body.left_count], [5, 0]);
    assert.equal((await service.get(at(event))).status, 404);
    const { status, body, text } = await restore(service, removal);
    assert.equal(status, 200, text);
    assert.deepEqual(body, {
      ...{ object: 'restored_removal', unique_identifier: removal },
      ...{ restored: 5, left: [], left_count: 0 },
    });
    for (const record of [event, ...people]) {
      const { updated_at: _, ...now } = (await service.get(at(record))).body;
      const { updated_at: __, ...before } = record;
      assert.deepEqual(now, before);
    }
    const again = await restore(service, removal);
    assert.deepEqual([again.status, again.body.restored, again.body.left_count], [200, 0, 0]);
  });

  it('is listed with the name of its first record, what went with it, and who did it', async () => {
    const service = await joinService();
    const { location, event, people } = await family(service);
    const [visitor] = people as [Body, ...Body[]];
    const one = await removeAll(service, visitor);
    const whole = await removeAll(service, event);
    const { body } = await service.get('/v1/removals');
    assert.deepEqual(pluck(body.data, 'unique_identifier', 'count'), [
      [whole, 4],
      [one, 1],
    ]);
    const [first] = body.data;
    assert.deepEqual(
      { ...first, removed_at: '', key: '', account: '' },
      {
        ...{ object: 'removal', unique_identifier: whole, account: '', resource: 'event' },
        ...{ record: event.unique_identifier, external_identifier: 'f', name: 'Agnes Thornbury' },
        ...{ location, count: 4, version: 1, key: '', removed_at: '' },
      },
    );
    assert.deepEqual((await service.get(`/v1/removals/${whole}`)).body, first);
    const past = await service.get(`${at(event)}?version=${first.version}`);
    assert.equal(past.body.event_name, 'Memorial service');
    const found = async (query: string) =>
      pluck((await service.get(`/v1/removals?${query}`)).body.data, 'unique_identifier');
    for (const name of ['thornb', 'ben', 'dora'])
      assert.deepEqual(await found(`q=${name}`), [whole]);
    assert.deepEqual(await found('q=nobody'), []);
    assert.deepEqual(await found('resource[]=event_check_in_record'), [one]);
    for (const { unique_identifier } of [event, ...people]) {
      const took = unique_identifier === visitor.unique_identifier ? one : whole;
      assert.deepEqual(await found(`record=${unique_identifier}`), [took]);
    }
    assert.deepEqual(await found(`record=${location}`), []);
    assert.deepEqual(await found('limit=1'), [whole]);
    assert.deepEqual(await found(`limit=1&starting_after=${whole}`), [one]);
    assert.equal((await restore(service, whole)).body.restored, 4);
    assert.deepEqual(await found('limit=10'), [one]);
    assert.equal((await service.get(`/v1/removals/${whole}`)).body.error.code, 'removal_missing');
  });

  it('leaves what came in again meanwhile, says so, and puts what belonged to it below that', async () => {
    const service = await joinService();
    const { location, event, people } = await family(service);
    const removal = await removeAll(service, event);
    const sent = eventBody(location, 'f', { event_name: 'Again' });
    const { body: again } = await service.json('/v1/events/upsert', sent);
    const { visitor_full_name: ann } = people[0] as Body;
    const visitor = visitorBody(again.unique_identifier, ann, { visitor_full_name: 'Anna' });
    const { body: anna } = await service.json('/v1/event_check_in_records/upsert', visitor);
    for (const [query, restored] of [
      ['?dry_run=true', 3],
      ['', 3],
      ['', 0],
    ] as const) {
      const { status, body } = await restore(service, removal, query);
      assert.deepEqual([status, body.restored, body.left_count], [200, restored, 2]);
      assert.deepEqual(pluck(body.left, 'record', 'external_identifier', 'code'), [
        [event.unique_identifier, 'f', 'record_exists'],
        [people[0]?.unique_identifier, ann, 'record_exists'],
      ]);
      assert.match(body.left[0].message, new RegExp(again.unique_identifier));
      assert.match(body.left[1].message, new RegExp(anna.unique_identifier));
    }
    assert.equal((await service.get(at(again))).body.event_name, 'Again');
    const below = `/v1/event_check_in_records?event_unique_identifier=${again.unique_identifier}`;
    assert.equal((await service.get(below)).body.data.length, 3);
    await removeAll(service, again);
    assert.equal((await restore(service, removal)).body.restored, 2);
  });

  it('brings back what its record took along, not what was removed before', async () => {
    const service = await joinService();
    const { location, event, people } = await family(service);
    const [visitor] = people as [Body, ...Body[]];
    await removeAll(service, visitor);
    const removal = await removeAll(service, { unique_identifier: location });
    assert.equal((await restore(service, removal)).body.restored, 5);
    assert.equal((await service.get(at(event))).status, 200);
    assert.equal((await service.get(at(visitor))).status, 404);
  });

  it('of many records comes back whole', async () => {
    const service = await joinService();
    const { event } = await family(service);
    const { unique_identifier } = event;
    const rows = Array.from({ length: 730 }, (_, at) => visitorBody(unique_identifier, `n-${at}`));
    await service.json('/v1/event_check_in_records/upsert_many', rows);
    const removal = await removeAll(service, event);
    assert.equal((await restore(service, removal)).body.restored, 735);
    const query = `limit=1000&event_unique_identifier=${unique_identifier}`;
    const listed = await service.get(`/v1/event_check_in_records?${query}`);
    assert.equal(listed.body.data.length, 733);
  });

  it('is of those who may see and write all of it', async () => {
    const service = await joinService();
    const { event } = await family(service);
    const removal = await removeAll(service, event);
    const limited = { key: (await service.newKey({ resources: ['events'] })).secret };
    refused(await service.send('POST', `/v1/removals/${removal}/restore`, limited), 403);
    const search = async (q: string, sent = {}) =>
      (await service.get(`/v1/removals?q=${q}`, sent)).body.data.length;
    assert.deepEqual([await search('ben'), await search('ben', limited)], [1, 0]);
    assert.equal(await search('thornbury', limited), 1);
    assert.equal((await service.get(at(event))).status, 404);
  });
});
