/** Many upserts as one JSON array: each row for itself, or all or none (decisions, "Bodies", "Merge", "Keys"). */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withAll } from '../support/all.ts';
import { examples } from '../support/bodies.ts';
import { inShort, sendArray, summary } from '../support/rows.ts';
import { faultsOf } from '../support/scenario.ts';
import type { Answer, Body } from '../support/service.ts';
import { exchange, rawRequest } from '../support/wire.ts';
import { refused, world } from '../support/world.ts';

const stage = world();
const on = 'event_check_in_records';
const row = (as: string, members: Body = {}, path = on): Body =>
  JSON.parse(stage.text(path, members, as));
const bad = { visitor_phone_number: '555' };
const send = (rows: readonly Body[] | string, sent?: Parameters<typeof sendArray>[3]) =>
  sendArray(stage, on, rows, sent);

/** What an upsert of its own would do to the record: whether it is there. */
async function isThere(as: string): Promise<boolean> {
  const headers = { 'Ledgerstone-Mode': 'update_only' };
  const { status, text } = await stage.upsert(on, { as, headers });
  assert.ok(status === 200 || status === 404, text);
  return status === 200;
}

describe('every row is answered, in order', () => {
  it('of every resource but accounts, as an upsert of its own would be', async () => {
    for (const { path, prefix } of examples) {
      const rows = ['a', 'b'].map((as) => row(`${as} of many`, {}, path));
      const made = await sendArray(stage, path, rows);
      assert.equal(made.status, 200, made.text);
      assert.equal(made.body.object, 'upsert_many');
      assert.equal(made.body.url, `/v1/${path}/upsert_many`);
      assert.deepEqual(made.body.summary, summary(2, 0, 0, 0));
      assert.equal(made.headers.get('idempotent-replayed'), null);
      for (const [index, as] of ['a', 'b'].entries()) {
        const { unique_identifier, ...rest } = made.body.data[index];
        assert.deepEqual(rest, { outcome: 'created' });
        assert.ok(unique_identifier.startsWith(prefix));
        const alone = await stage.upsert(path, { as: `${as} of many` });
        assert.equal(alone.headers.get('ledgerstone-outcome'), 'unchanged');
        assert.equal(alone.body.unique_identifier, unique_identifier);
      }
    }
    const accounts = await sendArray(stage, 'accounts', []);
    assert.ok([404, 405].includes(accounts.status), accounts.text);
  });

  it('in a few commits, not one for each row', async () => {
    const { log } = stage.service.app.store;
    const { account } = stage.parents;
    const after = await log.last(account);
    const rows = Array.from({ length: 400 }, (_, nth) => row(`few ${nth}`));
    assert.deepEqual((await send(rows)).body.summary, summary(400, 0, 0, 0));
    const read = await log.read({ account, after, limit: 1_000, bytes: 1 });
    assert.ok(typeof read !== 'string');
    assert.equal(read.changes.length, 400);
    assert.ok(new Set(read.changes.map(({ position }) => position)).size <= 4);
  });

  it('one identity many times in one array: the first row wins, and others that differ are refused', async () => {
    const members = [
      { visitor_phone_number: '555' },
      { visitor_email_address: 'first', visitor_relationship_to_deceased: 'friend' },
      { visitor_email_address: 'other' },
      { visitor_relationship_to_deceased: 'friend', visitor_email_address: 'first' },
      { visitor_email_address: null },
    ];
    const rows = members.map((some) => row('same', some));
    const outcomes = (first: string, later = 'unchanged') => [
      ...['phone_number_invalid', first, 'row_repeated', later, 'row_repeated'],
    ];
    for (const first of ['created', 'unchanged']) {
      const { body } = await send(rows);
      assert.deepEqual(inShort(body.data), outcomes(first));
      const { error } = body.data[2];
      assert.equal(error.param, 'external_identifier');
      assert.match(error.message, /earlier row/);
    }
    const record = await stage.upsert(on, { as: 'same' });
    assert.equal(record.body.public_data.visitor_email_address, 'first');
    const another = await send([row('same', { visitor_email_address: 'since' })]);
    assert.deepEqual(inShort(another.body.data), ['updated'], 'another request is not compared');
    const dry = await send(rows, { query: '?dry_run=true' });
    assert.deepEqual(inShort(dry.body.data), outcomes('updated', 'updated'));
    const atomic = await send(rows.slice(1, 3), { query: '?atomic=true' });
    assert.deepEqual(faultsOf(atomic), [
      [undefined, 'batch_refused'],
      ['1.external_identifier', 'row_repeated'],
    ]);
    const keyed = { headers: { 'Idempotency-Key': 'same' } };
    const once = await send(rows, keyed);
    assert.deepEqual(inShort(once.body.data), outcomes('updated'));
    assert.equal((await send(rows, keyed)).text, once.text);
  });

  it('one identity of several parents is several records', async () => {
    const elsewhere = await stage.service.location('elsewhere of many');
    const rows = [stage.location, elsewhere].map((location, at) => {
      const members = { event_name: `${at}`, location_unique_identifier: location };
      return row('per parent', members, 'events');
    });
    const { body } = await sendArray(stage, 'events', rows);
    assert.deepEqual(inShort(body.data), ['created', 'created']);
  });

  it('bad rows of every kind fail alone, with the error of an upsert of their own', async () => {
    const deep = `${'['.repeat(32)}${']'.repeat(32)}`;
    const kinds: readonly (readonly [code: string, text: string])[] = [
      ['phone_number_invalid', stage.text(on, bad)],
      ['parameter_unknown', stage.text(on, { visitor_shoe_size: 1 })],
      ['parameter_missing', '{}'],
      ['parameter_repeated', stage.text(on, '"visitor_full_name":"B","visitor_full_name":"C"')],
      ['type_invalid', '7'],
      ['type_invalid', '[]'],
      ['type_invalid', 'null'],
      ['nesting_too_deep', `{"a":${deep}}`],
      ['text_invalid', stage.text(on, '"visitor_email_address":"\\u0000"')],
      ['text_too_long', stage.text(on, { visitor_email_address: 'x'.repeat(321) })],
      ['resource_missing', stage.text(on, { event_unique_identifier: 'evt_none' })],
      ['body_too_large', stage.text(on, { visitor_email_address: 'x'.repeat(1_048_576) })],
    ];
    const texts = kinds.flatMap(([, text], index) => [text, stage.text(on, {}, `good ${index}`)]);
    const { status, body, text } = await send(`[${texts.join(' ,\n')}]`);
    assert.equal(status, 200, text.slice(0, 500));
    const outcomes = kinds.flatMap(([code]) => [code, 'created']);
    assert.deepEqual(inShort(body.data), outcomes);
    assert.deepEqual(body.summary, summary(kinds.length, 0, 0, kinds.length));
    for (const [index, [code, sent]] of kinds.entries()) {
      if (code === 'body_too_large') continue;
      const alone = await stage.service.json(`/v1/${on}/upsert`, sent);
      const { request_id: _id, doc_url: _url, ...error } = alone.body.error;
      assert.deepEqual(body.data[2 * index].error, error);
    }
  });

  it('the levels of a row count from the row', async () => {
    const nested = (levels: number): Body =>
      JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    const rows = [30, 31, 32].map((levels) =>
      row(`${levels}`, { additional_event_metadata: nested(levels) }, 'events'),
    );
    const { body } = await sendArray(stage, 'events', rows);
    assert.deepEqual(inShort(body.data), ['created', 'created', 'nesting_too_deep']);
  });

  it('numbers keep their value', async () => {
    const number = '12345678901234567890.125';
    const text = stage.text('events', `"additional_event_metadata":{"n":${number}}`, 'number');
    await sendArray(stage, 'events', `[${text}]`);
    const record = await stage.upsert('events', { as: 'number' });
    assert.ok(record.text.includes(number), record.text);
  });

  it('no rows are no fault', async () => {
    for (const text of ['[]', ' [ \n] ', '\ufeff[]']) {
      const { status, body } = await send(text);
      assert.deepEqual([status, body.data, body.summary], [200, [], summary(0, 0, 0, 0)]);
    }
  });
});

