/** The metrics' own port: what it takes, and that the service and its end do not depend on it. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { before, describe, it } from 'node:test';
import { type CountedService, startCounted } from '../support/counted-service.ts';
import { countsOf } from '../support/scrape.ts';
import { locationBody } from '../support/sent.ts';

describe('the port of the metrics', () => {
  let service: CountedService;
  before(async () => {
    service = await startCounted();
  });

  it('takes GET /metrics and nothing else', async () => {
    const at = (path: string, method = 'GET') => fetch(new URL(path, service.metrics), { method });
    assert.equal((await at('/metrics')).status, 200);
    assert.equal((await at('/metrics?now=1')).status, 200);
    for (const path of ['/', '/metrics/', '/healthz', '/v1/accounts', '/../metrics/x'])
      assert.equal((await at(path)).status, 404, path);
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
      const answer = await at('/metrics', method);
      assert.equal(answer.status, 405, method);
      assert.equal(answer.headers.get('allow'), 'GET');
    }
  });

  it('is no part of the service: its scrapes are not counted, and the service has no /metrics', async () => {
    await service.scrape();
    assert.equal((await service.get('/metrics')).status, 404);
    assert.deepEqual(countsOf(await service.scrape()), { 'none path_unknown 404': 1 });
  });
});

describe('when things go wrong', () => {
  it('what the store cannot take is counted as unavailable, and the metrics stay', async () => {
    const service = await startCounted();
    await service.location();
    await service.app.store.close();
    const late = locationBody(service.account.unique_identifier, 'late');
    const { status } = await service.json('/v1/locations/upsert', late);
    assert.equal(status, 503);
    assert.equal((await service.get('/readyz')).status, 503);
    const counts = countsOf(await service.scrape());
    assert.equal(counts['location service_unavailable 503'], 1);
    assert.equal(counts['none service_unavailable 503'], 1);
  });

  it('a scraper that stays connected does not hold up the end', async () => {
    const service = await startCounted();
    const { hostname, port } = new URL(service.metrics);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.once('connect', resolve));
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    socket.on('error', () => {});
    const began = performance.now();
    await service.stop();
    await gone;
    assert.ok(performance.now() - began < 5000);
  });
});
