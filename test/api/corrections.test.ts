/** What staff corrected stays corrected, on every way in, until a person lets the source decide. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rotateKey } from '../../src/records/auth/issue-key.ts';
import { ALL } from '../support/all.ts';
import { pluck } from '../support/pluck.ts';
import { eventBody, visitorBody } from '../support/sent.ts';
import { type Body, joinService, type Service } from '../support/service.ts';
import { refused } from '../support/world.ts';

const PATH = '/v1/event_check_in_records';
const PHONE = '+14155550123';
const RIGHT = '+14155550199';
const OTHER = '+14155550111';

const PERSON = { full_name: 'Jane Doe' };
const CART = { cart_value_in_cents: 100, cart_currency: 'USD' };

interface BesideCase {
  readonly path: string;
  readonly first: object;
  readonly correct: object;
  readonly later: object;
  /** The member of a proposal that stands alone once it is accepted. */
  readonly accept?: string;
}

async function setUp(joined?: Service) {
  const service = joined ?? (await joinService());
  const event = await service.event(await service.location());
  const { secret: staff } = await service.newKey({ allow: ['pin'] });
  const sent = visitorBody(event, 'a', { visitor_full_name: 'Ann', visitor_phone_number: PHONE });
  const send = (more: object = {}, headers = {}) =>
    service.json(`${PATH}/upsert`, { ...sent, ...more }, { headers });
  const { body } = await send();
  const id: string = body.unique_identifier;
  const correct = (more: object) => service.patch(`${PATH}/${id}`, more, { key: staff });
  const restore = (version: number, key = service.key) =>
    service.json(`${PATH}/${id}/restore`, { version }, { key });
  const phone = async () => (await read()).body.visitor_phone_number;
  /** What a source proposes that sends something else than a person has corrected. */
  const proposed = async (): Promise<Body> => {
    await correct({ visitor_phone_number: RIGHT });
    await send({ visitor_phone_number: OTHER });
    return (await proposals())[0];
  };
  const read = () => service.get(`${PATH}/${id}`);
  const proposals = async (): Promise<Body[]> =>
    (await service.get(`/v1/proposals?record=${id}`)).body.data;
  const pins = async (): Promise<Body[]> => (await service.get(`${PATH}/${id}/pins`)).body.data;
  const decide = (what: string, proposal: string) =>
    service.send('POST', `/v1/proposals/${proposal}/${what}`, { key: staff });
  const lift = (member: string) =>
    service.send('DELETE', `${PATH}/${id}/pins/${member}`, { key: staff });
  const reading = { read, phone, proposals, pins };
  return { service, staff, sent, send, id, correct, restore, proposed, decide, lift, ...reading };
}