describe('what holds for all rows', () => {
  it('Ledgerstone-Mode and Ledgerstone-Unknown-Fields', async () => {
    await send([row('mode')]);
    const rows = [row('mode'), row('no mode')];
    const only = (mode: string) => send(rows, { headers: { 'Ledgerstone-Mode': mode } });
    const update = await only('update_only');
    assert.deepEqual(inShort(update.body.data), ['unchanged', 'resource_missing']);
    assert.deepEqual(inShort((await only('create_only')).body.data), ['record_exists', 'created']);
    assert.deepEqual(faultsOf(await only('sometimes')), [[undefined, 'header_invalid']]);
    const headers = { 'Ledgerstone-Unknown-Fields': 'ignore' };
    const ignoring = await send([row('unknown', { shoe_size: 1 })], { headers });
    assert.deepEqual(inShort(ignoring.body.data), ['created']);
  });

  it('dry_run tells what each row would do if it came alone, and changes nothing', async () => {
    await send([row('dry there'), row('dry other')]);
    const changed = row('dry other', { visitor_email_address: 'a' });
    const rows = [row('dry there'), changed, row('dry new'), row('dry bad', bad)];
    for (const query of ['?dry_run=true', '?dry_run=true&atomic=false']) {
      const { body, headers } = await send(rows, { query });
      const codes = ['unchanged', 'updated', 'created', 'phone_number_invalid'];
      assert.deepEqual(inShort(body.data), codes);
      assert.equal(body.data[2].unique_identifier, undefined);
      assert.equal(headers.get('ledgerstone-dry-run'), 'true');
    }
    assert.equal(await isThere('dry new'), false);
  });

  it('what says neither yes nor no to atomic is refused', async () => {
    const answer = await send([], { query: '?atomic=maybe' });
    assert.deepEqual(faultsOf(answer), [['atomic', 'type_invalid']]);
  });
});

