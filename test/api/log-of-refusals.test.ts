/** The log tells the operator what was wrong and whose trace it was; records that were refused are found by their identifiers. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSecret } from '../../src/records/auth/issue-key.ts';
import { keptLog } from '../support/kept-log.ts';
import { keyed } from '../support/secret-key.ts';
import { eventBody } from '../support/sent.ts';
import { type Answer, type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { served } from '../support/world.ts';

async function setUp() {
  const { log, lines } = keptLog();
  const service = await startService({ log });
  const location = await service.location();
  /** The line of a request, which is written when its answer was sent. */
  const lineOf = async ({ headers }: Answer) => {
    const found = () => lines.find((one) => one.request_id === headers.get('request-id'));
    await until(() => found() !== undefined);
    return found() ?? assert.fail();
  };
  return { service, location, lineOf };
}

describe('the line of a refused request', () => {
  it('names the declared parameters at fault, and * for every other', async () => {
    const { service, location, lineOf } = await setUp();
    const wrong = { event_name: 7, event_datetime: 'soon', Wilhelmina: 1 };
    const sent = eventBody(location, 'one', wrong);
    const { code, params, status } = await lineOf(await service.json('/v1/events/upsert', sent));
    assert.equal(status, 400);
    assert.equal(code, 'type_invalid');
    assert.deepEqual(params, ['event_name', 'event_datetime', '*']);
    const done = await service.json('/v1/events/upsert', eventBody(location, 'one'));
    assert.ok(!('params' in (await lineOf(done))), 'nothing was wrong');
  });

  it('counts the rows of many by outcome and by code', async () => {
    const { service, location, lineOf } = await setUp();
    const rows = [
      eventBody(location, 'a'),
      eventBody(location, 'b', { event_name: '' }),
      eventBody(location, 'c'),
      eventBody('loc_nothing', 'd'),
    ];
    const wanted = { created: 2, parameter_missing: 1, resource_missing: 1 };
    const array = await lineOf(await service.json('/v1/events/upsert_many', rows));
    assert.deepEqual(array.rows, wanted);
    assert.deepEqual(array.params, ['event_name', 'location_unique_identifier']);

    const lines = rows.map((one) => JSON.stringify(one)).join('\n');
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const sent = await service.send('POST', '/v1/events/upsert_many', { headers, body: lines });
    const { created, ...refused } = wanted;
    assert.deepEqual((await lineOf(sent)).rows, { unchanged: created, ...refused });

    const atomic = await lineOf(await service.json('/v1/events/upsert_many?atomic=true', rows));
    assert.equal(atomic.code, 'batch_refused');
    assert.deepEqual(atomic.params, ['event_name', 'location_unique_identifier']);
    assert.equal(atomic.rows, undefined, 'nothing became of them');
    const [first] = rows;
    const dry = await service.json('/v1/events/upsert_many?dry_run=true', [first]);
    assert.deepEqual((await lineOf(dry)).rows, { rehearsed: 1 });
  });

  it('says why a key was not taken, and which it was, and tells the caller by the code of the error', async () => {
    const { service, lineOf } = await setUp();
    const { keys, accounts } = service.app.store;
    const codes: Readonly<Record<string, string>> = {
      absent: 'api_key_missing',
      malformed: 'api_key_missing',
      address_not_permitted: 'api_key_address',
      account_closed: 'authentication_failed',
    };
    const wants = async (why: string, sent: string | null, key?: string): Promise<void> => {
      const answer = await service.get('/v1/accounts', { key: sent });
      assert.equal(answer.status, 401);
      if (!sent?.endsWith('_'))
        assert.equal(answer.body.error.code, codes[why] ?? `api_key_${why}`);
      const line = await lineOf(answer);
      assert.deepEqual([line.authentication, line.key], [why, key]);
    };
    const made = async (limits: Parameters<Service['newKey']>[0] = {}) => {
      const { secret, key } = await service.newKey(limits);
      return [secret, key.unique_identifier] as const;
    };
    await wants('absent', null);
    const [secret, revoked] = await made();
    await wants('malformed', 'sk_test_short');
    await wants('malformed', `${secret.slice(0, -1)}_`);
    await wants('unknown', createSecret(false));
    await keys.revoke(revoked);
    await wants('revoked', secret, revoked);
    await wants('expired', ...(await made({ expires_at: 1 })));
    const [paused, suspended] = await made();
    await keys.suspend(suspended);
    await wants('suspended', paused, suspended);
    await wants('address_not_permitted', ...(await made({ from: ['203.0.113.7'] })));
    const last_one = await made();
    await accounts.close(service.account.unique_identifier);
    await wants('account_closed', ...last_one);
  });
});