describe('A correction', () => {
  it('takes bounded room: large values are not piled up in a record', async () => {
    const { service, staff } = await setUp();
    const event = await service.event(await service.location());
    const patch = (additional_event_metadata: object, key = service.key) =>
      service.patch(`/v1/events/${event}`, { additional_event_metadata }, { key });
    const large = 'x'.repeat(9_000);
    const codes: string[] = [];
    for (let nth = 0; nth < 40; nth++) {
      const sent = await patch({ [`note${nth}`]: large });
      assert.equal(sent.status, 200, sent.text);
      const corrected = await patch({ [`note${nth}`]: 'short' }, staff);
      if (corrected.status === 200) continue;
      codes.push(corrected.body.error.code);
      break;
    }
    assert.deepEqual(codes, ['pins_too_many']);
    assert.equal((await patch({ another: 'still taken' })).status, 200);
  });

  it('survives 400 nightly sends, which change nothing', async () => {
    const { send, correct, read, proposals } = await setUp();
    const corrected = await correct({ visitor_phone_number: RIGHT });
    assert.equal(corrected.status, 200);
    const etag = corrected.headers.get('etag');
    for (let night = 0; night < 400; night++) {
      const answer = await send();
      assert.equal(answer.headers.get('ledgerstone-outcome'), 'unchanged');
      assert.equal(answer.headers.get('ledgerstone-kept'), 'visitor_phone_number');
      assert.equal(answer.headers.get('etag'), etag);
      assert.equal(answer.body.visitor_phone_number, RIGHT);
    }
    assert.deepEqual(await proposals(), []);
    assert.equal((await read()).text, corrected.text);
  });

  it('is not shown as part of the record', async () => {
    const { service, send, id, correct, read } = await setUp();
    const before = Object.keys((await read()).body);
    await correct({ visitor_phone_number: RIGHT });
    await send({ visitor_phone_number: OTHER });
    const shown = await read();
    assert.deepEqual(Object.keys(shown.body), before);
    const others = [PATH, '/v1/search?q=Ann', '/v1/changes?expand[]=record'];
    const own = ['?version=2', '/history'].map((more) => `${PATH}/${id}${more}`);
    const lists = [
      await service.get(PATH, { headers: { Accept: 'text/csv' } }),
      ...(await Promise.all([...others, ...own].map((path) => service.get(path)))),
      shown,
    ];
    for (const { status, text } of lists) {
      assert.equal(status, 200);
      assert.doesNotMatch(text, /\$pins|\$/);
    }
  });

  it('ends where the source agrees, and the source decides from then on', async () => {
    const { send, correct, phone, pins } = await setUp();
    await correct({ visitor_phone_number: RIGHT });
    assert.equal((await pins()).length, 1);
    const agreed = await send({ visitor_phone_number: RIGHT });
    assert.equal(agreed.headers.get('ledgerstone-kept'), null);
    assert.deepEqual(await pins(), []);
    await send({ visitor_phone_number: OTHER });
    assert.equal(await phone(), OTHER);
  });

  it('makes a proposal of what else a source sends, one for each member, the latest', async () => {
    const { service, send, id, correct, read, proposals } = await setUp();
    await correct({ visitor_phone_number: RIGHT });
    const sent = await send({ visitor_phone_number: OTHER, visitor_full_name: 'Ann Doe' });
    assert.equal(sent.headers.get('ledgerstone-kept'), 'visitor_phone_number');
    assert.partialDeepStrictEqual(sent.body, {
      visitor_full_name: 'Ann Doe',
      visitor_phone_number: RIGHT,
    });
    assert.equal(sent.headers.get('etag'), (await read()).headers.get('etag'));
    const [one, ...others] = await proposals();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [one.status, one.resource, one.record, one.member, one.stored, one.proposed],
      ['open', 'event_check_in_record', id, 'visitor_phone_number', RIGHT, OTHER],
    );
    const again = await send({ visitor_phone_number: OTHER, visitor_full_name: 'Ann Doe' });
    assert.equal(again.headers.get('ledgerstone-outcome'), 'unchanged');
    await send({ visitor_phone_number: '+14155550177' });
    const now = await proposals();
    assert.deepEqual(pluck(now, 'proposed'), ['+14155550177']);
    assert.notEqual(now[0].unique_identifier, one.unique_identifier);
    const { source } = (await service.get(`${PATH}/${id}?expand[]=source`)).body;
    assert.deepEqual(
      [now[0].source, source.pinned],
      [source.changed_by.unique_identifier, ['visitor_phone_number']],
    );
    for (const [from, count] of [
      [source.changed_by.unique_identifier, 1],
      ['src_0350hLTg4Qw7ghih1EWE8N', 0],
    ]) {
      const { body } = await service.get(`/v1/proposals?record=${id}&source=${from}`);
      assert.equal(body.data.length, count);
    }
    const listed = await service.get(`${PATH}?proposed=true`);
    assert.deepEqual(pluck(listed.body.data, 'unique_identifier'), [id]);
  });

  it('holds against null, a removed object, and in free-form content', async () => {
    const { service } = await setUp();
    const location = await service.location('free');
    const { secret: key } = await service.newKey({ allow: ['pin'] });
    const sent = eventBody(location, 'f', { event_name: 'Ann' });
    const send = (more: object, as = service.key) =>
      service.json('/v1/events/upsert', { ...sent, ...more }, { key: as });
    await send({ additional_event_metadata: { table: 4, seat: { row: 'A', tags: [1] } } });
    await send({ additional_event_metadata: { seat: { row: 'B', tags: [1, 2] }, note: 'x' } }, key);
    const metadata = { table: 5, note: null, seat: { row: 'A', tags: [1] } };
    const stays = { seat: { row: 'B', tags: [1, 2] }, note: 'x' };
    const kept = await send({ additional_event_metadata: metadata });
    assert.deepEqual(kept.body.public_data.additional_event_metadata, { table: 5, ...stays });
    const gone = await send({ additional_event_metadata: null });
    assert.deepEqual(gone.body.public_data.additional_event_metadata, stays);
    const { data } = (await service.get(`/v1/proposals?resource[]=event`)).body;
    assert.deepEqual(pluck(data, 'member', 'proposed'), [
      ['additional_event_metadata.seat.row', null],
      ['additional_event_metadata.seat.tags', null],
    ]);
  });

  it('never gets a source refused for what it sends beside it: that is proposed, and taken together', async () => {
    const { service } = await setUp();
    const location = await service.location('beside');
    const { secret: staff } = await service.newKey({ allow: ['pin'] });
    const cases: readonly BesideCase[] = [
      {
        ...{ path: 'events', first: { person: PERSON }, correct: { person: null } },
        ...{
          later: { person: { ...PERSON, date_of_birth: '1948-02-29' } },
          accept: 'person.date_of_birth',
        },
      },
      {
        path: 'events',
        first: { person: { ...PERSON, date_of_birth: '1930-01-01', date_of_death: '2020-01-01' } },
        correct: { person: { date_of_birth: '1950-01-01' } },
        later: { person: { ...PERSON, date_of_birth: '1930-01-01', date_of_death: '1940-01-01' } },
      },
      {
        ...{ path: 'online_arrangements', first: { additional_cart_metadata: CART } },
        correct: { additional_cart_metadata: null },
        later: { additional_cart_metadata: { ...CART, cart_value_in_cents: 7 } },
        accept: 'additional_cart_metadata.cart_value_in_cents',
      },
    ];
    const least = { person_full_name: 'Ann', person_phone_number: PHONE, cart_summary: 'x' };
    for (const [at, { path, first, correct, later, accept }] of cases.entries()) {
      const sent =
        path === 'events'
          ? eventBody(location, `beside ${at}`)
          : { location_unique_identifier: location, external_identifier: `beside ${at}`, ...least };
      const send = (more: object) => service.json(`/v1/${path}/upsert`, { ...sent, ...more });
      const { unique_identifier: id } = (await send(first)).body;
      const corrected = await service.patch(`/v1/${path}/${id}`, correct, { key: staff });
      assert.equal(corrected.status, 200, corrected.text);
      for (const outcome of ['updated', 'unchanged']) {
        const again = await send(later);
        assert.equal(again.status, 200, again.text);
        assert.equal(again.headers.get('ledgerstone-outcome'), outcome);
        assert.deepEqual(again.body.public_data, corrected.body.public_data);
        assert.notEqual(again.headers.get('ledgerstone-kept'), null);
      }
      const { data } = (await service.get(`/v1/proposals?record=${id}`)).body;
      assert.ok(data.length > 0);
      if (accept === undefined) continue;
      const wanted = data.find(({ member }: Body) => member === accept);
      const decided = `/v1/proposals/${wanted.unique_identifier}/accept`;
      const accepted = await service.send('POST', decided, { key: staff });
      assert.equal(accepted.status, 200, accepted.text);
      const { body } = await service.get(`/v1/${path}/${id}`);
      assert.partialDeepStrictEqual({ ...body, ...body.public_data }, later);
      assert.equal((await send(later)).headers.get('ledgerstone-outcome'), 'unchanged');
    }
  });

  it('of a removal by a person holds, too', async () => {
    const { send, correct, read, proposals } = await setUp();
    await send({ visitor_email_address: 'ann@example.com' });
    await correct({ visitor_email_address: null });
    const again = await send({ visitor_email_address: 'ann@example.com' });
    assert.equal(again.headers.get('ledgerstone-outcome'), 'unchanged');
    await send({ visitor_email_address: 'doe@example.com' });
    assert.equal((await read()).body.public_data.visitor_email_address, undefined);
    const [one] = await proposals();
    assert.deepEqual([one.stored, one.proposed], [null, 'doe@example.com']);
  });

  it('holds in arrays, atomic ones, streams and dry runs, which say so', async () => {
    const { service, sent, correct, phone } = await setUp();
    await correct({ visitor_phone_number: RIGHT });

    for (const query of ['', '?atomic=true', '?dry_run=true']) {
      const { status, body } = await service.json(`${PATH}/upsert_many${query}`, [sent]);
      assert.equal(status, 200);
      assert.deepEqual(body.data[0].kept, ['visitor_phone_number'], query);
      assert.equal(body.data[0].outcome, 'unchanged');
    }
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const lines = await service.json(`${PATH}/upsert_many`, `${JSON.stringify(sent)}\n`, {
      headers,
    });
    assert.deepEqual(JSON.parse(lines.text.split('\n')[0] ?? '').kept, ['visitor_phone_number']);
    const other = { ...sent, visitor_phone_number: OTHER };
    const dry = await service.json(`${PATH}/upsert?dry_run=true`, other);
    assert.equal(dry.headers.get('ledgerstone-kept'), 'visitor_phone_number');
    assert.equal(dry.body.visitor_phone_number, RIGHT);
    assert.equal(await phone(), RIGHT);
  });

  it('is told alike to a repeated request', async () => {
    const { send, correct } = await setUp();
    await correct({ visitor_phone_number: RIGHT });
    const headers = { 'Idempotency-Key': 'night-1' };
    const first = await send({ visitor_phone_number: OTHER }, headers);
    const again = await send({ visitor_phone_number: OTHER }, headers);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('ledgerstone-kept'), 'visitor_phone_number');
  });

  it('survives that its record is removed and comes back', async () => {
    const { service, send, id, correct, restore, proposals, pins } = await setUp();
    await correct({ visitor_phone_number: RIGHT });
    await send({ visitor_phone_number: OTHER });
    const had = [await pins(), await proposals()];
    const removed = await service.send('DELETE', `${PATH}/${id}`);
    assert.deepEqual(await proposals(), []);
    const removal = removed.headers.get('ledgerstone-removal');
    const back = await service.send('POST', `/v1/removals/${removal}/restore`);
    assert.deepEqual([back.status, back.body.restored], [200, 1]);
    assert.deepEqual([await pins(), await proposals()], had);
    const night = await send();
    assert.equal(night.body.visitor_phone_number, RIGHT);
    await service.send('DELETE', `${PATH}/${id}`);
    assert.equal((await restore(3)).status, 200);
    assert.deepEqual((await pins()).length, 1);
    assert.equal((await send()).body.visitor_phone_number, RIGHT);
  });

  it('survives that a source brings an earlier version back; a person who does corrects', async () => {
    const { staff, send, correct, restore, read, pins } = await setUp();
    await correct({ visitor_phone_number: RIGHT });
    await send({ visitor_full_name: 'Ann Doe' });
    const by = await restore(1);
    assert.deepEqual([by.body.visitor_full_name, by.body.visitor_phone_number], ['Ann', RIGHT]);
    assert.equal(by.headers.get('ledgerstone-kept'), 'visitor_phone_number');
    await send({ visitor_full_name: 'Ann Doe' });
    await restore(1, staff);
    const members = (await pins()).map(({ member }) => member);
    assert.deepEqual(members, ['visitor_full_name']);
    await send({ visitor_full_name: 'Ann Doe' });
    assert.equal((await read()).body.visitor_full_name, 'Ann');
  });

  it('survives a rotation of the key whose records it corrects', async () => {
    const { service, sent, correct, phone, proposals } = await setUp();
    const { key: old, secret } = await service.newKey({ name: 'Nightly' });
    const send = (key: string, more: object) =>
      service.json(`${PATH}/upsert`, { ...sent, ...more }, { key });
    await send(secret, { visitor_phone_number: OTHER });
    await correct({ visitor_phone_number: RIGHT });
    const { keys } = service.app.store;
    const { secret: next } = await rotateKey(keys, old, { now: Date.now(), overlap: 60_000 });
    // What its source sent before stays quiet, and anything else is proposed.
    for (const key of [next, secret]) {
      const quiet = await send(key, { visitor_phone_number: OTHER });
      assert.equal(quiet.headers.get('ledgerstone-outcome'), 'unchanged');
    }
    assert.deepEqual(await proposals(), []);
    await send(next, { visitor_phone_number: PHONE });
    assert.equal((await proposals()).length, 1);
    assert.equal(await phone(), RIGHT);
  });

  it('is only made by people, and keys that may pin', async () => {
    const { service, send, id, pins } = await setUp();
    await send({ visitor_phone_number: OTHER });
    await service.patch(`${PATH}/${id}`, { visitor_phone_number: RIGHT });
    assert.deepEqual(await pins(), []);
    assert.equal((await send()).body.visitor_phone_number, PHONE);
  });

  it('does not hold back a source that is authoritative, which ends it', async () => {
    const { service, sent, id, correct, phone, pins } = await setUp();
    const right = 'authoritative:event_check_in_records';
    const { secret: key } = await service.newKey({ allow: [right] });
    const { secret: other } = await service.newKey({ allow: ['authoritative:events'] });
    await correct({ visitor_phone_number: RIGHT, visitor_full_name: 'Right' });
    const body = { ...sent, visitor_phone_number: OTHER, visitor_full_name: 'Right' };
    const held = await service.json(`${PATH}/upsert`, body, { key: other });
    assert.equal(held.body.visitor_phone_number, RIGHT);
    const written = await service.json(`${PATH}/upsert`, body, { key });
    assert.equal(written.headers.get('ledgerstone-kept'), null);
    assert.equal(await phone(), OTHER);
    assert.deepEqual(await pins(), []);
    const { data } = (await service.get(`${PATH}/${id}/history?limit=1`)).body;
    assert.deepEqual(data[0].pins, [{ member: 'visitor_phone_number', what: 'ended' }]);
  });

  it('is none in an account that does not pin, where people still change what was pinned', async () => {
    const own = await (await joinService()).another();
    const { service, send, correct, phone, pins } = await setUp(own);
    const { accounts } = service.app.store;
    const account = service.account.unique_identifier;
    await correct({ visitor_phone_number: RIGHT });
    const off = await accounts.pins(account, false);
    assert.deepEqual([off?.pins, off?.name], ['off', service.account.name]);
    const renamed = await accounts.rename(account, 'Renamed');
    assert.deepEqual([renamed?.pins, renamed?.name], ['off', 'Renamed']);
    for (const more of ['', '/history']) {
      const { status, text } = await service.get(`/v1/accounts/${account}${more}`);
      assert.deepEqual([status, text.includes('$')], [200, false]);
    }
    await correct({ visitor_full_name: 'Ann Doe', visitor_phone_number: '+14155550177' });
    assert.equal(await phone(), '+14155550177');
    assert.deepEqual(await pins(), []);
    assert.equal((await send()).body.visitor_full_name, 'Ann');
    assert.equal((await accounts.pins(account, true))?.pins, null);
    await correct({ visitor_full_name: 'Ann Doe' });
    assert.equal((await send()).body.visitor_full_name, 'Ann Doe');
  });

  it('pins nothing of a record that a person makes, nor what is set back to what the source says', async () => {
    const { service, staff, sent, correct, pins } = await setUp();
    const other = { ...sent, external_identifier: 'b' };
    const made = await service.json(`${PATH}/upsert`, other, { key: staff });
    const { data } = (await service.get(`${PATH}/${made.body.unique_identifier}/pins`)).body;
    assert.deepEqual(data, []);
    await correct({ visitor_phone_number: RIGHT });
    await correct({ visitor_phone_number: PHONE });
    assert.deepEqual(await pins(), []);
  });
});