describe('atomic=true carries out all rows or none', () => {
  const atomic = { query: '?atomic=true' };

  it('all', async () => {
    const rows = [row('all 1'), row('all 2'), row('all 1')];
    const { status, body, headers } = await send(rows, atomic);
    assert.equal(status, 200);
    assert.equal(headers.get('idempotent-replayed'), null);
    assert.deepEqual(inShort(body.data), ['created', 'created', 'unchanged']);
  });

  for (const [why, members, code] of [
    ['a row that cannot be read', bad, 'phone_number_invalid'],
    ['a parent that is not there', { event_unique_identifier: 'evt_none' }, 'resource_missing'],
  ] as const) {
    it(`none for ${why}, and every such row is named by its index`, async () => {
      const rows = [row(`${why} 0`), row('x', members), row(`${why} 2`), row('x', members)];
      const answer = await send(rows, atomic);
      refused(answer, 409, 'batch_refused');
      const [param] = Object.keys(members);
      assert.deepEqual(faultsOf(answer), [
        [undefined, 'batch_refused'],
        [`1.${param}`, code],
        [`3.${param}`, code],
      ]);
      for (const index of [0, 2]) assert.equal(await isThere(`${why} ${index}`), false);
    });
  }

  it('none for a row that only the commit refuses', async () => {
    await send([row('committed')]);
    const headers = { 'Ledgerstone-Mode': 'create_only' };
    const answer = await send([row('not committed'), row('committed')], { ...atomic, headers });
    assert.deepEqual(faultsOf(answer), [
      [undefined, 'batch_refused'],
      ['1', 'record_exists'],
    ]);
    assert.equal(await isThere('not committed'), false);
  });
});

describe('an array that may be repeated (Idempotency-Key)', () => {
  const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });
  const replayed = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true';

  it('is done once, and answered the same: bad rows and missing parents included', async () => {
    const missing = row('once 3', { event_unique_identifier: 'evt_none' });
    const rows = [row('once 1'), row('once 2', bad), missing, row('once 4')];
    const first = await send(rows, keyed('once'));
    const codes = ['created', 'phone_number_invalid', 'resource_missing', 'created'];
    assert.deepEqual(inShort(first.body.data), codes);
    await stage.upsert(on, { as: 'once 1', json: { visitor_email_address: 'since' } });
    const again = await send(rows, keyed('once'));
    assert.equal(again.text, first.text);
    assert.deepEqual([replayed(first), replayed(again)], [false, true]);
    const since = await stage.upsert(on, { as: 'once 1' });
    assert.equal(since.body.public_data.visitor_email_address, 'since');
  });

  it('another body with the key is 422', async () => {
    await send([row('reused')], keyed('reused'));
    refused(await send([row('other')], keyed('reused')), 422, 'idempotency_key_reused');
    assert.equal(await isThere('other'), false);
  });

  it('with atomic=true, what was refused may be sent again with the same key', async () => {
    const sent = { query: '?atomic=true', ...keyed('later') };
    const location_unique_identifier = stage.location;
    const parent = { event_external_identifier: 'comes later', location_unique_identifier };
    const rows = [row('later', { event_unique_identifier: undefined, ...parent })];
    assert.equal((await send(rows, sent)).status, 409);
    await stage.service.event(stage.location, 'comes later');
    const second = await send(rows, sent);
    assert.deepEqual([second.status, replayed(second)], [200, false]);
    const third = await send(rows, sent);
    assert.deepEqual([third.text, replayed(third)], [second.text, true]);
  });
});

