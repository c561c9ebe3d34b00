/** Where no port is set for metrics, nothing is counted and nothing of it is loaded. */
// needs: alone, both stores with --all
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { it } from 'node:test';
import { keptLog } from '../support/kept-log.ts';
import { startService } from '../support/service.ts';

const isLoaded = (): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('prom-client'));

it('metrics are off by default', async () => {
  const { log, lines } = keptLog();
  const service = await startService({ log });
  await service.location();
  assert.equal((await service.get('/metrics')).status, 404);
  assert.ok(lines.some(({ msg }) => msg === 'listening'));
  assert.ok(!lines.some(({ msg }) => msg === 'metrics'));
  assert.ok(!isLoaded());
  await service.stop();
  const counted = await startService({ settings: { metrics_port: '0' } });
  assert.ok(isLoaded(), 'this test would see it');
  await counted.stop();
});
