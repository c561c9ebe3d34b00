/** What is answered while the store takes no writes (decisions, "Answers"). */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventBody } from '../support/sent.ts';
import { startService } from '../support/service.ts';
import { refused } from '../support/world.ts';

const UPSERT = '/v1/events/upsert';

describe('a store that takes no writes', () => {
  it('is 503 with Retry-After for upserts and lists; the process is healthy, but not ready', async () => {
    let clock = Date.now();
    const service = await startService({ now: () => clock });
    const location = await service.location();
    assert.equal((await service.get('/readyz', { key: null })).status, 200);
    await service.app.store.close();
    clock += 5_000;

    const body = eventBody(location, 'x', { event_name: 'x' });
    for (const answer of [await service.json(UPSERT, body), await service.get('/v1/accounts')]) {
      refused(answer, 503, 'service_unavailable');
      assert.equal(answer.body.error.type, 'api_error');
      assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      assert.equal(answer.headers.get('request-id'), answer.body.error.request_id);
      // The fault is ours: nothing of what went wrong inside is told.
      assert.ok(!/sqlite|database|\.ts/i.test(answer.text));
    }
    const ready = await service.get('/readyz', { key: null });
    assert.equal(ready.status, 503);
    assert.match(ready.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal((await service.get('/healthz', { key: null })).status, 200);
  });

  it('is 503 for a commit that fails while the key is known', async () => {
    const service = await startService();
    const location = await service.location();
    const { store } = service.app;
    // The key was used just now, and the location found: only the commit needs the store.
    await service.event(location, 'before');
    await store.close();
    const answer = await service.json(UPSERT, eventBody(location, 'after', { event_name: 'x' }));
    assert.equal(answer.status, 503, answer.text);
    assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  });
});