describe('an array that is none does nothing', () => {
  for (const [rule, form, code = 'json_invalid'] of [
    ['an object', 'ROW', 'type_invalid'],
    ['nothing', ''],
    ['no end', '[ROW'],
    ['a comma too many', '[ROW,]'],
    ['two arrays', '[ROW][]'],
    ['a row that is no JSON', '[ROW,{"a":}]'],
    ['brackets that do not match', '[ROW,{]'],
    ['bytes that are no UTF-8', '[ROW,"\xff"]', 'encoding_invalid'],
  ] as const) {
    it(rule, async () => {
      const body = Buffer.from(form.replace('ROW', stage.text(on, {}, 'none')), 'latin1');
      const sent = { body, headers: { 'Content-Type': 'application/json' } };
      const answer = await stage.service.send('POST', `/v1/${on}/upsert_many`, sent);
      refused(answer, 400, code);
      assert.equal(await isThere('none'), false);
    });
  }

  it('the offset in the message is that of the whole body', async () => {
    const text = `[${stage.text(on, {}, 'none')}, {"a":}]`;
    const { body } = await send(text);
    assert.match(body.error.message, new RegExp(`at byte ${Buffer.byteLength(text) - 2}:`));
  });

  it('a row more than 1,000', async () => {
    const rows = Array.from({ length: 1001 }, (_, index) => row(`of too many ${index}`));
    refused(await send(rows), 413, 'rows_too_many');
    assert.equal(await isThere('of too many 0'), false);
    const most = await send(rows.slice(1));
    assert.deepEqual(most.body.summary, summary(1000, 0, 0, 0));
  });
});

describe('how large a body may be', () => {
  const MIB = 1_048_576;
  const path = `/v1/${on}/upsert_many`;
  const JSON_TYPE = { 'Content-Type': 'application/json' };

  it('up to 32 MiB, where the length is told and where it is not', withAll, async () => {
    const padded = (bytes: number) => `${`[${stage.text(on, {}, 'padded')}`.padEnd(bytes - 1)}]`;
    assert.equal((await send(padded(32 * MIB))).status, 200);
    const told = await send(padded(32 * MIB + 1));
    refused(told, 413, 'body_too_large');
    assert.match(told.body.error.message, /32 MiB; send at most 33554432 bytes/);
    const headers = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' };
    const head = rawRequest(stage.service, `POST ${path}`, headers);
    const chunk = `100000\r\n${' '.repeat(MIB)}\r\n`;
    const [untold] = await exchange(stage.service.url, [head, ...Array(33).fill(chunk)]);
    assert.deepEqual([untold?.status, untold?.body.error.code], [413, 'body_too_large']);
  });

  it('without a valid key nothing of it is read', async () => {
    const head = rawRequest(stage.service, `POST ${path}`, {
      ...JSON_TYPE,
      Authorization: 'Bearer sk_test_wrong',
      'Content-Length': String(32 * MIB),
    });
    const [answer] = await exchange(stage.service.url, head);
    assert.equal(answer?.status, 401);
  });

  it('other media types, or none, are 415 that say which are taken', async () => {
    const post = async (type: string, to = path, more = {}) => {
      const headers = { 'Content-Type': type, ...more };
      refused(await stage.service.send('POST', to, { body: '[]', headers }), 415);
    };
    await post('application/x-www-form-urlencoded');
    await post('text/plain');
    await post('text/csv; charset=windows-1252');
    await post('application/x-ndjson; charset=latin1');
    await post('application/x-ndjson', path, { 'Content-Encoding': 'gzip' });
    await post('application/x-ndjson', `/v1/${on}/upsert`);
    const length = { 'Content-Length': '2' };
    const raw = rawRequest(stage.service, `POST ${path}`, length, '[]');
    const [untyped] = await exchange(stage.service.url, raw);
    assert.equal(untyped?.status, 415);
    assert.equal(
      untyped?.headers['accept-post'],
      'application/json, application/x-ndjson, text/csv, text/tab-separated-values',
    );
  });
});

describe('whose rows they are', () => {
  it('a key of one location writes the rows of that location alone', async () => {
    const elsewhere = await stage.service.location('elsewhere');
    const event = await stage.service.event(elsewhere, 'at elsewhere');
    const { secret: key } = await stage.service.newKey({ anchors: [elsewhere] });
    const rows = [row('ours', { event_unique_identifier: event }), row('not ours')];
    const { body } = await send(rows, { key });
    assert.deepEqual(inShort(body.data), ['created', 'resource_missing']);
    const locations = ['elsewhere', 'chapel', 'new'].map((as) => row(as, {}, 'locations'));
    const answer = await sendArray(stage, 'locations', locations, { key });
    const codes = ['updated', 'location_not_permitted', 'location_not_permitted'];
    assert.deepEqual(inShort(answer.body.data), codes);
    const keyed = { key, headers: { 'Idempotency-Key': 'scoped' } };
    const first = await sendArray(stage, 'locations', locations, keyed);
    const again = await sendArray(stage, 'locations', locations, keyed);
    assert.equal(again.text, first.text);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  });
});
