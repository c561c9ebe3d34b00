/** What is nearly right is told how it would be right: paths, methods, queries, tables, and a record that is sent back as it was read. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { resources } from '../../src/core/resources/index.ts';
import { examples, formOf } from '../support/bodies.ts';
import { faultsOf } from '../support/scenario.ts';
import type { Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();

describe('A mistake', () => {
  const says = async (
    sent: { readonly path: string; readonly type?: string; readonly body?: string | Buffer },
    status: number,
    message: RegExp,
  ): Promise<void> => {
    const { path, type = 'application/json', body } = sent;
    const headers = { 'Content-Type': type };
    const { service } = stage;
    const answer =
      body === undefined
        ? await service.get(path)
        : await service.send('POST', path, { headers, body });
    assert.equal(answer.status, status, answer.text);
    const { errors } = answer.body.error;
    const messages = errors.map((one: { message: string }) => one.message).join('\n');
    assert.match(messages, message);
    assert.doesNotMatch(messages, /\?\./);
  };

  it('in a query is told in the words of a query', async () => {
    await says({ path: '/v1/search?limit=5' }, 400, /^q is missing, and it is required here/);
    const compared = { path: '/v1/events?event_datetime__gte=2027-01-01T00:00:00Z' };
    await says(compared, 400, /comparisons stand in brackets, event_datetime\[gte\]=/);
    const named = { path: '/v1/events/upsert?event_name=A', body: '{}' };
    await says(named, 400, /event_name is not a parameter here: send it in the body\./);
  });

  it('in how a table was saved is told by what it looks like', async () => {
    const path = '/v1/events/upsert_many';
    const type = 'text/csv';
    const table = 'external_identifier;event_name\n1;A\n';
    await says({ path, type, body: table }, 400, /separated by semicolons.*save it with commas/);
    await says({ path, type, body: table.replaceAll(';', '\t') }, 400, /tab-separated-values/);
    for (const line of ['sep=,', 'sep=;', '"sep=;"', 'SEP=\t', '\ufeffsep=,'])
      await says(
        { path, type, body: `${line}\r\nexternal_identifier,event_name\r\n1,A\r\n` },
        400,
        /begins with the line "sep=".*leave it out/,
      );
    const utf16 = Buffer.from(`\ufeff${table}`, 'utf16le');
    await says({ path, type, body: utf16 }, 400, /looks like UTF-16/);
    await says({ path, type, body: gzipSync(table) }, 400, /compressed with gzip/);
    const one = '/v1/events/upsert';
    await says({ path: one, body: gzipSync('{}') }, 400, /compressed with gzip: send it unpacked/);
  });

  it('in how many rows are sent is told with the number and the way out', async () => {
    const rows = `[${'{},'.repeat(1000)}{}]`;
    const path = '/v1/events/upsert_many';
    await says({ path, body: rows }, 413, /more than 1,000 rows.*application\/x-ndjson/);
  });

  it('in the key that activity is asked of is no empty list', async () => {
    const { secret: key } = await stage.service.newKey({ allow: ['requests'] });
    for (const path of ['/v1/activity', '/v1/requests']) {
      const { status, body } = await stage.service.get(`${path}?key=nope`, { key });
      assert.deepEqual([status, body.error.param], [400, 'key']);
      assert.equal((await stage.service.get(`${path}?key=key_0`, { key })).status, 200);
    }
  });
});

const said = async (method: string, path: string, status: number): Promise<string> => {
  const answer = await stage.service.send(method, path);
  assert.equal(answer.status, status, answer.text);
  return answer.body.error.message;
};

describe('A path that is not there', () => {
  for (const [method, path, meant] of [
    ['GET', '/v1/event', 'GET /v1/events'],
    ['GET', '/v1/Events', 'GET /v1/events'],
    ['POST', '/v1/event/upsert', 'POST /v1/events/upsert'],
    ['POST', '/v1/evnets/upsrt', 'POST /v1/events/upsert'],
    ['POST', '/v1/check_ins/upsert', 'POST /v1/event_check_in_records/upsert'],
    ['POST', '/v1/arrangements/upsert', 'POST /v1/online_arrangements/upsert'],
    ['POST', '/v1/events/upsert/many', undefined],
    ['POST', '/v1/events/upsertMany', 'POST /v1/events/upsert_many'],
    ['POST', '/events/upsert', 'POST /v1/events/upsert'],
    ['POST', '/api/v1/events/upsert', 'POST /v1/events/upsert'],
    ['POST', '/v2/events/upsert', 'POST /v1/events/upsert'],
    ['GET', '/v1/event/evt_0350hLTg4Qw7ghih1EWE8L', 'GET /v1/events/{unique_identifier}'],
    ['GET', '/v1//accounts', 'GET /v1/accounts'],
    ['GET', '/openapi', 'GET /openapi.json'],
    ['GET', '/v1/events/search?q=doe', 'GET /v1/search'],
    ['POST', '/v1/events/search', 'POST /v1/search'],
    ['POST', '/v1/events/create', 'POST /v1/events/upsert'],
    ['POST', '/v1/webhook_endpoints/create', 'POST /v1/webhook_endpoints'],
    ['GET', '/v1/events/count', 'GET /v1/events'],
    ['GET', '/v1/events/List', 'GET /v1/events'],
    ['POST', '/v1/visitors/upsert', 'POST /v1/event_check_in_records/upsert'],
    ['GET', '/v1/next-of-kin', 'GET /v1/event_administrators'],
    ['GET', '/v1/health', 'GET /healthz'],
    ['GET', '/swagger.yaml', 'GET /openapi.json'],
    ['GET', '/v1/nothing', undefined],
    ['GET', '/v1/__proto__', undefined],
    ['GET', `/v1/${'events'.repeat(1000)}`, undefined],
    ['GET', `/v1${'/events'.repeat(1000)}`, undefined],
  ] as const) {
    it(`${method} ${path.slice(0, 60)} is told ${meant ?? 'none that it is like'}`, async () => {
      const message = await said(method, path, meant === 'POST /v1/events/upsert_many' ? 405 : 404);
      if (meant === undefined) assert.doesNotMatch(message, /Did you mean/);
      else assert.ok(message.endsWith(` Did you mean ${meant}?`), message);
    });
  }

  it('is told that it ends in a slash, and what it is without', async () => {
    for (const [method, path, meant] of [
      ['GET', '/v1/events/', 'GET /v1/events'],
      ['POST', '/v1/events/upsert/', 'POST /v1/events/upsert'],
      ['GET', '/v1/events/evt_1/', 'GET /v1/events/{unique_identifier}'],
      ['GET', '/v1/accounts/?limit=1', 'GET /v1/accounts'],
    ] as const) {
      const message = await said(method, path, 404);
      assert.match(message, /no slash at the end/);
      assert.ok(message.endsWith(` Did you mean ${meant}?`), message);
    }
  });

  it('is not told to who has no key', async () => {
    const { status, text } = await stage.service.get('/v1/event', { key: null });
    assert.equal(status, 401);
    assert.doesNotMatch(text, /Did you mean/);
  });
});

describe('A method that a path does not take', () => {
  for (const [method, path, meant] of [
    ['POST', '/v1/events', 'POST /v1/events/upsert'],
    ['POST', '/v1/events/upserts', 'POST /v1/events/upsert'],
    ['POST', '/v1/events/evt_0350hLTg4Qw7ghih1EWE8L', 'POST /v1/events/upsert'],
    ['PATCH', '/v1/events/upsert', 'PATCH /v1/events/{unique_identifier}'],
    ['PUT', '/v1/events/upsert', undefined],
    ['POST', '/v1/accounts', undefined],
  ] as const) {
    it(`${method} ${path} is told ${meant ?? 'what the path takes'}`, async () => {
      const message = await said(method, path, 405);
      assert.match(message, /does not take/);
      if (meant === undefined) assert.doesNotMatch(message, /Did you mean/);
      else assert.ok(message.endsWith(` Did you mean ${meant}?`), message);
    });
  }
});

for (const { path, full } of examples) {
  const resource = resources.find((one) => one.path === path);
  const inside = Object.keys(resource?.public_data ?? {});

  it(`${path}: PATCH and upsert say of every member of an answer what to do with it`, async () => {
    const { external_identifier: _, ...json } = full;
    const made = await stage.made(path, 'sent back', json);
    const one = `/v1/${path}/${made.unique_identifier}`;
    const read: Body = (await stage.service.get(one)).body;

    const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const asJson = { 'Content-Type': 'application/json' };
    for (const [method, to, headers] of [
      ['PATCH', one, asJson],
      ['PATCH', one, asForm],
      ['POST', `/v1/${path}/upsert`, asJson],
    ] as const) {
      const body = headers === asJson ? JSON.stringify(read) : formOf(read);
      const refused = await stage.service.send(method, to, { headers, body });
      assert.equal(refused.status, 400, refused.text);
      const told = new Map<string, string>(
        refused.body.error.errors.map((fault: Body) => [fault.param, fault.message]),
      );
      for (const name of ['object', 'unique_identifier', 'inserted_at', 'updated_at']) {
        assert.match(told.get(name) ?? '', /are set by the service\. Leave them out\.$/);
      }
      // A form cannot say that an object is empty.
      if (read.public_data !== undefined && (headers === asJson || inside.length > 0)) {
        const says = told.get('public_data') ?? '';
        if (inside.length === 0) assert.match(says, /Leave it out\.$/);
        else assert.ok(says.endsWith(`Send them by themselves: ${inside.join(', ')}.`), says);
      }
    }

    const { object, unique_identifier, inserted_at, updated_at, public_data, ...own } = read;
    const followed = await stage.service.patch(one, { ...own, ...public_data });
    assert.deepEqual(faultsOf(followed), []);
    assert.equal(followed.headers.get('ledgerstone-outcome'), 'unchanged', followed.text);
  });
}
