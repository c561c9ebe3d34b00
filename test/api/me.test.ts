/** A key is told what it is, and never more than that. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinService } from '../support/service.ts';

describe('GET /v1/me', () => {
  it('tells what the key is for, what it may do, and until when', async () => {
    const service = await joinService();
    const location = await service.location();
    const expires_at = Date.parse('2031-02-03T04:05:06Z');
    const permissions = ['read', 'write'] as const;
    const limits = {
      ...{ permissions, resources: ['event_check_in_records'] },
      ...{ from: ['127.0.0.0/8', '::1'], requests_a_second: 20, requests_at_once: 4 },
    };
    const name = 'Lobby tablet';
    const { secret, key } = await service.newKey({
      ...{ name, anchors: [location], ...limits, expires_at },
    });
    const answer = await service.get('/v1/me', { key: secret });
    assert.equal(answer.status, 200, answer.text);
    const { inserted_at, ...rest } = answer.body;
    assert.match(inserted_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.deepEqual(rest, {
      ...{ object: 'api_key', unique_identifier: key.unique_identifier, name, livemode: false },
      ...{ ending: secret.slice(-4), accounts: [service.account.unique_identifier] },
      ...{ locations: [location], region: null, ...limits, allow: [] },
      expires_at: '2031-02-03T04:05:06Z',
    });
    assert.ok(!answer.text.includes(secret));
    const all = await service.get('/v1/me');
    const { locations, resources, expires_at: never } = all.body;
    assert.deepEqual([locations, resources, never], [null, null, null]);
  });
});
