/** What happened to a record, and how it comes back. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pluck } from '../support/pluck.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import { type Body, joinService, type Service, startService } from '../support/service.ts';
import { refused } from '../support/world.ts';

async function setUp(service: Service) {
  const location = await service.location();
  const event = await service.event(location);
  const checkIn = async (more: object): Promise<Body> => {
    const sent = visitorBody(event, 'a', { visitor_full_name: 'Ann', ...more });
    return (await service.json('/v1/event_check_in_records/upsert', sent)).body;
  };
  const funeral = async (more: object): Promise<Body> => {
    const sent = eventBody(location, 'f', { event_name: 'Ann', ...more });
    return (await service.json('/v1/events/upsert', sent)).body;
  };
  return { service, location, event, checkIn, funeral };
}

/** The address of a record of either resource. */
const at = (id: string, more = '') =>
  `/v1/${id.startsWith('evt_') ? 'events' : 'event_check_in_records'}/${id}${more}`;

async function history(service: Service, id: string, query = ''): Promise<Body> {
  return (await service.get(at(id, `/history${query}`))).body;
}

const restore = (service: Service, id: string, version: unknown, headers = {}, query = '') =>
  service.json(at(id, `/restore${query}`), { version }, { headers });

describe('The history of a record', () => {
  it('tells every change, the newest first, with what it made of each member', async () => {
    const { service, location, funeral } = await setUp(await joinService());
    const { unique_identifier: id } = await funeral({ additional_event_metadata: { table: 4 } });
    await funeral({ event_name: 'Ann Doe', additional_event_metadata: { table: null, seat: 'B' } });
    await service.send('DELETE', at(id));
    const { object, url, has_more, data } = await history(service, id);
    assert.deepEqual([object, url, has_more], ['list', at(id, '/history'), false]);
    assert.deepEqual(
      data.map(({ outcome, version }: Body) => `${outcome} ${version}`),
      ['deleted 3', 'updated 2', 'created 1'],
    );
    const [deleted, updated, created] = data;
    assert.match(updated.unique_identifier, /^chg_/);
    assert.equal(updated.location, location);
    assert.deepEqual(updated.changes, [
      { member: 'event_name', before: 'Ann', after: 'Ann Doe' },
      { member: 'public_data.additional_event_metadata.table', before: 4, after: null },
      { member: 'public_data.additional_event_metadata.seat', before: null, after: 'B' },
    ]);
    assert.ok(created.changes.every(({ before }: Body) => before === null));
    assert.ok(deleted.changes.every(({ after }: Body) => after === null));
    const first = await history(service, id, '?limit=1');
    assert.deepEqual([first.data, first.has_more], [[deleted], true]);
    const rest = await history(service, id, `?starting_after=${deleted.unique_identifier}`);
    assert.deepEqual([rest.data, rest.has_more], [[updated, created], false]);
  });

  it('is shown of a removed record, too, to callers alone that may see it', async () => {
    const { service, checkIn } = await setUp(await joinService());
    const { unique_identifier: id } = await checkIn({});
    const elsewhere = await service.location('elsewhere');
    const { secret } = await service.newKey({ anchors: [elsewhere] });
    await service.send('DELETE', at(id));
    const hidden = await service.get(at(id, '/history'), { key: secret });
    refused(hidden, 404, 'resource_missing');
    refused(await service.get(at(id, '/history?starting_after=chg_x')), 400, 'position_unknown');
  });

  it('answers a record as it was at any version, with the tag of that', async () => {
    const { service, checkIn } = await setUp(await joinService());
    const made = await checkIn({});
    const id = made.unique_identifier;
    await checkIn({ visitor_full_name: 'Ann Doe' });
    const now = await service.get(at(id));
    const before = await service.get(at(id, '?version=1'));
    assert.deepEqual(before.body, made);
    assert.equal(before.headers.get('etag'), '"1"');
    assert.deepEqual((await service.get(at(id, '?version=2'))).body, now.body);
    await service.send('DELETE', at(id));
    assert.equal((await service.get(at(id))).status, 404);
    assert.deepEqual((await service.get(at(id, '?version=2'))).body, now.body);
    for (const version of [3, 4])
      refused(await service.get(at(id, `?version=${version}`)), 404, 'version_missing');
  });

  it('brings the content of an earlier version back, as a new version', async () => {
    const { service, funeral } = await setUp(await joinService());
    const made = await funeral({ additional_event_metadata: { table: 4 } });
    const id = made.unique_identifier;
    await funeral({ event_name: 'Bob', additional_event_metadata: { table: null, seat: 1 } });
    refused(await restore(service, id, 1, { 'If-Match': '"1"' }), 412, 'record_changed');
    const dry = await restore(service, id, 1, {}, '?dry_run=true');
    assert.equal(dry.headers.get('ledgerstone-outcome'), 'updated');
    const back = await restore(service, id, 1, { 'If-Match': '"2"' });
    assert.equal(back.status, 200, back.text);
    assert.equal(back.headers.get('etag'), '"3"');
    const { updated_at: _, ...rest } = back.body;
    const { updated_at: __, ...first } = made;
    assert.deepEqual(rest, first);
    const { data } = await history(service, id, '?limit=1');
    assert.deepEqual([data[0].outcome, data[0].version], ['restored', 3]);
    const again = await restore(service, id, 1);
    assert.equal(again.headers.get('ledgerstone-outcome'), 'unchanged');
    refused(await restore(service, id, 9), 404, 'version_missing');
    refused(await restore(service, id, 'one'), 400, 'type_invalid', 'version');
  });

  it('brings a removed record back as itself, where it still has its place', async () => {
    const { service, event, checkIn } = await setUp(await joinService());
    const made = await checkIn({});
    const id = made.unique_identifier;
    await service.send('DELETE', at(id));
    refused(await restore(service, id, 1, { 'If-Match': '*' }), 412, 'record_changed');
    const back = await restore(service, id, 1, { 'Idempotency-Key': 'once' });
    assert.equal(back.status, 200, back.text);
    assert.equal(back.headers.get('ledgerstone-outcome'), 'created');
    assert.equal(back.headers.get('etag'), '"3"');
    assert.equal(back.body.inserted_at, made.inserted_at);
    const replayed = await restore(service, id, 1, { 'Idempotency-Key': 'once' });
    assert.equal(replayed.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual((await service.get(at(id))).body, back.body);

    await service.send('DELETE', at(id));
    const other = await checkIn({ visitor_full_name: 'Somebody else' });
    assert.notEqual(other.unique_identifier, id);
    refused(await restore(service, id, 1), 409, 'record_exists');

    await service.send('DELETE', `/v1/events/${event}?cascade=true`);
    const orphan = await restore(service, id, 1);
    refused(orphan, 404, 'resource_missing');
    assert.match(orphan.body.error.message, /restore the event first/);
    const parent = await restore(service, event, 1);
    assert.equal(parent.status, 200, parent.text);
    assert.equal((await restore(service, id, 1)).status, 200);
  });

  it('is there at once of what went with another record', async () => {
    const { service, event, checkIn } = await setUp(await joinService());
    const sent = Array.from({ length: 400 }, (_, nth) =>
      visitorBody(event, `v${nth}`, { visitor_full_name: `Visitor ${nth}` }),
    );
    await service.json('/v1/event_check_in_records/upsert_many', sent);
    const { unique_identifier: id } = await checkIn({});
    await service.send('DELETE', `/v1/events/${event}?cascade=true`);
    const { data } = await history(service, id);
    assert.deepEqual(pluck(data, 'outcome'), ['deleted', 'created']);
  });

  it('keeps nothing where the operator says so', async () => {
    const alone = await startService({ settings: { history_days: '0' } });
    const { service, checkIn } = await setUp(alone);
    const { unique_identifier: id } = await checkIn({});
    await checkIn({ visitor_full_name: 'Bob' });
    const { data } = await history(service, id);
    assert.deepEqual(pluck(data, 'outcome', 'changes'), [
      ['updated', null],
      ['created', null],
    ]);
    assert.equal((await service.get(at(id, '?version=1'))).body.error.code, 'version_missing');
    await service.send('DELETE', at(id));
    assert.equal((await service.get(at(id, '/history'))).status, 404);
  });
});
