/** A sync removes nothing while something that was sent with it was not taken: whatever went wrong, and wherever. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { pluck } from '../support/pluck.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody } from '../support/sent.ts';
import type { Answer, Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { refused, served } from '../support/world.ts';

const service = served({ settings: keyed() });
const MANY = '/v1/events/upsert_many';
const NAMES = Array.from({ length: 30 }, (_, at) => `${1001 + at}`);
let grounds = 0;

/** A place at which thirty services are, of a key. */
async function ground(names: readonly string[] = NAMES) {
  grounds += 1;
  // Others have begun when this one goes on.
  const number = grounds;
  const location = await service.location(`doubted ${number}`);
  const { secret: key, key: stored } = await service.newKey({ name: `Nightly ${number}` });
  const row = (name: string, more = {}) => eventBody(location, name, more);
  const rows = (without?: string) =>
    names.filter((name) => name !== without).map((one) => row(one));
  const begin = async (more = {}) => {
    const { body, text } = await service.json(
      '/v1/syncs',
      { resource: 'event', location, ...more },
      { key },
    );
    assert.ok(body.unique_identifier, text);
    return body.unique_identifier as string;
  };
  const under = (sync: string, headers = {}) => ({
    key,
    headers: { 'Ledgerstone-Sync': sync, ...headers },
  });
  const send = (sync: string, some: readonly object[], headers = {}, query = '') =>
    service.json(`${MANY}${query}`, some, under(sync, headers));
  const body = (
    sync: string,
    type: string,
    bytes: string | Uint8Array,
    headers = {},
    path = MANY,
  ) =>
    service.send('POST', path, {
      ...under(sync, { 'Content-Type': type, ...headers }),
      body: bytes as string,
    });
  const finish = (sync: string, more = {}): Promise<Answer> =>
    service.json(`/v1/syncs/${sync}/finish`, more, { key });
  const there = async () => {
    const query = `location_unique_identifier=${location}&limit=1000`;
    const { body: page } = await service.get(`/v1/events?${query}`);
    return pluck(page.data, 'external_identifier').sort();
  };
  const made = await service.json(MANY, rows(), { key });
  assert.equal(made.body.summary?.failed, 0, made.text.slice(0, 300));
  return { number, location, key, stored, row, rows, begin, under, send, body, finish, there };
}

type Ground = Awaited<ReturnType<typeof ground>>;

const LOST = '1008';
const HEADER = 'event_name,location_unique_identifier,external_identifier,event_datetime';
const table = (location: string, lost: string) =>
  [
    HEADER,
    ...NAMES.map((name) =>
      name === LOST ? lost : `A service,${location},${name},2027-03-20T14:30:00Z`,
    ),
  ].join('\n');
const ndjson = (rows: readonly object[], at: (text: string) => string) =>
  rows
    .map((one) => JSON.stringify(one))
    .map((text) => (text.includes(`"${LOST}"`) ? at(text) : text))
    .join('\n');

