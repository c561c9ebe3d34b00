/** What is really answered is what the OpenAPI document at `/openapi.json` describes. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { resources } from '../../src/core/resources/index.ts';
import { examples } from '../support/bodies.ts';
import { describedBy, type Operation, operationsOf } from '../support/openapi.ts';
import type { Answer, Body, Sent } from '../support/service.ts';
import { served } from '../support/world.ts';

let operations: readonly Operation[];
let accept: (schema: object, value: unknown) => void;
let parents: Record<'account' | 'location' | 'event', string>;

const service = served({}, async () => {
  const { body: document } = await service.get('/openapi.json', { key: null });
  const made = openapiDocument(resources, service.url);
  assert.deepEqual(document, JSON.parse(JSON.stringify(made)), 'of this service');
  operations = operationsOf(document);
  accept = describedBy(document);
  const location = await service.location();
  const event = await service.event(location);
  parents = { account: service.account.unique_identifier, location, event };
});

function operation(method: string, path: string): Operation {
  const found = operations.find((one) => one.method === method && one.path === path);
  return found ?? assert.fail(`${method} ${path} is not documented`);
}

/** Its status, members, headers and, where it is an error, its code are documented. */
function assertDocumented(
  { answers, headers, codes, method, path }: Operation,
  answer: Answer,
): void {
  const schema = answers.get(answer.status);
  assert.ok(schema, `${method} ${path} answered ${answer.status}: ${answer.text}`);
  accept(schema, answer.body);
  for (const header of headers.get(answer.status) ?? []) {
    assert.ok(answer.headers.has(header), `${method} ${path} ${answer.status} lacks ${header}`);
  }
  if (answer.status >= 400 && answer.body.error)
    assert.ok(codes.has(answer.body.error.code), answer.text);
}

/** The parent of a record, by its name. */
const under = (parent: keyof typeof parents) => ({
  [`${parent}_unique_identifier`]: parents[parent],
});

for (const { path, parent, full, least } of examples) {
  const url = `/v1/${path}/upsert`;
  describe(`POST ${url}`, () => {
    const upsert = async (body: Body): Promise<Answer> => {
      const answer = await service.json(url, { ...under(parent), ...body });
      assertDocumented(operation('POST', url), answer);
      return answer;
    };

    it('takes what is described and answers what is described', async () => {
      const { requestSchema = {} } = operation('POST', url);
      accept(requestSchema, { [`${parent}_unique_identifier`]: 'any', ...full });
      assert.equal((await upsert(full)).status, 200);
      assert.equal((await upsert(least)).status, 200);
    });

    it('fails as described', async () => {
      const none = { [`${parent}_unique_identifier`]: `${parent}_of_nobody` };
      assert.equal((await upsert({ ...least, ...none })).status, 404);
      assert.equal((await upsert({})).status, 400);
      for (const [status, type, body] of [
        [400, 'application/json', '{'],
        [400, 'application/x-www-form-urlencoded', 'a[=%'],
        [413, 'application/json', ' '.repeat(1_048_577)],
        [415, 'text/plain', 'x'],
      ] as const) {
        const answer = await service.send('POST', url, { headers: { 'Content-Type': type }, body });
        assert.equal(answer.status, status);
        assertDocumented(operation('POST', url), answer);
      }
      const { secret } = await service.newKey({ permissions: ['read'] });
      const refused = await service.json(url, least, { key: secret });
      assert.equal(refused.status, 403);
      assertDocumented(operation('POST', url), refused);
    });
  });
}

describe('POST upsert_many', () => {
  for (const { path, parent, full, least } of examples) {
    const url = `/v1/${path}/upsert_many`;
    const place = { [`${parent}_unique_identifier`]: 'any' };
    it(`${url} answers and fails as described`, async () => {
      const rows = [full, least].map((row) => ({ ...place, ...row }));
      accept(operation('POST', url).requestSchema ?? {}, rows);
      const check = async (status: number, body: unknown, query = ''): Promise<void> => {
        const answer = await service.json(url + query, body);
        assert.equal(answer.status, status, answer.text);
        assertDocumented(operation('POST', url), answer);
      };
      await check(200, [...rows, { ...full, ...under(parent) }]);
      await check(409, rows, '?atomic=true');
      await check(400, {});
      await check(413, Array(1001).fill({}));
    });
  }
});

