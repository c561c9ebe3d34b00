/** Clients that send a key only when they are asked for one are not slowed, on any route; those that send wrong ones are. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rights } from '../../src/records/auth/principal.ts';
import { keptLog } from '../support/kept-log.ts';
import { startWithRoutes } from '../support/service-routes.ts';
import { exchange, rawRequest } from '../support/wire.ts';

it('401 without a key, then the answer with it, as often as there are routes', async () => {
  const { log, lines } = keptLog();
  const { service, routes } = await startWithRoutes({ log });
  const { secret } = await service.newKey({ allow: Object.keys(rights) });
  const headers = { Authorization: `Bearer ${secret}` };
  const all = routes.filter(({ url, isOpen }) => !isOpen && !url.startsWith('/console/'));
  // Far more than an address may fail at once.
  assert.ok(all.length > 60, `${all.length} routes`);
  for (const { method, url } of all) {
    const line = `${method} ${url.replace(/:\w+/g, 'x')}`;
    const request = rawRequest(service, line, headers);
    const [asked] = await exchange(service.url, request.replace(/^Authorization: .*\r\n/m, ''));
    const challenge = asked?.headers['www-authenticate'] ?? '';
    assert.deepEqual([asked?.status, challenge.slice(0, 6)], [401, 'Basic '], line);
    const [answered] = await exchange(service.url, request);
    assert.notEqual(answered?.status, 401, line);
  }
  const isSlowed = (): boolean => lines.some(({ msg }) => msg === 'authentications failed');
  assert.equal(isSlowed(), false);
  const wrong = rawRequest(service, 'GET /v1/accounts', { Authorization: 'Bearer sk_live_x' });
  for (let count = 0; count < 25; count += 1) await exchange(service.url, wrong);
  assert.equal(isSlowed(), true);
});