describe('A proposal', () => {
  it('is accepted: the value is stored, and the source decides again', async () => {
    const { send, proposed, decide, phone, proposals, pins } = await setUp();
    const one = await proposed();
    const accepted = await decide('accept', one.unique_identifier);
    assert.deepEqual([accepted.status, accepted.body.status], [200, 'accepted']);
    assert.equal(await phone(), OTHER);
    assert.deepEqual([await proposals(), await pins()], [[], []]);
    assert.equal((await send()).body.visitor_phone_number, PHONE);
  });

  it('is refused: the same value does not come back, another one does', async () => {
    const { send, proposed, decide, phone, proposals } = await setUp();
    const one = await proposed();
    assert.equal((await decide('keep', one.unique_identifier)).body.status, 'kept');
    const night = await send({ visitor_phone_number: OTHER });
    assert.equal(night.headers.get('ledgerstone-outcome'), 'unchanged');
    await send();
    assert.deepEqual(await proposals(), []);
    await send({ visitor_phone_number: '+14155550177' });
    assert.equal((await proposals()).length, 1);
    assert.equal(await phone(), RIGHT);
  });

  it('cannot be decided twice, nor after the source sent something else', async () => {
    const { send, proposed, decide, read, proposals } = await setUp();
    const one = await proposed();
    await send({ visitor_phone_number: '+14155550177' });
    const [two] = await proposals();
    await decide('keep', two.unique_identifier);
    const { text } = await read();
    for (const proposal of [one.unique_identifier, two.unique_identifier]) {
      for (const what of ['accept', 'keep'])
        refused(await decide(what, proposal), 409, 'proposal_decided');
    }
    assert.equal((await read()).text, text);
    for (const wrong of ['prp_x', 'prp_evt_0350hLTg4Qw7ghih1EWE8N_1_1', `${one.record}`])
      assert.equal((await decide('accept', wrong)).status, 404);
  });

  it('is decided by one of two who decide at once', async () => {
    const { proposed, decide } = await setUp();
    const { unique_identifier } = await proposed();
    const all = await Promise.all(
      ['accept', 'keep'].map((what) => decide(what, unique_identifier)),
    );
    const late = all.filter(({ status }) => status !== 200);
    assert.equal(late.length, 1);
    for (const one of late) refused(one, 409, 'proposal_decided');
  });

  it('goes where the pin is lifted', async () => {
    const { send, correct, lift, phone, proposals, pins } = await setUp();
    await correct({ visitor_phone_number: RIGHT, visitor_full_name: 'Ann Doe' });
    await send({ visitor_phone_number: OTHER });
    const lifted = await lift('visitor_phone_number');
    assert.equal(lifted.status, 200);
    assert.deepEqual(pluck(lifted.body.data, 'member'), ['visitor_full_name']);
    assert.deepEqual([(await proposals()).length, (await pins()).length], [0, 1]);
    assert.equal(await phone(), RIGHT);
    assert.equal((await send({ visitor_phone_number: OTHER })).body.visitor_phone_number, OTHER);
    for (const member of ['visitor_phone_number', 'event', 'external_identifier'])
      refused(await lift(member), 404, 'pin_missing');
  });

  it('is listed page by page, members of a record together', async () => {
    const { service, staff, sent } = await setUp(await (await joinService()).another());
    const others = Array.from({ length: 5 }, (_, at) => `many-${at}`);
    for (const external_identifier of others) {
      const record = { ...sent, external_identifier };
      await service.json(`${PATH}/upsert`, record);
      const right = { visitor_full_name: 'Right', visitor_phone_number: RIGHT };
      await service.json(`${PATH}/upsert`, { ...record, ...right }, { key: staff });
      const wrong = { visitor_full_name: 'Wrong', visitor_phone_number: OTHER };
      await service.json(`${PATH}/upsert`, { ...record, ...wrong });
    }
    const found: string[] = [];
    let after = '';
    for (let more = true; more; ) {
      const { body } = await service.get(`/v1/proposals?status=open&limit=3${after}`);
      found.push(...body.data.map((one: Body) => `${one.external_identifier} ${one.member}`));
      after = `&starting_after=${body.data.at(-1).unique_identifier}`;
      more = body.has_more;
    }
    const both = (one: string) => [`${one} visitor_full_name`, `${one} visitor_phone_number`];
    assert.deepEqual(found, others.toReversed().flatMap(both));
  });
});