describe('PATCH and DELETE', () => {
  for (const { path, parent, least } of examples) {
    it(`/v1/${path}/{unique_identifier} answer and fail as described`, async () => {
      const made = { ...least, ...under(parent), external_identifier: 'to be changed' };
      const { body } = await service.json(`/v1/${path}/upsert`, made);
      const described = `/v1/${path}/{unique_identifier}`;
      const send = async (method: string, sent: Sent = {}, query = ''): Promise<number> => {
        const url = `/v1/${path}/${body.unique_identifier}${query}`;
        const answer = await service.send(method, url, sent);
        assertDocumented(operation(method, described), answer);
        return answer.status;
      };
      const { external_identifier: _, ...change } = least;
      const headers = { 'Content-Type': 'application/json' };
      const json = { headers, body: JSON.stringify(change) };
      const { requestSchema = {} } = operation('PATCH', described);
      accept(requestSchema, change);
      accept(requestSchema, {});
      assert.equal(await send('PATCH', json), 200);
      assert.equal(await send('PATCH', { ...json, body: '{"external_identifier":"x"}' }), 400);
      assert.equal(await send('DELETE', {}, '?cascade=x'), 400);
      for (const method of ['PATCH', 'DELETE']) {
        assert.equal(await send(method, { headers: { 'If-Match': '"9"' } }), 412);
        assert.equal(await send(method, { headers: { 'If-Match': '9' } }), 400);
        assert.equal(await send(method, { headers: { 'Content-Type': 'text/plain' } }), 415);
      }
      assert.equal(await send('DELETE'), 200);
      assert.equal(await send('DELETE'), 404);
      assert.equal(await send('PATCH'), 404);
    });
  }
});

describe('GET', () => {
  before(async () => {
    for (const { path, parent, least } of examples) {
      const body = { ...least, ...under(parent), external_identifier: 'read' };
      await service.json(`/v1/${path}/upsert`, body);
    }
  });

  for (const path of ['/healthz', '/readyz']) {
    it(`${path} answers what is described`, async () => {
      assertDocumented(operation('GET', path), await service.get(path));
    });
  }

  for (const { path, prefix } of [...examples, { path: 'accounts', prefix: 'acct_' }]) {
    const list = `/v1/${path}`;
    const one = `${list}/{unique_identifier}`;
    const found = async (): Promise<string> =>
      `${list}/${(await service.get(list)).body.data[0].unique_identifier}`;

    it(`${list} and ${one} answer what is described`, async () => {
      const above = path === 'accounts' ? [''] : ['', '?expand[]=account'];
      for (const query of above) {
        const listed = await service.get(list + query);
        assert.ok(listed.body.data[0].unique_identifier.startsWith(prefix));
        assertDocumented(operation('GET', list), listed);
        const answer = await service.get((await found()) + query);
        assert.equal(answer.status, 200);
        assertDocumented(operation('GET', one), answer);
      }
      const match = { 'If-None-Match': '*' };
      const { status, headers } = await service.get(await found(), { headers: match });
      assert.equal(status, 304);
      for (const name of operation('GET', one).headers.get(304) ?? []) assert.ok(headers.has(name));
    });

    it(`${list} and ${one} fail as described`, async () => {
      const pages = ['limit=0', 'limit=x', 'starting_after=x', 'starting_after=x&ending_before=x'];
      const times = ['inserted_at[gte]=x', 'updated_at=2026-11-20'];
      const check = (documented: string, status: number, answer: Answer): void => {
        assert.equal(answer.status, status, answer.text);
        assertDocumented(operation('GET', documented), answer);
      };
      for (const query of [...pages, ...times, 'a=1', '%', 'expand[]=x'])
        check(list, 400, await service.get(`${list}?${query}`));
      for (const query of ['a=1', '%', 'expand[]=x'])
        check(one, 400, await service.get(`${await found()}?${query}`));
      check(one, 404, await service.get(`${list}/nothing`));
      const { secret: writing } = await service.newKey({ permissions: ['write'] });
      for (const [key, status] of [
        ['sk_test_of_nobody', 401],
        [writing, 403],
      ] as const) {
        check(list, status, await service.get(list, { key }));
        check(one, status, await service.get(`${list}/nothing`, { key }));
      }
    });
  }

  it('a filter by a parent that is not there fails as described', async () => {
    const answer = await service.get('/v1/events?location_unique_identifier=x');
    assert.equal(answer.status, 404);
    assertDocumented(operation('GET', '/v1/events'), answer);
  });
});
