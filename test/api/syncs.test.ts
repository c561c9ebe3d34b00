/** Syncs: a source sends all that it has at a place; what it left out goes, and nothing of anybody else does. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resources } from '../../src/core/resources/index.ts';
import { rotateKey } from '../../src/records/auth/issue-key.ts';
import { principalOf } from '../../src/records/auth/principal.ts';
import { createRestoreRemoval } from '../../src/records/ingest/one/restore-removal.ts';
import { createRemoving } from '../../src/services/syncs/removing.ts';
import { createSyncs } from '../../src/services/syncs/syncs.ts';
import { createSeenGroups, fingerprintOf } from '../../src/services/syncs/walk.ts';
import type { ChangeCursor } from '../../src/store/promises/log.ts';
import { ALL } from '../support/all.ts';
import { pluck } from '../support/pluck.ts';
import { answersIn, inShort } from '../support/rows.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import type { Answer, Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { refused, served } from '../support/world.ts';

let clock = Date.parse('2026-11-21T02:00:00Z');
let count = 0;

const now = () => clock;
const service = served({ now, settings: keyed() });

function removing() {
  const { store } = service.app;
  const restoreRemoval = createRestoreRemoval(store, resources);
  return createRemoving({ store, resources, restoreRemoval, mayRemove: async () => true, now });
}

const within = (key: string, sync?: string, headers = {}) => ({
  ...{ key, headers: { ...(sync && { 'Ledgerstone-Sync': sync }), ...headers } },
});

/** As programs do it: asks again while records are still being removed or restored. */
async function ended(working: string, once: () => Promise<Answer>): Promise<Answer> {
  let answer = await once();
  await until(async () => {
    if (answer.body.status === working) answer = await once();
    return answer.body.status !== working;
  });
  return answer;
}

async function ground() {
  count += 1;
  const location = await service.location(`at ${count}`);
  const make = async (name: string, more = {}) => (await service.newKey({ name, ...more })).secret;
  const key = await make('Nightly');
  const row = (external_identifier: string, event_name = 'A service', at = location) =>
    eventBody(at, external_identifier, { event_name, event_datetime: '2026-11-20T14:30:00Z' });
  const rows = (names: readonly string[], says?: string) => names.map((name) => row(name, says));
  const send = (key: string, rows: readonly object[], sync?: string, query = '') =>
    service.json(`/v1/events/upsert_many${query}`, rows, within(key, sync));
  const begin = async (key: string, more = {}) => {
    const sync = { resource: 'event', location, ...more };
    const begun = await service.json('/v1/syncs', sync, { key });
    assert.equal(begun.status, 200, begun.text);
    return begun.body.unique_identifier as string;
  };
  const finish = (key: string, sync: string, more = {}) =>
    ended('finishing', () => service.json(`/v1/syncs/${sync}/finish`, more, { key }));
  const undo = (key: string, sync: string) =>
    ended('undoing', () => service.send('POST', `/v1/syncs/${sync}/undo`, { key }));
  const there = async () => {
    const query = `location_unique_identifier=${location}&limit=1000`;
    const { body } = await service.get(`/v1/events?${query}`);
    return pluck(body.data, 'external_identifier').sort();
  };
  const one = (key: string, body: object | string, sync: string, query = '') =>
    service.json(`/v1/events/upsert${query}`, body, within(key, sync));
  const many = (length: number) => Array.from({ length }, (_, at) => `n${at}`);
  const account = service.account.unique_identifier;
  return { account, location, make, key, row, rows, send, begin, finish, undo, there, one, many };
}

