/** Refused records are found by their sender's own identifiers, and these are kept nowhere. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyed } from '../support/secret-key.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { served } from '../support/world.ts';

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

  it('is not, where there is no key to make marks with, and it says so', async () => {
    const bare = await startService();
    const { secret } = await bare.newKey({ allow: ['requests'] });
    const answer = await bare.get('/v1/requests?identifier=V4994', { key: secret });
    assert.equal(answer.status, 400);
    assert.match(answer.body.error.message, /SECRET_KEY_FILE/);
  });
});
