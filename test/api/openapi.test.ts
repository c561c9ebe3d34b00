/** What is really answered is what the OpenAPI document at `/openapi.json` describes. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { describedBy, type Operation, operationsOf } from '../support/openapi.ts';
import { type Answer, type Body, type Service, startService } from '../support/service.ts';

let service: Service;
let operations: readonly Operation[];
let accept: (schema: object, value: unknown) => void;
let parents: Record<'account' | 'location' | 'event', string>;

before(async () => {
  service = await startService();
  const { body: document } = await service.get('/openapi.json', { key: null });
  assert.deepEqual(document.servers, [{ url: service.url }]);
  operations = operationsOf(document);
  accept = describedBy(document);
  const location = await service.location();
  const event = await service.event(location);
  parents = { account: service.account.unique_identifier, location, event };
});
after(() => service.stop());

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

for (const { path, parent, full, least } of examples) {
  const url = `/v1/${path}/upsert`;
  describe(`POST ${url}`, () => {
    const upsert = async (body: Body): Promise<Answer> => {
      const answer = await service.json(url, {
        [`${parent}_unique_identifier`]: parents[parent],
        ...body,
      });
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
      const bodies: [status: number, type: string, body: string][] = [
        [400, 'application/json', '{'],
        [400, 'application/x-www-form-urlencoded', 'a[=%'],
        [413, 'application/json', ' '.repeat(1_048_577)],
        [415, 'text/plain', 'x'],
      ];
      for (const [status, type, body] of bodies) {
        const answer = await service.send('POST', url, { headers: { 'Content-Type': type }, body });
        assert.equal(answer.status, status);
        assertDocumented(operation('POST', url), answer);
      }
      const { secret } = await service.newKey({ permission: 'read' });
      const refused = await service.json(url, least, { key: secret });
      assert.equal(refused.status, 403);
      assertDocumented(operation('POST', url), refused);
    });
  });
}

describe('GET', () => {
  for (const path of ['/v1/accounts', '/v1/locations', '/healthz', '/readyz']) {
    it(`${path} answers what is described`, async () => {
      assertDocumented(operation('GET', path), await service.get(path));
    });
  }

  for (const path of ['/v1/accounts', '/v1/locations']) {
    it(`${path} fails as described`, async () => {
      const queries = [
        'limit=0',
        'limit=x',
        'starting_after=x',
        'starting_after=x&ending_before=x',
        'a=1',
        '%',
      ];
      for (const query of queries) {
        const answer = await service.get(`${path}?${query}`);
        assert.equal(answer.status, 400, query);
        assertDocumented(operation('GET', path), answer);
      }
      const stranger = await service.get(path, { key: 'sk_test_of_nobody' });
      assert.equal(stranger.status, 401);
      assertDocumented(operation('GET', path), stranger);
    });
  }
});