/** Rows that are refused and say of no record that it is theirs. */
const UNNAMED: Readonly<Record<string, (g: Ground, sync: string) => Promise<Answer>>> = {
  'an array: a number': ({ send, rows, row }, sync) =>
    send(sync, [...rows(LOST), { ...row(LOST), external_identifier: Number(LOST) }]),
  'an array: none': ({ send, rows, row }, sync) =>
    send(sync, [...rows(LOST), { ...row(LOST), external_identifier: undefined }]),
  'an array: null': ({ send, rows, row }, sync) =>
    send(sync, [...rows(LOST), { ...row(LOST), external_identifier: null }]),
  'an array: an empty text': ({ send, rows, row }, sync) =>
    send(sync, [...rows(LOST), { ...row(LOST), external_identifier: '' }]),
  'an array: too long a text': ({ send, rows, row }, sync) =>
    send(sync, [...rows(LOST), { ...row(LOST), external_identifier: LOST.repeat(100) }]),
  'an array: no object': ({ send, rows }, sync) =>
    send(sync, [...rows(LOST), [LOST] as unknown as object]),
  'an array, rehearsed': ({ send, rows, row }, sync) =>
    send(sync, [...rows(LOST), { ...row(LOST), external_identifier: 8 }], {}, '?dry_run=true'),
  'a table: a comma without quotes': ({ body, location }, sync) =>
    body(sync, 'text/csv', table(location, `Smith, John,${location},${LOST},2027-03-20T14:30:00Z`)),
  'a table: a cell is missing': ({ body, location }, sync) =>
    body(sync, 'text/csv', table(location, `${location},${LOST},2027-03-20T14:30:00Z`)),
  'a table: a quote that nothing closes': ({ body, location }, sync) =>
    body(sync, 'text/csv', table(location, `a "Smith,${location},${LOST},2027-03-20T14:30:00Z`)),
  'a table: no UTF-8': ({ body, location }, sync) =>
    body(
      sync,
      'text/csv',
      Buffer.from(table(location, `José,${location},${LOST},2027-03-20T14:30:00Z`), 'latin1'),
    ),
  'lines: cut before the identifier': ({ body, rows }, sync) =>
    body(
      sync,
      'application/x-ndjson',
      ndjson(rows(), () => '{"event_name":"A serv'),
    ),
  'lines: two in one': ({ body, rows }, sync) =>
    body(
      sync,
      'application/x-ndjson',
      ndjson(rows(), (text) => `${text}${text.replace(LOST, '1999')}`),
    ),
  'lines: an identifier that is no UTF-8': ({ body, rows }, sync) =>
    body(
      sync,
      'application/x-ndjson',
      Buffer.from(
        ndjson(rows(), (text) => text.replace(LOST, `${LOST}é`)),
        'latin1',
      ),
    ),
  'one by one': async ({ body, send, rows }, sync) => {
    await send(sync, rows(LOST));
    return body(sync, 'application/json', '{"event_name":', {}, '/v1/events/upsert');
  },
  'one by one, a form': async ({ body, send, rows }, sync) => {
    await send(sync, rows(LOST));
    const sent = `event_name=A&external_identifier=%FF${LOST}`;
    return body(sync, 'application/x-www-form-urlencoded', sent, {}, '/v1/events/upsert');
  },
};

/** Requests that are refused as a whole, by their statuses. */
const WHOLE: Readonly<
  Record<string, readonly [number, (g: Ground, sync: string) => Promise<Answer>]>
> = {
  'broken JSON': [
    400,
    ({ body }, sync) => body(sync, 'application/json', '[{"external_identifier":'),
  ],
  'a parameter that is unknown': [
    400,
    ({ send, row }, sync) => send(sync, [row(LOST)], {}, '?what=1'),
  ],
  'too many rows': [
    413,
    ({ send, row }, sync) =>
      send(
        sync,
        Array.from({ length: 1_001 }, () => row(LOST)),
      ),
  ],
  'a header that is wrong': [
    400,
    ({ send, row }, sync) => send(sync, [row(LOST)], { 'Idempotency-Key': 'a b' }),
  ],
  'a path that is not there': [
    404,
    ({ body, row }, sync) =>
      body(sync, 'application/json', JSON.stringify([row(LOST)]), {}, '/v1/event/upsert_many'),
  ],
  'a method that is not there': [
    405,
    ({ under }, sync) => service.send('PUT', MANY, { ...under(sync), body: '{}' }),
  ],
  'another resource': [
    409,
    ({ body }, sync) =>
      body(sync, 'application/json', '[]', {}, '/v1/event_check_in_records/upsert_many'),
  ],
  'a body that is too large': [
    413,
    ({ body }, sync) => body(sync, 'application/json', `["${'x'.repeat(34 * 1_048_576)}"]`),
  ],
  'a kind of body that is unknown': [
    415,
    ({ body }, sync) => body(sync, 'application/xml', '<services/>'),
  ],
  'an Idempotency-Key of another request': [
    422,
    async ({ send, row }, sync) => {
      await send(sync, [row('1001')], { 'Idempotency-Key': sync });
      return send(sync, [row(LOST)], { 'Idempotency-Key': sync });
    },
  ],
};

/** Ways of naming a sync that are refused: headers, or a query. */
const MISNAMED: Readonly<Record<string, (sync: string) => readonly [object, string?]>> = {
  'in quotes': (sync) => [{ 'Ledgerstone-Sync': `"${sync}"` }],
  'twice, as proxies join headers': (sync) => [{ 'Ledgerstone-Sync': `${sync}, ${sync}` }],
  'behind a label': (sync) => [{ 'Ledgerstone-Sync': `id=${sync};` }],
  'in a header that is misspelt': (sync) => [{ 'Ledgerstone-Synch': sync }],
  'in a header with X- before it': (sync) => [{ 'X-Ledgerstone-Sync': sync }],
  'in a header with underscores': (sync) => [{ ledgerstone_sync: sync }],
  'in the query': (sync) => [{}, `?sync=${sync}`],
  'in the query, encoded': (sync) => [{}, `?sync=%22${sync}%22`],
};

