/** A person who asks to be forgotten is: everywhere, and for good; and others are not. */
// needs: both stores with --all, long
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_STORED } from '../../src/services/erasures/erasures.ts';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody } from '../support/sent.ts';
import { folderGround } from '../support/service-ground.ts';
import { refused, world } from '../support/world.ts';

const MARK = 'Rumpelstilzchen';
const PHONE = '+14155550177';

describe('Erasures', () => {
  const on = world({ store: folderGround, settings: keyed() });
  const { service, ok, read, run, visitor, visit } = on;
  const post = (path: string, body: object, key = service.key) => service.json(path, body, { key });
  const begin = (selectors: object) =>
    ok('/v1/erasures', { account: on.account, ...selectors }, on.officer);
  it('find what is known of a person, each with what it was found by, and store nothing of the person', async () => {
    const one = await visit('Ida Thornbury', { visitor_phone_number: PHONE });
    const other = await visit('Ida Voss', { visitor_email_address: 'Ida@Example.com' });
    await visit('Leo Voss');
    while (await service.app.store.search.feed());
    const found = await begin({
      ...{ phone_numbers: [PHONE], email_addresses: ['ida@example.com'], names: ['ida'] },
      ...{ reference: 'letter', received_at: '2026-11-20T14:30:00Z' },
    });
    assert.deepEqual(pluck(found.matches, 'record', 'reasons'), [
      [one.unique_identifier, ['phone_number', 'name']],
      [other.unique_identifier, ['email_address', 'name']],
    ]);
    assert.partialDeepStrictEqual(found, {
      ...{ status: 'ready', erased: 0 },
      ...{ received_at: '2026-11-20T14:30:00Z', due_at: '2027-01-04T14:30:00Z' },
    });
    // An identifier may have such letters by chance.
    const rest = JSON.stringify(found).replaceAll(/_[0-9A-Za-z]{22}/g, '');
    assert.doesNotMatch(rest, /ida|555/i);
    const path = `/v1/erasures/${found.unique_identifier}`;
    assert.deepEqual(await read(path), found);
    const { data } = await read('/v1/erasures?limit=1');
    assert.deepEqual(data, [found]);
    const listed = async (query: string) =>
      pluck((await read(`/v1/erasures?${query}`)).data, 'unique_identifier');
    const isIn = async (query: string) => (await listed(query)).includes(found.unique_identifier);
    assert.deepEqual([await isIn('open=true'), await isIn('open=false')], [true, false]);
    const closed = await ok(`${path}/close`, { basis: 'kept by law' }, on.officer);
    assert.deepEqual([await isIn('open=true'), await isIn('open=false')], [false, true]);
    assert.deepEqual([closed.status, closed.basis], ['closed', 'kept by law']);
    const again = await post(`${path}/run`, { records: [one.unique_identifier] }, on.officer);
    refused(again, 409, 'erasure_closed');
  });

  it('find who is spelt nearly so, and say so', async () => {
    const exact = await visit('Gregor Kowalsky');
    const near = await visit('Gregor Kowalski');
    await visit('Gregor Kovacs');
    while (await service.app.store.search.feed());
    const { matches } = await begin({ names: ['Gregor Kowalsky'] });
    assert.deepEqual(pluck(matches, 'record', 'reasons'), [
      [exact.unique_identifier, ['name']],
      [near.unique_identifier, ['similar_name']],
    ]);
  });

  it('do not take again what was lifted', async () => {
    const at = await service.event(on.location, 'lifted');
    const one = await visit('Lifted One', { event_unique_identifier: at });
    const two = await visit('Lifted Two', { event_unique_identifier: at });
    const ids = [one.unique_identifier, two.unique_identifier];
    const { unique_identifier: id } = await begin({ records: [at, ...ids] });
    await run(id, [at, ids[0]]);
    for (const record of [at, ids[0]]) {
      const lifted = await ok(`/v1/erasures/${id}/lift`, { record }, on.officer);
      assert.ok(!lifted.records.includes(record));
      const again = await post(`/v1/erasures/${id}/lift`, { record }, on.officer);
      refused(again, 404, 'resource_missing', 'record');
    }
    const done = await run(id, [ids[1]]);
    assert.deepEqual([done.status, done.left, done.erased], ['done', [], 1]);
    assert.deepEqual(done.records, [ids[1]]);
    const found = await service.app.store.erasing.find([at, ...ids], [on.account]);
    assert.deepEqual(pluck(found, 'record'), [ids[1]]);
  });

  it('leave what others belong to until those are erased, too', async () => {
    const at = await service.location('small');
    const child = await service.event(at, 'small');
    const { unique_identifier: id } = await begin({ records: [at, child] });
    const first = await run(id, [at]);
    const left = [{ record: at, code: 'record_has_children', held_by: null }];
    assert.deepEqual([first.status, first.left], ['ready', left]);
    const both = await run(id, [child]);
    assert.deepEqual([both.status, both.left, both.erased], ['done', [], 2]);
  });

  it('redact and seal a service that others need', async () => {
    const upsertOf = (external_identifier: string) =>
      eventBody(on.location, external_identifier, {
        ...{ event_name: `Service for ${MARK}`, additional_event_metadata: { family: MARK } },
        person: { full_name: MARK, date_of_birth: '1950-02-03' },
      });
    const made = await ok('/v1/events/upsert', upsertOf(`case of ${MARK}`));
    const at = made.unique_identifier;
    const below = (name: string) => ({
      ...visitor(name),
      event_unique_identifier: undefined,
      event_external_identifier: `case of ${MARK}`,
      location_unique_identifier: on.location,
    });
    await ok('/v1/event_check_in_records/upsert', below('Before'));
    const { unique_identifier: id } = await begin({ records: [at] });
    const ran = await run(id, [at]);
    assert.deepEqual([ran.status, ran.left, ran.erased], ['done', [], 1]);
    const path = `/v1/events/${at}`;
    const { body: now } = await service.get(path);
    assert.equal(now.event_datetime, made.event_datetime);
    assert.deepEqual([now.event_name, now.public_data], ['Erased', {}]);
    assert.doesNotMatch(JSON.stringify(now), new RegExp(MARK));
    await ok('/v1/event_check_in_records/upsert', below('After'));
    const list = `/v1/event_check_in_records?event_unique_identifier=${at}`;
    const { data } = (await service.get(list)).body;
    assert.deepEqual(pluck(data, 'visitor_full_name'), ['After', 'Before']);
    // Also by the identifier that it had, which nothing shows any more.
    const name = encodeURIComponent(`case of ${MARK}`);
    const former = `location_unique_identifier=${on.location}&event_external_identifier=${name}`;
    const listed = await service.get(`/v1/event_check_in_records?${former}`);
    assert.deepEqual([listed.status, listed.body.data?.length], [200, 2], listed.text);
    assert.doesNotMatch(listed.text, new RegExp(MARK));
    const other = await service.get(`/v1/event_check_in_records?${former}x`);
    assert.equal(other.status, 404);
    for (const query of ['', '?dry_run=true']) {
      for (const external_identifier of [`case of ${MARK}`, now.external_identifier]) {
        const answer = await post(`/v1/events/upsert${query}`, upsertOf(external_identifier));
        refused(answer, 410, 'record_erased');
      }
    }
    refused(await service.patch(path, { event_name: 'X' }), 410, 'record_erased');
    for (const end of ['/history', '?version=1'])
      refused(await service.get(path + end), 410, 'record_erased');
  });

  it('leave what a record holds now, if only its past is to go', async () => {
    const relation = (text: string) =>
      visit('Typed Wrong', { visitor_relationship_to_deceased: text });
    await relation(`card 4111 of ${MARK}`);
    const { unique_identifier: record } = await relation('aunt');
    const { unique_identifier: id } = await begin({ records: [record] });
    const ran = await run(id, [record], { keep: 'current' });
    assert.deepEqual([ran.status, ran.erased, ran.past_only], ['done', 0, [record]]);
    const { body: now } = await service.get(`/v1/event_check_in_records/${record}`);
    assert.equal(now.public_data.visitor_relationship_to_deceased, 'aunt');
    const history = await service.get(`/v1/event_check_in_records/${record}/history`);
    assert.equal(history.body.data.length, 2);
    assert.doesNotMatch(history.text, new RegExp(MARK));
    await relation('niece');
    const whole = await run(id, [record]);
    assert.deepEqual([whole.status, whole.erased, whole.past_only], ['done', 1, []]);
  });

  it('are counted in lists of what they belonged to', async () => {
    const at = await service.event(on.location, 'counted');
    const list = `/v1/event_check_in_records?event_unique_identifier=${at}`;
    const one = await visit('Counted One', { event_unique_identifier: at });
    await visit('Counted Two', { event_unique_identifier: at });
    assert.equal((await service.get(list)).body.erased, undefined);
    await on.erase(one.unique_identifier);
    const { body } = await service.get(list);
    assert.deepEqual([body.data.length, body.erased], [1, 1]);
  });

  it('are refused beyond 10,000 of one caller, ended ones among them, or 100 open ones, and nobody else is', async () => {
    const other = await service.another();
    const newOfficer = async () =>
      (await other.newKey({ permissions: ['read'], allow: ['erase'] })).secret;
    const secret = await newOfficer();
    const sent = { account: other.account.unique_identifier, phone_numbers: [PHONE] };
    const first = await ok('/v1/erasures', sent, secret);
    const { erasures } = service.app.store;
    const stored = await erasures.find(first.unique_identifier);
    assert.ok(stored !== undefined);
    const like = { ...stored, selectors: null, place: null };
    const add = async (from: number, upto: number, status: 'ready' | 'closed') => {
      for (let at = from; at < upto; at += 500) {
        const count = Math.min(500, upto - at);
        const adding = Array.from({ length: count }, (_, more) =>
          erasures.add({ ...like, status, unique_identifier: `ers_${at + more}` }),
        );
        await Promise.all(adding);
      }
    };
    const again = () => post('/v1/erasures', sent, secret);
    await add(1, 100, 'ready');
    refused(await again(), 409, 'erasures_too_many');
    const second = await newOfficer();
    await ok('/v1/erasures', sent, second);
    await add(100, MAX_STORED, 'closed');
    for (let at = 0; at < 100; at += 1) {
      const id = at === 0 ? first.unique_identifier : `ers_${at}`;
      await ok(`/v1/erasures/${id}/close`, { basis: 'kept' }, second);
    }
    refused(await again(), 409, 'erasures_exhausted');
    await ok('/v1/erasures', sent, second);
    await begin({ phone_numbers: [PHONE] });
  });

  it('keep what two people choose at once', async () => {
    const names = ['One', 'Two', 'Three', 'Four'].map((name) => `At Once ${name}`);
    const all = await Promise.all(names.map((name) => visit(name)));
    const records: string[] = all.map(({ unique_identifier }) => unique_identifier);
    const { unique_identifier: id } = await begin({ records });
    const ran = await Promise.all(records.map((record) => run(id, [record])));
    assert.deepEqual(new Set(ran.map(({ status }) => status)), new Set(['done']));
    const done = await on.erasure(id);
    assert.deepEqual([done.erased, new Set(done.records)], [4, new Set(records)]);
  });

  it('take nothing that was not found, and begin with something to look for', async () => {
    const { unique_identifier: record } = await visit('Untouched');
    const { account, officer } = on;
    refused(await post('/v1/erasures', { account }, officer), 400, 'parameter_missing');
    const unknown = await post('/v1/erasures', { account, records: ['ecr_x'] }, officer);
    refused(unknown, 404, 'resource_missing', 'records.0');
    const { unique_identifier: id } = await begin({ phone_numbers: ['+14155550111'] });
    const wrong = await post(`/v1/erasures/${id}/run`, { records: [record] }, officer);
    refused(wrong, 400, 'value_invalid', 'records.0');
    await visit('Untouched');
  });
});