const settings = keyed();
let watch: string;
const service = served({ settings }, async () => {
  watch = (await service.newKey({ allow: ['requests'] })).secret;
});

const HEAD = 'location_unique_identifier,external_identifier,event_name,event_datetime';
const MANY = '/v1/events/upsert_many';
const row = (external_identifier: string): string => JSON.stringify({ external_identifier });
const sendAs = (type: string, body: string) =>
  service.send('POST', MANY, { headers: { 'Content-Type': type }, body });

/** Each sends a record with that identifier, which is refused. */
const WAYS: readonly (readonly [what: string, send: (id: string) => Promise<unknown>])[] = [
  ['one record', (id) => service.json('/v1/events/upsert', row(id))],
  ['a form', (id) => service.form('/v1/events/upsert', { external_identifier: id })],
  ['an array', (id) => service.json(MANY, `[${row('other')},${row(id)}]`)],
  ['a stream', (id) => sendAs('application/x-ndjson', `${row('other')}\n${row(id)}\n`)],
  ['a table', (id) => sendAs('text/csv', `${HEAD}\nloc_x,"${id}",,\n`)],
  [
    'a query',
    (external_identifier) => {
      const pair = { external_identifier, location_unique_identifier: 'loc_x' };
      return service.send('DELETE', `/v1/events?${new URLSearchParams(pair)}`);
    },
  ],
];

const found = async (identifier: string): Promise<number> => {
  const query = new URLSearchParams({ identifier });
  const { status, body, text } = await service.get(`/v1/requests?${query}`, { key: watch });
  assert.equal(status, 200, text);
  return body.data.length;
};