describe('The history of a corrected record', () => {
  it('has pins and proposals in their places', async () => {
    const { service, send, id, proposed, decide } = await setUp();
    const one = await proposed();
    await decide('keep', one.unique_identifier);
    await send({ visitor_phone_number: RIGHT });
    const { data } = (await service.get(`${PATH}/${id}/history`)).body;
    const member = 'visitor_phone_number';
    assert.deepEqual(pluck(data, 'outcome', 'changed', 'pins'), [
      ['updated', [], [{ member, what: 'ended' }]],
      ['updated', [], [{ member, what: 'kept' }]],
      ['updated', [], [{ member, what: 'proposed', proposed: OTHER }]],
      ['updated', [member], [{ member, what: 'pinned' }]],
      ['created', [], undefined],
    ]);
    const feed = await service.get(`/v1/changes?outcome[]=updated&limit=1000`);
    assert.equal(feed.body.data.filter(({ record }: Body) => record === id).length, 4);
  });
});

describe('A person who corrects while sources write', () => {
  it('wins against all of them', async () => {
    const { send, correct, phone } = await setUp();
    // As many rounds as writers.
    const many = ALL ? 64 : 16;
    for (let round = 0; round < (ALL ? many : 4); round++) {
      const right = `+1415557${1000 + round}`;
      const writers = Array.from({ length: many }, (_, writer) =>
        send({ visitor_phone_number: `+1415556${1000 + round * many + writer}` }),
      );
      const [corrected] = await Promise.all([correct({ visitor_phone_number: right }), ...writers]);
      assert.equal(corrected.status, 200);
      assert.equal(await phone(), right);
      assert.equal((await send()).body.visitor_phone_number, right);
    }
  });
});
