/** Where no port is set for metrics, nothing is counted and nothing of it is loaded. */
// needs: alone, both stores with --all
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { it } from 'node:test';
import { keptLog } from '../support/kept-log.ts';
import { startService } from '../support/service.ts';

/** A name in the code of the library alone, whichever file it comes from. */
const OF_LIBRARY = 'nodejs_eventloop_lag_seconds';
let isLoaded = false;
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    isLoaded ||= loaded.source?.toString().includes(OF_LIBRARY) ?? false;
    return loaded;
  },
});

it('metrics are off by default', async () => {
  const { log, lines } = keptLog();
  const service = await startService({ log });
  await service.location();
  assert.equal((await service.get('/metrics')).status, 404);
  assert.ok(lines.some(({ msg }) => msg === 'listening'));
  assert.ok(!lines.some(({ msg }) => msg === 'metrics'));
  assert.ok(!isLoaded);
  await service.stop();
  const counted = await startService({ settings: { metrics_port: '0' } });
  assert.ok(isLoaded, 'this test would see it');
  await counted.stop();
});