describe('syncs', { concurrency: true }, () => {
  it('remove what the source left out, tell it before, and restore it when undone', async () => {
    const { key, row, rows, send, begin, finish, undo, there } = await ground();
    await send(key, rows(['a', 'b', 'c']));
    const sync = await begin(key);
    const sent = await send(key, [row('a'), row('d')], sync);
    assert.equal(sent.status, 200, sent.text);
    const rehearsed = await finish(key, sync, { dry_run: true });
    assert.deepEqual(rehearsed.body.removed, { event: 2 }, rehearsed.text);
    assert.deepEqual(pluck(rehearsed.body.records, 'external_identifier').sort(), ['b', 'c']);
    assert.equal(rehearsed.body.status, 'open');
    assert.deepEqual(await there(), ['a', 'b', 'c', 'd']);
    const finished = await finish(key, sync);
    assert.equal(finished.body.status, 'finished', finished.text);
    assert.deepEqual(finished.body.removed, { event: 2 });
    assert.deepEqual(await there(), ['a', 'd']);
    assert.deepEqual((await finish(key, sync)).body, finished.body, 'again it does nothing');
    refused(await send(key, [row('e')], sync), 409, 'sync_ended');
    const undone = await undo(key, sync);
    assert.equal(undone.body.status, 'undone', undone.text);
    assert.equal(undone.body.restored, 2);
    const again = await undo(key, sync);
    assert.deepEqual(again.body, undone.body, 'again it does nothing');
    assert.deepEqual(await there(), ['a', 'b', 'c', 'd']);
  });

  it('count all that goes before it goes, with what belongs to it', async () => {
    const { location, key, rows, send, begin, finish, many } = await ground();
    const names = many(1_100);
    for (const some of [names.slice(0, 600), names.slice(600)]) {
      await send(key, rows(some));
      const kin = some.map((name) => ({
        ...{ location_unique_identifier: location, event_external_identifier: name },
        ...{ external_identifier: 'kin', person_full_name: 'Ann' },
        person_phone_number: '+14155550123',
      }));
      const sent = await service.json('/v1/event_administrators/upsert_many', kin, { key });
      assert.equal(sent.body.summary.failed, 0, sent.text.slice(0, 500));
    }
    const { body, text } = await finish(key, await begin(key), { dry_run: true });
    assert.deepEqual(body.removed, { event: 1_100, event_administrator: 1_100 }, text);
    assert.equal(body.counts_all, true);
  });

  it('tell how many rows named a record once more', async () => {
    const { key, row, send, begin, finish } = await ground();
    const sync = await begin(key);
    const first = await send(key, [row('a', 'One'), row('b'), row('a', 'Other')], sync);
    assert.deepEqual(inShort(first.body.data), ['created', 'created', 'row_repeated']);
    const second = await send(key, [row('c'), row('a', 'One')], sync);
    assert.deepEqual(inShort(second.body.data), ['created', 'unchanged']);
    assert.equal((await finish(key, sync, { dry_run: true })).body.repeated, 2);
    const { body } = await finish(key, sync);
    assert.deepEqual([body.seen, body.repeated], [5, 2]);
    const read = await service.get(`/v1/syncs/${sync}`, { key });
    assert.equal(read.body.repeated, 2);
    const once = await begin(key);
    await send(key, [row('a'), row('b'), row('c')], once);
    assert.equal((await finish(key, once)).body.repeated, 0);
  });

  it('refuse a row that differs from the first one of its record, however it is sent', async () => {
    const { key, row, send, begin, finish, one } = await ground();
    const sync = await begin(key);
    const code = (answer: Answer) => answer.body.error?.code ?? answer.status;
    assert.equal(code(await one(key, row('a', 'First'), sync)), 200);
    const other = await one(key, row('a', 'Other'), sync);
    refused(other, 409, 'row_repeated', 'external_identifier');
    assert.equal(code(await one(key, row('a', 'First'), sync)), 200, 'it may be sent again');
    const both = [row('a', 'Other'), row('a', 'First')];
    for (const query of ['', '?dry_run=true']) {
      const array = await send(key, both, sync, query);
      assert.deepEqual(inShort(array.body.data), ['row_repeated', 'unchanged']);
    }
    const cells = [Object.keys(row('a')), ...both.map((each) => Object.values(each))];
    for (const [type, lines] of [
      ['application/x-ndjson', both.map((each) => JSON.stringify(each))],
      ['text/csv', cells],
    ] as const) {
      const sent = { ...within(key, sync, { 'Content-Type': type }), body: lines.join('\n') };
      const { text } = await service.send('POST', '/v1/events/upsert_many', sent);
      assert.deepEqual(inShort(answersIn(text).rows), ['row_repeated', 'unchanged']);
    }
    const dry = (says: string) => one(key, row('a', says), sync, '?dry_run=true');
    assert.equal(code(await dry('Other')), 'row_repeated');
    assert.equal(code(await dry('First')), 200);
    const atomic = await send(key, [row('b'), ...both], sync, '?atomic=true');
    assert.deepEqual(pluck(atomic.body.error.errors, 'param', 'code'), [
      [undefined, 'batch_refused'],
      ['1.external_identifier', 'row_repeated'],
    ]);
    const keyed = within(key, sync, { 'Idempotency-Key': sync });
    const once = await service.json('/v1/events/upsert_many', both, keyed);
    assert.deepEqual(inShort(once.body.data), ['row_repeated', 'unchanged']);
    assert.equal((await service.json('/v1/events/upsert_many', both, keyed)).text, once.text);
    const { body } = await finish(key, sync);
    assert.deepEqual([body.seen, body.repeated, body.removed], [20, 18, {}]);
  });

  it('take a corrected row of a record whose first row was refused, or only rehearsed', async () => {
    const { key, row, rows, send, begin, one } = await ground();
    const sync = await begin(key);
    const wrong = { ...row('a', 'Wrong'), event_datetime: 'soon' };
    const { event_datetime: _, ...without } = row('b', 'Without');
    const lacking = { ...row('c'), location_unique_identifier: 'loc_none' };
    for (const rows of [[wrong, without, lacking], [wrong]]) {
      const { body } = await send(key, rows, sync);
      assert.equal(body.summary.failed, rows.length);
    }
    await one(key, { ...without, event_name: 'Alone' }, sync);
    const dry = await send(key, [row('d', 'Tried')], sync, '?dry_run=true');
    assert.deepEqual(inShort(dry.body.data), ['created']);
    for (const both of [
      [row('e', 'Held back'), without],
      [row('f', 'Held back'), wrong],
    ]) {
      const atomic = await send(key, both, sync, '?atomic=true');
      assert.equal(atomic.body.error.code, 'batch_refused');
    }
    const corrected = rows(['a', 'b', 'c', 'd', 'e', 'f'], 'Right');
    const { body } = await send(key, corrected, sync);
    assert.deepEqual(inShort(body.data), Array(6).fill('created'));
    const again = await send(key, rows(['a', 'b', 'c', 'd', 'e', 'f'], 'Later'), sync);
    assert.deepEqual(inShort(again.body.data), Array(6).fill('row_repeated'));
  });

  it('let one of two rows win that arrive at once, and no later one', async () => {
    const { key, rows, send, begin, many } = await ground();
    const sync = await begin(key);
    const names = many(40);
    const sent = await Promise.all(
      ['One', 'Other', 'Third'].map((says) => send(key, rows(names, says), sync)),
    );
    const outcomes = sent.map(({ body }) => inShort(body.data));
    for (const at of names.keys()) {
      const all = outcomes.map((each) => each[at]).toSorted();
      assert.deepEqual(all, ['created', 'row_repeated', 'row_repeated']);
    }
  });

  it('of a file with duplicates change nothing on its second night', async () => {
    const { account, location, key, rows, send, begin, finish, many } = await ground();
    const file = [...rows(many(200), 'First'), ...rows(many(30), 'Second')];
    const { log } = service.app.store;
    const changesAfter = async (after: ChangeCursor | undefined) => {
      const read = await log.read({ account, after, limit: 10_000, bytes: 1_000_000 });
      assert.ok(typeof read !== 'string');
      return read.changes.filter(({ anchor }) => anchor === location).length;
    };
    for (const [night, outcome] of ['created', 'unchanged', 'unchanged'].entries()) {
      for (const inSync of [true, false]) {
        const before = await log.last(account);
        const sync = inSync ? await begin(key) : undefined;
        const { body } = await send(key, file, sync);
        const expected = inSync ? outcome : 'unchanged';
        assert.deepEqual(inShort(body.data), [
          ...Array(200).fill(expected),
          ...Array(30).fill('row_repeated'),
        ]);
        if (sync !== undefined) {
          const done = (await finish(key, sync)).body;
          assert.deepEqual([done.removed, done.repeated], [{}, 30]);
        }
        if (night > 0) assert.equal(await changesAfter(before), 0);
      }
    }
  });

  it('weigh what belongs to the records that would go', async () => {
    const { key, rows, send, begin, finish, there, many } = await ground();
    const names = many(50);
    const { body: made } = await send(key, rows(names));
    const visitorsOf = async (at: number, count: number) => {
      const visitors = many(count).map((v) => visitorBody(made.data[at].unique_identifier, v));
      const sent = await service.json('/v1/event_check_in_records/upsert_many', visitors, { key });
      assert.equal(sent.body.summary?.failed, 0, sent.text.slice(0, 500));
    };
    for (const [at, count] of [900, 300, 300].entries()) await visitorsOf(at, count);
    const sync = await begin(key);
    await send(key, rows(names.slice(2)), sync);
    // Two services of fifty may go, and most visitors with them may not.
    const tooMuch = await finish(key, sync);
    refused(tooMuch, 409, 'sync_removes_too_much');
    assert.match(
      tooMuch.body.error.message,
      /remove 2 of the 50 records of the source there, and with them 1,200 of the 1,500 records that belong to such, and at_most allows for 10 with 1,000 that belong to them\..*such as 80%/,
    );
    assert.equal((await there()).length, 50);
    const done = await finish(key, sync, { at_most: '80%' });
    assert.deepEqual(done.body.removed, { event: 2, event_check_in_record: 1_200 }, done.text);
  });

  it('stop where the key that finished them ends, or does not reach the place, and say so', async () => {
    const { account, make, row, send, begin, undo, there } = await ground();
    const { store } = service.app;
    const elsewhere = await service.newKey({ anchors: [await service.location('elsewhere')] });
    const reader = await service.newKey({ permissions: ['read', 'write'] });
    const revoked = await service.newKey();
    await store.keys.revoke(revoked.key.unique_identifier);
    const key = await make('Nightly');
    await send(key, [row('a'), row('b')]);
    for (const { key: by } of [elsewhere, reader, revoked]) {
      const sync = await begin(key);
      const stored = await store.syncs.find(sync, [account]);
      assert.ok(stored !== undefined);
      const finished_by = by.unique_identifier;
      await store.syncs.put({ ...stored, stored_status: 'finishing', finished_by });
      const shown = async () => (await service.get(`/v1/syncs/${sync}`, { key })).body;
      await until(async () => (await shown()).status === 'stopped');
      assert.deepEqual([(await shown()).removed, await there()], [{}, ['a', 'b']]);
      assert.equal((await undo(key, sync)).body.status, 'undone');
    }
  });

  it('keep what staff corrected through 400 nights, a rotated key and an undo', async () => {
    const { location, row, send, begin, finish, undo, there } = await ground();
    let { key, secret } = await service.newKey({ name: 'Nightly' });
    const { secret: staff } = await service.newKey({ allow: ['pin'] });
    await send(secret, [row('kept'), row('other'), row('goes')]);
    const at = `location_unique_identifier=${location}&external_identifier=kept`;
    const kept = async (): Promise<Body> => (await service.get(`/v1/events?${at}`)).body.data[0];
    const { unique_identifier: id } = await kept();
    const patch = { event_name: 'Right' };
    const corrected = await service.patch(`/v1/events/${id}`, patch, { key: staff });
    assert.equal(corrected.status, 200, corrected.text);
    const before = await kept();
    const nights = ALL ? 400 : 4;
    for (let night = 0; night < nights; night += 1) {
      if (night === nights / 2) {
        const { keys } = service.app.store;
        ({ key, secret } = await rotateKey(keys, key, { now: clock, overlap: 0 }));
      }
      const sync = await begin(secret);
      const goes = night % 100 === 1 ? [] : [row('goes')];
      const sent = await send(secret, [row('kept'), row('other'), ...goes], sync);
      assert.deepEqual(sent.body.data[0].kept, ['event_name'], sent.text);
      const { body } = await finish(secret, sync);
      assert.deepEqual(body.removed, goes.length === 0 ? { event: 1 } : {});
      if (goes.length === 0) assert.equal((await undo(secret, sync)).body.restored, 1);
    }
    assert.deepEqual(await there(), ['goes', 'kept', 'other']);
    assert.deepEqual(await kept(), before, 'it is as it was, with its version and its times');
    const { body } = await service.get(`/v1/proposals?record=${id}`);
    assert.deepEqual(body.data, []);
  });

  it('of two sources at one place lose nothing of each other', async () => {
    const { make, row, rows, send, begin, finish, there } = await ground();
    const [one, two] = [await make('One'), await make('Two')];
    await send(one, rows(['a1', 'a2', 'both']));
    await send(two, rows(['b1', 'b2']));
    await send(two, [row('both', 'Changed by the other')]);
    const { body } = await service.get('/v1/events?external_identifier=a2');
    const [{ unique_identifier: parent }] = body.data;
    const guest = visitorBody(parent, 'guest');
    await service.json('/v1/event_check_in_records/upsert', guest, { key: two });
    for (const key of [one, two]) {
      const sync = await begin(key);
      await send(key, [row(key === one ? 'a1' : 'b1')], sync);
      const { body: done, text } = await finish(key, sync);
      assert.equal(done.status, 'finished', text);
      if (key === one) {
        assert.deepEqual(done.removed, {});
        assert.deepEqual(pluck(done.left, 'external_identifier', 'reason').sort(), [
          ['a2', 'children_of_other'],
          ['both', 'changed_by_other'],
        ]);
      } else assert.deepEqual(done.removed, { event: 1 });
    }
    assert.deepEqual(await there(), ['a1', 'a2', 'b1', 'both']);
  });

  it('remove no more than their share, and finish with a larger one', async () => {
    const { key, rows, send, begin, finish, there, many } = await ground();
    const names = many(30);
    await send(key, rows(names));
    const sync = await begin(key, { at_most: '10%' });
    await send(key, rows(names.slice(0, 10)), sync);
    refused(await finish(key, sync), 409, 'sync_removes_too_much', 'at_most');
    assert.equal((await there()).length, 30);
    const wrong = await finish(key, sync, { at_most: '101%' });
    refused(wrong, 400, wrong.body.error.code, 'at_most');
    const done = await finish(key, sync, { at_most: '70%' });
    assert.deepEqual(done.body.removed, { event: 20 }, done.text);
  });

  it('refuse what is of another source, resource or place, and say why', async () => {
    const { account, make, row, send, begin, finish } = await ground();
    const [key, other] = [await make('Nightly'), await make('Other')];
    const sync = await begin(key);
    for (const [by, id, status, code] of [
      [other, sync, 409, 'sync_mismatch'],
      [key, `syn_${'0'.repeat(22)}`, 404, 'resource_missing'],
      [key, 'nothing', 400, 'header_invalid'],
    ] as const) {
      refused(await send(by, [row('x')], id), status, code);
    }
    const elsewhere = await service.location(`elsewhere ${count}`);
    const { body } = await send(key, [row('x', 'A', elsewhere), row('y')], sync);
    assert.equal(body.data?.[0]?.error?.code ?? body.results?.[0]?.error?.code, 'sync_mismatch');
    assert.equal((await finish(other, sync)).body.error.code, 'sync_mismatch');
    const at = { resource: 'event', location: elsewhere };
    const both = await service.json('/v1/syncs', { ...at, account }, { key });
    assert.equal(both.body.error.code, 'parameters_conflict');
    const reader = await make('Reader', { permissions: ['read', 'write'] });
    refused(await service.json('/v1/syncs', at, { key: reader }), 403);
    const again = await begin(key);
    refused(await send(key, [row('y')], sync), 409, 'sync_ended');
    assert.equal((await send(key, [row('y')], again)).status, 200);
  });

  it('store what single upserts name in groups, before it is saved', async () => {
    const { account, location, key, row, begin, one, many } = await ground();
    const sync = await begin(key);
    const answers = await Promise.all(many(60).map((name) => one(key, row(name), sync)));
    assert.ok(answers.every(({ status }) => status === 200));
    const { syncs } = service.app.store;
    const name = { account, unique_identifier: sync };
    const marks = many(60).map((name) =>
      fingerprintOf({ parent: location, external_identifier: name }),
    );
    assert.equal((await syncs.seen(name, marks)).size, 60);
    let writes = 0;
    const see = createSeenGroups({
      see(...seen) {
        writes += 1;
        return syncs.see(...seen);
      },
    });
    const seen = await Promise.all(many(60).map((mark, at) => see(name, [[mark, at]])));
    assert.ok(seen.every((one, at) => one?.get(`n${at}`) === at));
    assert.equal(writes, 1, 'what arrives together is one write');
    const { body } = await service.get(`/v1/syncs/${sync}`);
    assert.equal(body.seen, 120);
  });

  it('leave what was written since, or corrected, and say why', async () => {
    const { key, row, rows, send, begin, finish, there, one } = await ground();
    await send(key, rows(['goes', 'late', 'pinned', 'kept']));
    const { secret: staff } = await service.newKey({ name: 'Staff', allow: ['pin'] });
    const { body } = await service.get('/v1/events?external_identifier=pinned');
    const [{ unique_identifier: id }] = body.data;
    const patch = { event_name: 'Corrected' };
    const pinned = await service.patch(`/v1/events/${id}`, patch, { key: staff });
    assert.equal(pinned.status, 200, pinned.text);
    // The source changes it again, so that only the correction tells it from others.
    await send(key, [{ ...row('pinned'), event_datetime: '2026-11-21T14:30:00Z' }]);
    const sync = await begin(key);
    await one(key, row('kept'), sync);
    await send(key, [row('late', 'Changed without the sync')]);
    const reasons = (all: Body[]) => pluck(all, 'external_identifier', 'reason').sort();
    const expected = [
      ['late', 'changed_since'],
      ['pinned', 'pinned'],
    ];
    const rehearsed = (await finish(key, sync, { dry_run: true })).body;
    assert.deepEqual(reasons(rehearsed.left), expected);
    const done = (await finish(key, sync)).body;
    assert.deepEqual(reasons(done.left), expected);
    assert.deepEqual([done.left_count, done.removed], [2, { event: 1 }]);
    assert.deepEqual(await there(), ['kept', 'late', 'pinned']);
    const listed = await service.get('/v1/syncs?limit=1000');
    const [own] = listed.body.data.filter((each: Body) => each.unique_identifier === sync);
    assert.deepEqual(own.left[0].external_identifier, null, 'only one by itself tells names');
  });

  it('see rows that are unchanged, refused, of tables or of broken JSON, sent together or one by one', async () => {
    const { location, key, row, rows, send, begin, finish, there, one } = await ground();
    const names = ['bad', 'broken', 'csv', 'csv bad', 'nowhere', 'same', 'single', 'wrong'];
    await send(key, rows([...names, 'gone']));
    const sync = await begin(key);
    await send(key, [row('same'), { ...row('wrong'), event_datetime: 'soon' }], sync);
    await one(key, row('single'), sync);
    refused(await one(key, { ...row('bad'), what: 1 }, sync), 400);
    const table = [
      'location_unique_identifier,external_identifier,event_name,event_datetime',
      `${location},csv,A service,2026-11-20T14:30:00Z`,
      `${location},csv bad,A service,soon`,
    ].join('\n');
    const inTable = { ...within(key, sync, { 'Content-Type': 'text/csv' }), body: table };
    const sent = await service.send('POST', '/v1/events/upsert_many', inTable);
    assert.equal(sent.status, 200, sent.text);
    // Its record is known by its identifier alone.
    const broken = await one(key, '{"external_identifier":"broken",', sync);
    assert.equal(broken.body.error.code, 'json_invalid');
    refused(await one(key, row('nowhere', 'A service', 'loc_none'), sync), 404);
    const done = await finish(key, sync);
    assert.deepEqual(done.body.removed, { event: 1 }, done.text);
    assert.deepEqual(await there(), names);
  });

  it('leave what is held, and go on where a record was erased', async () => {
    const { account, key, row, rows, send, begin, finish, there, one } = await ground();
    const names = ['erased', 'gone', 'held', 'stays'];
    const { results, data = results } = (await send(key, rows(names))).body;
    const [erased, , held] = data.map((each: Body) => each.unique_identifier);
    const { secret: officer } = await service.newKey({ allow: ['erase', 'hold'] });
    const by = async (path: string, body: object) => {
      const { status, body: made, text } = await service.json(path, body, { key: officer });
      assert.equal(status, 200, text);
      return made;
    };
    const records = [erased];
    const { unique_identifier } = await by('/v1/erasures', { account, records });
    await by(`/v1/erasures/${unique_identifier}/run`, { records });
    await until(async () => (await there()).length === 3);
    await by('/v1/holds', { account, record: held, matter: 'A case' });
    const sync = await begin(key);
    const sent = await send(key, [row('erased'), row('stays')], sync);
    assert.equal(sent.status, 200, sent.text);
    assert.deepEqual((await one(key, row('erased'), sync)).body.error.code, 'record_erased');
    const atomic = await send(key, [row('erased')], sync, '?atomic=true');
    assert.equal(atomic.status, 200, atomic.text);
    for (const dry_run of [true, false]) {
      const done = (await finish(key, sync, { dry_run })).body;
      assert.deepEqual(done.removed, { event: 1 });
      assert.deepEqual(pluck(done.left, 'external_identifier', 'reason'), [['held', 'held']]);
    }
    assert.deepEqual(await there(), ['held', 'stays']);
  });

  it('see rows of a dry run, too, so that a dry run of all tells what would go', async () => {
    const { key, row, rows, send, begin, finish, there, one } = await ground();
    const names = ['tried', 'alone', 'gone'];
    await send(key, rows(names));
    const sync = await begin(key);
    for (const tried of [
      await one(key, row('alone', 'Another name'), sync, '?dry_run=true'),
      await send(key, rows(['tried', 'new']), sync, '?dry_run=true'),
    ])
      assert.equal(tried.status, 200, tried.text);
    const would = await finish(key, sync, { dry_run: true });
    assert.deepEqual(would.body.removed, { event: 1 }, would.text);
    assert.deepEqual(pluck(would.body.records, 'external_identifier'), ['gone']);
    assert.deepEqual(await there(), names.toSorted());
  });

  it('count each record once where two processes remove the same, and name who did it', async () => {
    const { account, key, row, rows, send, begin, there, many } = await ground();
    const names = many(250);
    await send(key, rows(names));
    const sync = await begin(key, { at_most: '100%' });
    await send(key, [row('n7')], sync);
    const { store } = service.app;
    const { syncs } = store;
    const open = await syncs.find(sync, [account]);
    assert.ok(open);
    await syncs.put({ ...open, stored_status: 'finishing' });
    await Promise.all([removing(), removing()].map((each) => each.run(open)));
    const done = (await service.get(`/v1/syncs/${sync}`)).body;
    assert.deepEqual(
      [done.status, done.removed, done.records.length, done.left_count],
      ['finished', { event: 249 }, 100, 0],
    );
    assert.deepEqual(await there(), ['n7']);
    const [{ record }] = done.records;
    const { body } = await service.get(`/v1/events/${record}/history`);
    assert.deepEqual([body.data[0].outcome, body.data[0].source], ['deleted', done.source]);
    const named = await store.sources.ofSync(sync);
    assert.match(named?.name ?? '', /^Nightly/);
  });

  it('are one for each source, resource and place, however many begin at once', async () => {
    const { account, key, row, send, begin } = await ground();
    const all = await Promise.all(Array.from({ length: 8 }, () => begin(key)));
    const answers = await Promise.all(all.map((sync) => send(key, [row('x')], sync)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    const elsewhere = await service.location(`beside ${count}`);
    const first = await begin(key, { location: elsewhere });
    await begin(key, { resource: 'event_administrator', location: elsewhere });
    const whole = { location: undefined, account };
    await begin(key, whole);
    const still = await send(key, [row('x', 'A', elsewhere)], first);
    assert.equal(still.status, 200, still.text);
  });

  it('are those of a source, whichever of its keys sends, and of a place, whoever may see it', async () => {
    const { account, location, make, row, send, begin, finish } = await ground();
    const source = { name: `Vendor ${count}` };
    const [key, other] = [await make('Nightly', { source }), await make('Rotated', { source })];
    await send(key, [row('a'), row('b')]);
    const sync = await begin(key);
    assert.equal((await send(other, [row('a')], sync)).status, 200);
    assert.deepEqual((await finish(other, sync)).body.removed, { event: 1 });
    const elsewhere = await service.location(`far ${count}`);
    const near = await make('Near', { anchors: [location] });
    const far = await make('Far', { anchors: [elsewhere] });
    const listed = async (key: string) =>
      (await service.get('/v1/syncs?limit=2', { key })).body.data.map((one: Body) => one.location);
    assert.deepEqual(await listed(near), [location]);
    assert.deepEqual(await listed(far), []);
    const whole = await service.json('/v1/syncs', { resource: 'event', account }, { key: near });
    assert.equal(whole.body.error.code, 'whole_account_needed');
  });

  it('refuse what cannot be, and name what to send instead', async () => {
    const { location, key, begin, undo } = await ground();
    for (const [body, status, param] of [
      [{ resource: 'event' }, 400, 'account'],
      [{ resource: 'location', location }, 400, 'location'],
      [{ resource: 'event', location: 'loc_none' }, 404, 'location'],
      ...['100.1%', '-1%', '5', '1e2%', 'all'].map(
        (at_most) => [{ resource: 'event', location, at_most }, 400, 'at_most'] as const,
      ),
    ] as const) {
      const answer = await service.json('/v1/syncs', body, { key });
      const { error } = answer.body;
      assert.deepEqual([answer.status, error?.param], [status, param], answer.text);
    }
    const sync = await begin(key, { at_most: ' 12.5 % ' });
    assert.equal((await service.get(`/v1/syncs/${sync}`)).body.at_most, 12.5);
    refused(await undo(key, sync), 409, 'sync_ended');
    const path = '/v1/event_administrators/upsert';
    const { body, text } = await service.json(path, {}, within(key, sync));
    assert.equal(body.error.code, 'sync_mismatch', text);
  });
});

describe('The clock of syncs', () => {
  it('ends them after a day, and put back it opens none again that was finished', async () => {
    const { key, row, send, begin, finish, there } = await ground();
    await send(key, [row('a'), row('b')]);
    const status = async (sync: string) => (await service.get(`/v1/syncs/${sync}`)).body.status;
    const [late, done] = [await begin(key), await begin(key, { resource: 'event_administrator' })];
    await finish(key, done);
    await send(key, [row('a')], late);
    clock += 24 * 3_600_000;
    assert.equal(await status(late), 'expired');
    for (const answer of [await send(key, [row('b')], late), await finish(key, late)])
      refused(answer, 409, 'sync_ended');
    clock -= 48 * 3_600_000;
    assert.equal(await status(done), 'finished');
    // What was sent by then is known, so it may go on.
    assert.equal((await send(key, [row('b')], late)).status, 200);
    const next = await begin(key);
    assert.equal(await status(late), 'replaced');
    await send(key, [row('b')], next);
    assert.deepEqual((await finish(key, next)).body.removed, { event: 1 });
    assert.deepEqual(await there(), ['b']);
  });

  it('remove nothing at a place that the key lost while the finish was looking', async () => {
    const { location, row, send, begin, there } = await ground();
    const { secret, key } = await service.newKey({ name: 'Region', anchors: [location] });
    await send(secret, [row('a'), row('b')]);
    const sync = await begin(secret);
    const { store } = service.app;
    const principal = principalOf(key);
    const lost = { ...principal, scope: { ...principal.scope, anchors: new Set<string>() } };
    const finished = createSyncs({ store, resources, removing: removing(), now }).finish(
      principal,
      sync,
      { at_most: '100%', dry_run: false, still: async () => lost },
    );
    await assert.rejects(finished, { code: 'resource_missing' });
    assert.equal((await service.get(`/v1/syncs/${sync}`)).body.status, 'open');
    assert.deepEqual((await there()).sort(), ['a', 'b']);
  });

  it('removes nothing and takes nothing where what it saw is lost, as after a restore', async () => {
    const { account, key, row, rows, send, begin, finish, there, many } = await ground();
    const names = many(5);
    await send(key, rows(names));
    const { syncs } = service.app.store;
    const sync = await begin(key);
    await send(key, [row('n1')], sync);
    const open = await syncs.find(sync, [account]);
    assert.ok(open);
    clock += 3 * 24 * 3_600_000;
    while (await syncs.isComparable(open)) await syncs.purge();
    clock -= 3 * 24 * 3_600_000;
    assert.ok(await syncs.find(sync, [account]));
    for (const answer of [
      await send(key, [row('n1')], sync),
      await finish(key, sync, { at_most: '100%' }),
    ]) {
      refused(answer, 409, 'sync_ended');
      assert.match(answer.body.error.message, /before a backup was restored/);
    }
    const put = await syncs.put({ ...open, stored_status: 'finishing' });
    assert.ok(put);
    const done = await finish(key, sync);
    assert.deepEqual([done.body.status, done.body.removed], ['finished', {}]);
    assert.deepEqual(await there(), names);
  });

  it('lets go of what they saw when they end, and of old ones', async () => {
    const { account, location, key, row, send, begin } = await ground();
    const [first, second] = [await begin(key), await begin(key)];
    const third = await begin(key, { resource: 'event_administrator' });
    await send(key, [row('a')], second);
    const { syncs } = service.app.store;
    const marks = [fingerprintOf({ parent: location, external_identifier: 'a' })];
    const count = async (unique_identifier: string) =>
      (await syncs.seen({ account, unique_identifier }, marks)).size;
    assert.equal(await count(second), 1);
    clock += 3 * 24 * 3_600_000;
    await until(async () => !(await syncs.purge()) && (await count(second)) === 0);
    for (const id of [first, second, third])
      assert.equal(await syncs.find(id, [account]), undefined, 'nothing came of it');
  });
});
