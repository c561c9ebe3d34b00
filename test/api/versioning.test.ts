/** What callers are told: which version answers, and what their key is. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changelogFeed } from '../../manual/changelog.ts';
import about from '../../package.json' with { type: 'json' };
import { pluck } from '../support/pluck.ts';
import { joinService } from '../support/service.ts';
import { exchange } from '../support/wire.ts';
import { served } from '../support/world.ts';

const service = served({ settings: { cors_origins: 'https://app.example.com' } });

describe('Ledgerstone-Version', () => {
  it('is in every answer', async () => {
    const headers = { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'GET' };
    for (const [method, path] of [
      ...['/v1/locations', '/v1/nothing', '/healthz', '/docs/versioning', '/openapi.json'].map(
        (path) => ['GET', path] as const,
      ),
      ['POST', '/v1/events/upsert'],
      ['OPTIONS', '/v1/locations'],
    ] as const) {
      const answer = await service.send(method, path, { headers });
      assert.equal(answer.headers.get('ledgerstone-version'), about.version, path);
    }
    const [unreadable] = await exchange(service.url, 'nonsense\r\n\r\n');
    assert.equal(unreadable?.headers['ledgerstone-version'], about.version);
  });
});

describe('the feed of the changelog', () => {
  it('has an entry for each version that was released, with links that hold anywhere', () => {
    const feed = changelogFeed(
      '# Changelog\n\n## Unreleased: 0.3.0\n\n- Soon\n\n## 0.2.0 - 2027-01-31\n\n- **New** & [more](docs/bulk.md)\n\n## 0.1.0 - 2026-12-01\n\nThe first.\n',
      () => 'bulk',
    );
    const titles = [...feed.matchAll(/<title>Ledgerstone (.*)<\/title>/g)];
    assert.deepEqual(pluck(titles, 1), ['0.2.0', '0.1.0']);
    assert.match(feed, /<updated>2027-01-31T00:00:00Z<\/updated>\n<entry>/);
    assert.match(feed, /&#60;a href=&#34;http:\/\/127\.0\.0\.1:8080\/docs\/bulk&#34;/);
    assert.doesNotMatch(feed, /Soon/);
  });
});

describe('GET /v1/me', () => {
  it('tells what the key is for, what it may do, and until when', async () => {
    const service = await joinService();
    const location = await service.location();
    const expires_at = Math.floor(Date.now() / 1_000) * 1_000 + 366 * 86_400_000;
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
      expires_at: new Date(expires_at).toISOString().replace('.000', ''),
    });
    assert.ok(!answer.text.includes(secret));
    const all = await service.get('/v1/me');
    const { locations, resources, expires_at: never } = all.body;
    assert.deepEqual([locations, resources, never], [null, null, null]);
  });
});
