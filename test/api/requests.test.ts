/** GET /v1/requests and /v1/activity: what was refused and how much was done, for keys with the right to see it. */
// needs: both stores with --all, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pluck } from '../support/pluck.ts';
import { eventBody } from '../support/sent.ts';
import type { Body, Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { exchange } from '../support/wire.ts';
import { served } from '../support/world.ts';

const [NAME, FAMILY, PHONE] = ['Wilhelmina', 'Quackenbush', '4155550199'];
const [EMAIL, EXTERNAL] = ['wilhelmina@example.com', 'tablet-7741'];

describe('the log of requests', () => {
  /** A key that may see the log of the account. */
  let watch: string;
  /** Identifiers of the keys of a partner of this account, and of somebody else. */
  let partner: { secret: string; id: string };
  let other: { secret: string; id: string };
  let location: string;

  /** What is told of the refused request with that query, when it is written down. */
  const told = async (query = '', key = watch): Promise<Body[]> => {
    let found: Body[] = [];
    await until(async () => {
      const { status, body, text } = await service.get(`/v1/requests${query}`, { key });
      assert.equal(status, 200, text);
      found = body.data;
      return found.length > 0;
    });
    return found;
  };
  const toldOf = async (answer: { readonly headers: Headers }): Promise<Body> =>
    (await told(`?request_id=${answer.headers.get('request-id')}`))[0];

  const row = (name: string, more: object = {}) =>
    eventBody(location, name, { event_name: `${NAME} ${FAMILY}`, ...more });
  /** What the watch is answered. */
  const asked = (query: string) => service.get(`/v1/requests?${query}`, { key: watch });
  const activity = (query: string) => service.get(`/v1/activity?${query}`, { key: watch });

  const service = served({}, async () => {
    location = await service.location();
    ({ secret: watch } = await service.newKey({ allow: ['requests'] }));
    const named = async ({ newKey }: Pick<Service, 'newKey'>) => {
      const { secret, key } = await newKey();
      return { secret, id: key.unique_identifier };
    };
    partner = await named(service);
    other = await named(await service.another());
  });

  it('tells what was wrong with one upsert', async () => {
    const wrong = { event_name: '', event_datetime: NAME, [FAMILY]: PHONE, event_nam: NAME };
    const { secret: key } = partner;
    const answer = await service.json('/v1/events/upsert', row(EXTERNAL, wrong), { key });
    assert.equal(answer.status, 400);
    const { time, ...request } = await toldOf(answer);
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);
    const [missing, invalid] = pluck(answer.body.error.errors, 'message');
    const unknown = { code: 'parameter_unknown', param: '*', count: 1 };
    assert.deepEqual(request, {
      object: 'request',
      request_id: answer.headers.get('request-id'),
      key: partner.id,
      account: service.account.unique_identifier,
      address: '127.0.0.1',
      method: 'POST',
      path: '/v1/events/upsert',
      status: 400,
      code: 'parameter_missing',
      message: missing,
      errors: [
        { code: 'parameter_missing', param: 'event_name', message: missing, count: 1 },
        { code: 'datetime_invalid', param: 'event_datetime', message: invalid, count: 1 },
        { ...unknown, message: 'A parameter is unknown.' },
        {
          ...unknown,
          nearest: 'event_name',
          message: 'A parameter is unknown. The known name that is most like it is event_name.',
        },
      ],
    });
  });

  it('tells where JSON ends to be JSON, and a phone number in general words', async () => {
    const { secret: key } = partner;
    const broken = await service.json('/v1/events/upsert', '{x', { key });
    assert.equal((await toldOf(broken)).message, broken.body.error.message);
    const sent = { visitor_phone_number: PHONE };
    const phone = await service.json('/v1/event_check_in_records/upsert', sent, { key });
    assert.match(phone.text, new RegExp(PHONE));
    const { errors } = await toldOf(phone);
    const one = errors.find(({ code }: Body) => code === 'phone_number_invalid');
    assert.equal(one.message, 'A phone number is not in an accepted form.');
  });

  it('is filtered by status, by the beginning of the path, and by who sent it', async () => {
    const { secret: key } = partner;
    await service.get('/v1/locations?limit=0', { key });
    await service.get('/v1/events/evt_0350hLTg4Qw7ghih1EWE8L', { key });
    const statuses = async (query: string) =>
      (await told(query)).map(({ status, path }: Body) => `${status} ${path}`);
    assert.deepEqual(await statuses('?status=400&path=/v1/loc'), ['400 /v1/locations']);
    const [missing] = await statuses('?status=404&by=keys');
    assert.match(missing ?? '', /^404 \/v1\/events\/evt_/);
    assert.deepEqual((await asked('by=staff')).body.data, []);
  });

  it('names the rows of a stream, of an array, and of an array that was all or none', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => row(`night-${index}`));
    rows[56] = row('night-56', { event_datetime: 'soon' });
    const body = rows.map((one) => JSON.stringify(one)).join('\n');
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const { secret: key } = partner;
    const stream = await service.send('POST', '/v1/events/upsert_many', { headers, body, key });
    const told = await toldOf(stream);
    const message =
      'event_datetime is not an RFC 3339 date and time; send for example 2026-11-20T14:30:00Z or 2026-11-20T09:30:00-05:00.';
    const fault = { code: 'datetime_invalid', param: 'event_datetime', message, count: 1 };
    assert.deepEqual(
      [told.status, told.code, told.errors, told.rows],
      [200, 'datetime_invalid', [{ ...fault, lines: [57] }], { created: 59, datetime_invalid: 1 }],
    );
    const array = await toldOf(await service.json('/v1/events/upsert_many', rows, { key }));
    assert.deepEqual(array.errors, [{ ...fault, elements: [56] }]);
    assert.deepEqual(array.rows, { unchanged: 59, datetime_invalid: 1 });
    const atomic = await service.json('/v1/events/upsert_many?atomic=true', rows, { key });
    const refused = await toldOf(atomic);
    assert.deepEqual([refused.status, refused.code], [409, 'batch_refused']);
    assert.deepEqual(refused.errors, [
      { code: 'batch_refused', message: refused.message, count: 1 },
      { ...fault, elements: [56] },
    ]);
    const found = await asked(`code=datetime_invalid&key=${partner.id}`);
    const ids: unknown[] = pluck(found.body.data, 'request_id');
    for (const { headers } of [stream, atomic]) assert.ok(ids.includes(headers.get('request-id')));
  });

  it('tells paths with identifiers of ours, and nothing else of what stood there', async () => {
    const { secret: key } = partner;
    const unknown = await toldOf(await service.get(`/v1/${NAME}/${EXTERNAL}?${FAMILY}=1`, { key }));
    assert.deepEqual([unknown.path, unknown.code], ['/v1/*/*', 'path_unknown']);
    const named = await toldOf(await service.get(`/v1/events/${NAME}`, { key }));
    assert.deepEqual([named.path, named.code], ['/v1/events/*', 'resource_missing']);
    const missing = '/v1/events/evt_0350hLTg4Qw7ghih1EWE8L';
    assert.equal((await toldOf(await service.get(missing, { key }))).path, missing);
    const bad = await toldOf(await service.get(`/v1/events/%ff${NAME}`, { key }));
    assert.deepEqual([bad.path, bad.status], ['/v1/events/*', 404]);
  });

  it('tells why a key of the account was not taken', async () => {
    const { secret, key } = await service.newKey();
    await service.app.store.keys.revoke(key.unique_identifier);
    const answer = await service.get('/v1/accounts', { key: secret });
    const { authentication, key: id, status } = await toldOf(answer);
    assert.deepEqual([authentication, id, status], ['revoked', key.unique_identifier, 401]);
  });

  it('shows a key nothing of other accounts, and nothing of requests without a key', async () => {
    const theirs = await service.get('/v1/events?limit=0', { key: other.secret });
    const keyless = await service.get('/v1/accounts', { key: `sk_test_${NAME}` });
    await exchange(service.url, `${NAME}\r\n\r\n`);
    const own = await service.get('/v1/events?limit=0', { key: partner.secret });
    await toldOf(own);
    const { body } = await asked('limit=1000');
    const ids = new Set<unknown>(pluck(body.data, 'request_id'));
    for (const { headers } of [theirs, keyless]) assert.ok(!ids.has(headers.get('request-id')));
    const { requests } = service.app.store;
    const all = await requests.refused({ limit: 1_000 });
    const why = (of: typeof keyless) =>
      all.find(({ request_id }) => request_id === of.headers.get('request-id'))?.authentication;
    assert.equal(why(keyless), 'malformed', 'the operator sees it');
    const malformed = all.some(({ code }) => code === 'request_malformed');
    assert.ok(malformed, 'and bytes that were no request');
    const id = theirs.headers.get('request-id');
    for (const query of [`request_id=${id}`, `key=${other.id}`])
      assert.deepEqual((await asked(query)).body.data, []);
    const after = await asked(`starting_after=${id}`);
    assert.deepEqual([after.status, after.body.error.param], [400, 'starting_after']);
  });

  it('holds nothing that was sent', async () => {
    const { secret: key } = partner;
    const sent = {
      ...{ [NAME]: 1, visitor_full_name: { [FAMILY]: 1 } },
      ...{ visitor_email_address: EMAIL, external_identifier: EXTERNAL },
    };
    await service.json('/v1/event_check_in_records/upsert', sent, { key });
    await toldOf(await service.get(`/v1/events?${NAME}=${PHONE}`, { key }));
    const { text, body } = await asked('limit=1000');
    const all = JSON.stringify(await service.app.store.requests.refused({ limit: 1_000 }));
    assert.ok(body.data.length > 5);
    const secrets = ['sk_test', 'night-', partner.secret];
    for (const one of [NAME, FAMILY, PHONE, EMAIL, EXTERNAL, ...secrets])
      assert.ok(!text.includes(one) && !all.includes(one), one);
  });

  it('is walked page by page, the newest first, and filtered by time', async () => {
    const { body } = await asked('limit=1000');
    const all: unknown[] = pluck(body.data, 'request_id');
    assert.ok(all.length > 3 && body.has_more === false);
    const walked: string[] = [];
    for (let more = true, from = ''; more; from = `&starting_after=${walked.at(-1)}`) {
      const page = (await asked(`limit=3${from}`)).body;
      walked.push(...page.data.map((one: Body) => one.request_id));
      more = page.has_more;
    }
    // What was refused meanwhile is above the first.
    const known = walked.filter((id) => all.includes(id));
    assert.deepEqual(known, all);
    const times: string[] = body.data.map((one: Body) => one.time);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.deepEqual((await asked('time[lt]=2026-01-01T00:00:00Z')).body.data, []);
    const since = await asked('time[gte]=2026-01-01T00:00:00Z&limit=1');
    assert.equal(since.body.data.length, 1);
  });

  it('tells what is wrong with a query of its own, without its names', async () => {
    const bad = await asked('limit=0&code=nothing&time=yesterday&who=me');
    const { errors } = await toldOf(bad);
    assert.deepEqual(pluck(errors, 'param'), ['limit', 'code', 'time', '*']);
  });

  it('counts what was done by hour, key, location, resource and outcome', async () => {
    let data: Body[] = [];
    await until(async () => {
      data = (await activity(`key=${partner.id}`)).body.data;
      return data.length >= 4;
    });
    const sum = (outcome: string, at?: string) =>
      data
        .filter((one) => one.resource === 'event' && one.outcome === outcome && one.location === at)
        .reduce((total, { count }) => total + count, 0);
    assert.equal(sum('created', location), 59);
    assert.equal(sum('unchanged', location), 59);
    assert.ok(sum('refused') >= 4);
    for (const one of data) {
      assert.equal(one.account, service.account.unique_identifier);
      assert.match(one.hour, /^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
      assert.ok(one.last_at >= one.hour);
    }
    const [first, second] = data;
    const page = await activity(`key=${partner.id}&limit=1`);
    assert.deepEqual([page.body.data, page.body.has_more], [[first], true]);
    const next = await activity(`key=${partner.id}&limit=1&starting_after=${first.cursor}`);
    assert.deepEqual(next.body.data, [second]);
    const here = await activity(`location=${location}&limit=1000`);
    assert.ok(here.body.data.every((one: Body) => one.location === location));
    assert.deepEqual((await activity('hour[gt]=2100-01-01T00:00:00Z')).body.data, []);
  });

  it('counts what was refused at the location of a key that has one alone', async () => {
    const { secret, key } = await service.newKey({ anchors: [location] });
    await service.json('/v1/events/upsert', {}, { key: secret });
    await service.json('/v1/events/upsert_many', [{}, {}], { key: secret });
    let refused: Body[] = [];
    await until(async () => {
      refused = (await activity(`key=${key.unique_identifier}`)).body.data;
      // An hour may end in between.
      return refused.reduce((sum, { count }) => sum + count, 0) === 3;
    });
    for (const one of refused) assert.deepEqual([one.location, one.outcome], [location, 'refused']);
  });
});
