/** What a request to a path that is not there, or to one in the wrong way, is told: the request that was likely meant. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { world } from '../support/world.ts';

const stage = world();

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
    ['POST', '/v1/events/create', 'POST /v1/events/upsert'],
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