describe('A sync in doubt', { concurrency: true }, () => {
  for (const [how, named] of Object.entries(MISNAMED))
    it(`is not finished after a request that named it ${how}, and was refused`, async () => {
      const g = await ground();
      const sync = await g.begin();
      await g.send(sync, g.rows(LOST));
      const [headers, query = ''] = named(sync);
      const answer = await service.json(`${MANY}${query}`, [g.row(LOST)], {
        key: g.key,
        headers: { ...headers },
      });
      assert.equal(answer.status, 400, answer.text);
      refused(await g.finish(sync), 409, 'sync_in_doubt', 'despite');
      assert.deepEqual(await g.there(), NAMES);
    });

  it('is none for what asks of the sync itself, and is refused', async () => {
    const g = await ground();
    const sync = await g.begin();
    await g.send(sync, g.rows());
    const path = `/v1/syncs/${sync}/finish`;
    refused(await service.json(path, {}, g.under(sync)), 400, 'header_invalid');
    assert.equal((await g.finish(sync)).body.status, 'finished');
  });

  it('is not finished after a request that came above a limit', async () => {
    const g = await ground();
    const source = { name: `Limited ${g.number}` };
    const { secret: key } = await service.newKey({ source });
    const { secret: limited } = await service.newKey({ source, requests_a_second: 1 / 60 });
    const at = { resource: 'event', location: g.location };
    const sync = (await service.json('/v1/syncs', at, { key })).body.unique_identifier;
    const headers = { 'Ledgerstone-Sync': sync };
    await service.json(MANY, g.rows(LOST), { key, headers });
    await until(async () => {
      const sent = await service.json(MANY, [g.row('1001')], { key: limited, headers });
      return sent.status === 429;
    });
    const done = await service.json(`/v1/syncs/${sync}/finish`, {}, { key });
    refused(done, 409, 'sync_in_doubt');
    const { doubts } = (await service.get(`/v1/syncs/${sync}`, { key })).body;
    assert.deepEqual(pluck(doubts, 'reason', 'status', 'code'), [['refused', 429, 'rate_limited']]);
  });

  for (const [what, sent] of Object.entries(UNNAMED))
    it(`is not finished after a row that names no record, in ${what}`, async () => {
      const g = await ground();
      const sync = await g.begin();
      const answer = await sent(g, sync);
      const done = await g.finish(sync);
      refused(done, 409, 'sync_in_doubt', 'despite');
      assert.deepEqual(await g.there(), NAMES);
      const shown = (await service.get(`/v1/syncs/${sync}`, { key: g.key })).body;
      const request = answer.headers.get('Request-Id');
      assert.deepEqual(pluck(shown.doubts, 'request'), [request]);
      assert.equal(shown.doubts_count, 1);
      assert.ok(done.text.includes(String(request)));
      const dry = (await g.finish(sync, { dry_run: true })).body;
      assert.deepEqual([dry.doubts, dry.doubts_count], [shown.doubts, 1]);
      assert.equal(dry.refusal, done.body.error.message);
    });

  for (const [what, [status, sent]] of Object.entries(WHOLE))
    it(`is not finished after a request that was refused for ${what}`, async () => {
      const g = await ground();
      const sync = await g.begin();
      await g.send(sync, g.rows(LOST));
      const answer = await sent(g, sync);
      assert.equal(answer.status, status, answer.text.slice(0, 300));
      refused(await g.finish(sync), 409, 'sync_in_doubt', 'despite');
      const shown = (await service.get(`/v1/syncs/${sync}`, { key: g.key })).body;
      const { error } = answer.body;
      assert.deepEqual(pluck(shown.doubts, 'reason', 'status', 'code'), [
        ['refused', status, error.code],
      ]);
      assert.deepEqual(await g.there(), NAMES);
      // Said by name, it does not matter.
      const { request } = shown.doubts[0];
      refused(await g.finish(sync, { despite: ['req_other'] }), 409, 'sync_in_doubt');
      refused(await g.finish(sync, { at_most: '100%' }), 409, 'sync_in_doubt');
      const done = await g.finish(sync, { despite: [request] });
      // Its rows were read before it was found to be another one.
      const removed = status === 422 ? {} : { event: 1 };
      assert.deepEqual(done.body.removed, removed, done.text);
      assert.deepEqual(pluck(done.body.doubts, 'request'), [request]);
    });

  it('is not finished after its key ended on the way', async () => {
    const g = await ground();
    const source = { name: `Vendor ${g.number}` };
    const [first, second] = [await service.newKey({ source }), await service.newKey({ source })];
    const by = (key: string) => ({ key, headers: { 'Ledgerstone-Sync': sync } });
    const at = { resource: 'event', location: g.location };
    const begun = await service.json('/v1/syncs', at, { key: first.secret });
    const sync = begun.body.unique_identifier;
    await service.json(MANY, g.rows(LOST), by(first.secret));
    await service.app.store.keys.revoke(first.key.unique_identifier);
    await until(async () => (await service.json(MANY, g.rows(), by(first.secret))).status === 401);
    const path = `/v1/syncs/${sync}/finish`;
    refused(await service.json(path, {}, { key: second.secret }), 409, 'sync_in_doubt');
    const done = await service.json(path, { despite: 'all' }, { key: second.secret });
    assert.equal(done.body.status, 'finished', done.text);
  });

  for (const [what, head] of [
    ['of an array', 'Content-Type: application/json\r\nContent-Length: 5000'],
    ['of lines', 'Content-Type: application/x-ndjson\r\nContent-Length: 5000'],
    ['of lines in pieces', 'Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked'],
    ['of one record', 'Content-Type: application/json\r\nContent-Length: 5000'],
  ] as const)
    it(`is not finished after a body ${what} broke off`, async () => {
      const g = await ground();
      const sync = await g.begin();
      await g.send(sync, g.rows(LOST));
      const path = what === 'of one record' ? '/v1/events/upsert' : MANY;
      const { port, hostname } = new URL(service.url);
      const socket = connect(Number(port), hostname);
      const line = `${JSON.stringify(g.row('1001'))}\n`;
      const piece = head.includes('chunked') ? `${line.length.toString(16)}\r\n${line}\r\n` : line;
      socket.on('error', () => undefined);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${g.key}\r\nLedgerstone-Sync: ${sync}\r\n${head}\r\n\r\n${piece}`,
      );
      const count = async () =>
        (await service.get(`/v1/syncs/${sync}`, { key: g.key })).body.doubts_count;
      if (path === MANY) await until(async () => (await count()) === 1);
      else await new Promise((done) => socket.write('', done));
      // While it arrives, nobody knows what else it has.
      if (path === MANY) refused(await g.finish(sync), 409, 'sync_in_doubt');
      socket.destroy();
      await until(async () => (await count()) === 1);
      await until(async () => {
        const { body } = await service.get(`/v1/syncs/${sync}`, { key: g.key });
        return body.doubts[0].reason === 'cut';
      });
      refused(await g.finish(sync), 409, 'sync_in_doubt');
      assert.deepEqual(await g.there(), NAMES);
    });

  it('is no longer so when the same is sent again and taken, by any of its names', async () => {
    for (const way of ['request', 'key', 'name'] as const) {
      const g = await ground();
      const sync = await g.begin();
      await g.send(sync, g.rows(LOST));
      const name = { 'Ledgerstone-Instead-Of': `try-${g.number}` };
      const first =
        way === 'key' ? { 'Idempotency-Key': `k${g.number}` } : way === 'name' ? name : {};
      const answer = await g.body(sync, 'application/xml', '<services/>', first);
      const again =
        way === 'request' ? { 'Ledgerstone-Instead-Of': answer.headers.get('Request-Id') } : first;
      // Refused again, it is two.
      await g.body(sync, 'application/xml', '<services/>', again);
      refused(await g.finish(sync), 409, 'sync_in_doubt');
      const taken = await g.send(sync, [g.row(LOST)], again);
      assert.equal(taken.status, 200, taken.text);
      const done = await g.finish(sync);
      if (way === 'request') refused(done, 409, 'sync_in_doubt');
      else assert.equal(done.body.status, 'finished', done.text);
      assert.deepEqual(await g.there(), NAMES);
    }
  });

  it('stays so where the answer to what is sent again is the one of before', async () => {
    const g = await ground();
    const sync = await g.begin();
    const rows = [...g.rows(LOST), { ...g.row(LOST), external_identifier: 8 }];
    for (const _ of [1, 2]) {
      await g.send(sync, rows, { 'Idempotency-Key': `twice-${g.number}` });
      refused(await g.finish(sync), 409, 'sync_in_doubt');
    }
    assert.equal((await service.get(`/v1/syncs/${sync}`, { key: g.key })).body.doubts_count, 1);
  });

  it('stays so where what is sent again names no record either', async () => {
    const g = await ground();
    const sync = await g.begin();
    const wrong = { ...g.row(LOST), external_identifier: 8 };
    const first = await g.send(sync, [...g.rows(LOST), wrong]);
    const instead = { 'Ledgerstone-Instead-Of': first.headers.get('Request-Id') };
    const second = await g.send(sync, [wrong], instead);
    refused(await g.finish(sync), 409, 'sync_in_doubt');
    const { body } = await service.get(`/v1/syncs/${sync}`, { key: g.key });
    assert.deepEqual(pluck(body.doubts, 'request', 'reason', 'row', 'code'), [
      [second.headers.get('Request-Id'), 'row', 0, 'type_invalid'],
    ]);
  });

  it('counts all doubts, names the first hundred, and keeps no more than a thousand requests', async () => {
    const g = await ground();
    const sync = await g.begin();
    const wrong = Array.from({ length: 1_000 }, () => ({ ...g.row('x'), external_identifier: 1 }));
    await g.send(sync, g.rows());
    await g.send(sync, wrong);
    await g.send(sync, wrong.slice(0, 7));
    const { body } = await service.get(`/v1/syncs/${sync}`, { key: g.key });
    assert.deepEqual([body.doubts.length, body.doubts_count], [100, 1_007]);
    const done = await g.finish(sync);
    refused(done, 409, 'sync_in_doubt');
    assert.match(done.body.error.message, /1,007 things/);
    const listed = await service.get('/v1/syncs?limit=1000', { key: g.key });
    const [own] = listed.body.data.filter((one: Body) => one.unique_identifier === sync);
    assert.deepEqual([own.doubts, own.doubts_count], [[], 1_007]);
    assert.equal((await g.finish(sync, { despite: 'all' })).body.status, 'finished');
  });

  it('is not so for a row that is refused and names its record: that stays', async () => {
    const g = await ground();
    const sync = await g.begin();
    const elsewhere = await service.location(`beside ${g.number}`);
    const [a, b, c, d] = NAMES as [string, string, string, string];
    await g.send(sync, [
      { ...g.row(a), event_datetime: 'soon' },
      { ...g.row(b), location_unique_identifier: elsewhere },
      { ...g.row(c), what: 1 },
      ...g.rows().slice(4),
    ]);
    await g.body(
      sync,
      'application/json',
      `{"external_identifier":"${d}",`,
      {},
      '/v1/events/upsert',
    );
    const done = await g.finish(sync);
    assert.deepEqual([done.body.status, done.body.removed], ['finished', {}], done.text);
  });

  it('is so where nothing was sent, and only at_most=100% finishes it', async () => {
    const g = await ground(['a', 'b']);
    for (const send of [
      async () => undefined,
      (sync: string) => g.send(sync, []),
      (sync: string) => g.body(sync, 'text/csv', `${HEADER}\n`),
    ]) {
      const sync = await g.begin();
      await send(sync);
      const done = await g.finish(sync);
      refused(done, 409, 'sync_in_doubt', 'at_most');
      refused(await g.finish(sync, { despite: 'all' }), 409, 'sync_in_doubt', 'at_most');
      assert.equal((await g.finish(sync, { dry_run: true })).body.refusal, done.body.error.message);
    }
    assert.deepEqual(await g.there(), ['a', 'b']);
    const sync = await g.begin();
    assert.deepEqual((await g.finish(sync, { at_most: '100%' })).body.removed, { event: 2 });
  });

  it('is of nobody else: other sources leave no doubt in it', async () => {
    const g = await ground();
    const sync = await g.begin();
    await g.send(sync, g.rows(LOST));
    const { secret } = await service.newKey({ name: 'Another' });
    const headers = { 'Ledgerstone-Sync': sync, 'Content-Type': 'application/xml' };
    for (const key of [secret, 'sk_test_nobody'])
      await service.send('POST', MANY, { key, headers, body: '<a/>' });
    const done = await g.finish(sync);
    assert.deepEqual(done.body.removed, { event: 1 }, done.text);
  });
});