describe('a refused record', () => {
  for (const [what, send] of WAYS) {
    it(`is found by its sender's own identifier, in ${what}`, async () => {
      const identifier = `Vigil ${what} "4994" é`.replace(/"/g, what === 'a table' ? '' : '"');
      await send(identifier);
      await until(async () => (await found(identifier)) === 1);
      assert.equal(await found(identifier.slice(1)), 0);
      const kept = JSON.stringify(await service.app.store.requests.refused({ limit: 100 }));
      assert.ok(!kept.includes('4994'), 'no value is kept');
    });
  }

  describe('that cannot be found', () => {
    const own = served({ settings: keyed() });
    const completeness = async (key: string) => {
      const { body, text } = await own.get('/v1/requests?identifier=V1', { key });
      assert.equal(body.data.length, 0, text);
      return body;
    };
    const many = '/v1/events/upsert_many';
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => eventBody('loc_x', `other ${at}`));
    /** Each sends V1 in a way that the log cannot read, or does not keep. */
    const hidden: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
      'of a type that is not read': (key) =>
        own.send('POST', many, { key, headers: { 'Content-Type': 'text/xml' }, body: '<V1/>' }),
      'broken JSON': (key) => own.json('/v1/events/upsert', '{"external_identifier": V1', { key }),
      'refused as a whole': (key) =>
        own.json(`${many}?atomic=true`, [eventBody('loc_x', 'a'), eventBody('loc_x', 'V1')], {
          key,
        }),
      'a number': (key) =>
        own.json(many, [{ ...eventBody('loc_x', 'a'), external_identifier: 1 }], { key }),
      'behind as many as have marks': (key) =>
        own.json(many, [...rows(200), eventBody('loc_x', 'V1')], { key }),
      'its own identifier left out': (key) =>
        own.send('DELETE', '/v1/events/evt_0350hLTg4Qw7ghih1EWE8N', { key }),
    };
    for (const [what, send] of Object.entries(hidden))
      it(`is not said to be none: ${what}`, async () => {
        const { secret } = await own.newKey({
          permissions: ['read', 'write', 'delete'],
          allow: ['requests'],
        });
        const { unique_identifier } = (await own.get('/v1/me', { key: secret })).body;
        const path = `/v1/requests?identifier=V1&key=${unique_identifier}`;
        const before = (await own.get(path, { key: secret })).body;
        assert.equal(before.complete, true, what);
        await send(secret);
        await until(async () => (await own.get(path, { key: secret })).body.complete === false);
        const { complete_since } = (await own.get(path, { key: secret })).body;
        const after = new URLSearchParams({ 'time[gte]': '2999-01-01T00:00:00Z' });
        assert.equal((await own.get(`${path}&${after}`, { key: secret })).body.complete, true);
        assert.ok(Math.abs(Date.parse(complete_since) - Date.now()) < 600_000, complete_since);
      });

    it('is said to be none however the time goes on meanwhile', async () => {
      let clock = Date.now();
      const later = await startService({
        settings: keyed(),
        now: () => {
          clock += 1;
          return clock;
        },
      });
      const { secret: key } = await later.newKey({ allow: ['requests'] });
      const { complete, complete_since } = (await later.get('/v1/requests?identifier=V1', { key }))
        .body;
      assert.equal(complete, true, complete_since);
    });

    it('is said of no other list, and of a time before what is kept', async () => {
      const { secret: key } = await own.newKey({ allow: ['requests'] });
      assert.equal('complete' in (await own.get('/v1/requests', { key })).body, false);
      const old = await own.get('/v1/requests?identifier=V1&time[gte]=2020-01-01T00:00:00Z', {
        key,
      });
      assert.equal(old.body.complete, false);
      assert.equal(typeof (await completeness(key)).complete_since, 'string');
    });
  });

  it('is not, where there is no key to make marks with, and it says so', async () => {
    const bare = await startService();
    const { secret } = await bare.newKey({ allow: ['requests'] });
    const answer = await bare.get('/v1/requests?identifier=V4994', { key: secret });
    assert.equal(answer.status, 400);
    assert.match(answer.body.error.message, /SECRET_KEY_FILE/);
  });
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;

describe('traceparent', () => {
  const { log, lines } = keptLog();
  const service = served({ log });

  /** The line of the one request that `send` sends. */
  async function lineOf(send: () => Promise<{ headers: Headers; text: string }>) {
    const { headers, text } = await send();
    const line = lines.find(({ request_id }) => request_id === headers.get('request-id'));
    assert.ok(line !== undefined);
    const answer = JSON.stringify([...headers]) + text;
    assert.ok(!answer.includes(TRACE) && !answer.includes(SPAN), 'it is echoed');
    return line;
  }

  const requests: readonly [string, string, Parameters<Service['send']>[2]?][] = [
    ['GET', '/v1/accounts'],
    ['GET', '/healthz', { key: null }],
    ['GET', '/v1/accounts', { key: null }],
    ['GET', '/v1/nothing'],
    ['GET', '/v1/%zz'],
    ['POST', '/v1/events/upsert', { headers: { 'Content-Type': 'application/json' }, body: '{' }],
  ];
  for (const [method, path, sent = {}] of requests) {
    it(`is in the log's line of ${method} ${path}${sent.key === null ? ' without a key' : ''}`, async () => {
      const headers = { ...sent.headers, traceparent: TRACEPARENT, tracestate: `a=${SPAN}` };
      const line = await lineOf(() => service.send(method, path, { ...sent, headers }));
      assert.equal(line.trace_id, TRACE);
      assert.equal(line.span_id, SPAN);
      assert.ok(!JSON.stringify(line).includes('tracestate'));
    });
  }

  it('is in no line where it was not sent', async () => {
    const line = await lineOf(() => service.get('/v1/accounts'));
    assert.ok(!('trace_id' in line) && !('span_id' in line));
  });

  for (const wrong of ['x', `00-${TRACE}-${SPAN}`, `00-${TRACE.toUpperCase()}-${SPAN}-01`, '']) {
    it(`that is wrong is passed over: ${JSON.stringify(wrong)}`, async () => {
      const sent = { headers: { traceparent: wrong } };
      const answer = await service.get('/v1/accounts', sent);
      assert.equal(answer.status, 200);
      const line = await lineOf(async () => answer);
      assert.ok(!('trace_id' in line) && !('span_id' in line));
    });
  }
});
