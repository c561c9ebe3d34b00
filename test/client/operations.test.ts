/** The client has a method for every operation: what the key may do, what was refused and done, self-tests. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ledgerstone } from '../../client/src/index.ts';
import { pluck } from '../support/pluck.ts';
import { until } from '../support/until.ts';
import { served } from '../support/world.ts';

let api: Ledgerstone;

const service = served({}, async () => {
  const { secret } = await service.newKey({ allow: ['requests'] });
  api = new Ledgerstone({ key: secret, url: service.url });
});

describe('the client', () => {
  it('tells what its key may do', async () => {
    const { object, allow } = await api.me();
    assert.deepEqual([object, allow], ['api_key', ['requests']]);
  });

  it('walks through refused requests and what was done, each entry once', async () => {
    const refused: (string | null)[] = [];
    for (const name of ['one', 'two', 'three'])
      refused.unshift((await service.get(`/v1/events?${name}=1`)).headers.get('request-id'));
    const walkRefused = () => Array.fromAsync(api.requests.list({ limit: 1 }));
    await until(async () => (await walkRefused()).length >= refused.length);
    assert.deepEqual(pluck(await walkRefused(), 'request_id'), refused);
    const walkDone = () => Array.fromAsync(api.activity.list({ limit: 1 }));
    await until(async () => {
      const outcomes = pluck(await walkDone(), 'outcome');
      return outcomes.includes('refused') && outcomes.includes('read');
    });
    const done = await walkDone();
    assert.equal(new Set(pluck(done, 'cursor')).size, done.length);
  });

  it('opens a self-test and reads it', async () => {
    const made = await api.self_tests.create();
    assert.equal(made.status, 'open');
    assert.deepEqual(await api.self_tests.retrieve(made.unique_identifier), made);
    assert.deepEqual(await api.self_tests.list(), [made]);
    await assert.rejects(() => api.self_tests.retrieve(''), /A unique_identifier is needed/);
  });
});
