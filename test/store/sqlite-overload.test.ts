/** More writes than can be committed: some are taken and done, the others told at once to come again. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_WAITING } from '../../src/records/ingest/one/group-commit.ts';
import { holdStore } from '../support/hold-store.ts';
import { eventBody } from '../support/sent.ts';
import { startService } from '../support/service.ts';

describe('overload of a SQLite store', () => {
  it('refuses with 503 and Retry-After what does not fit, and carries out all the rest', async () => {
    const service = await startService();
    const location = await service.location();
    const upsert = (index: number) =>
      service.app.inject({
        method: 'POST',
        url: '/v1/events/upsert',
        headers: { authorization: `Bearer ${service.key}` },
        payload: eventBody(location, `event ${index}`),
      });
    const release = holdStore(service);
    const sent = MAX_WAITING + 500;
    const answers = Promise.all(Array.from({ length: sent }, (_, index) => upsert(index)));
    const late = await upsert(sent);
    assert.equal(late.statusCode, 503);
    assert.equal(late.headers['retry-after'], '1');
    assert.equal(late.json().error.code, 'service_unavailable');
    const reading = await service.get('/v1/locations');
    assert.equal(reading.status, 200, 'who reads is not refused');
    const removal = await service.app.inject({
      method: 'DELETE',
      url: `/v1/locations/${location}`,
      headers: { authorization: `Bearer ${service.key}` },
    });
    assert.equal(removal.statusCode, 503, 'who removes is');
    release();
    const statuses = (await answers).map(({ statusCode }) => statusCode);
    const taken = statuses.filter((status) => status === 200).length;
    assert.deepEqual([...new Set(statuses)].sort(), [200, 503]);
    assert.ok(taken >= MAX_WAITING, `${taken} taken`);

    const again = await upsert(sent);
    assert.equal(again.statusCode, 200, 'as before, once there is room');
  });
});
