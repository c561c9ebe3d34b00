/** What callers are told: which version answers, what is to go, and what their key is. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changelogFeed } from '../../manual/changelog.ts';
import about from '../../package.json' with { type: 'json' };
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { resources } from '../../src/core/resources/index.ts';
import { pluck } from '../support/pluck.ts';
import { type Body, joinService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { exchange } from '../support/wire.ts';
import { served } from '../support/world.ts';

const SINCE = '2027-02-01';
const SUNSET = '2028-02-01';
const ANNOUNCED = ['@1801440000', 'Tue, 01 Feb 2028 00:00:00 GMT'];
const deprecations = [
  { operation: 'GET /v1/events/{unique_identifier}', since: SINCE, sunset: SUNSET },
  { operation: 'GET /v1/locations', parameter: 'order', since: SINCE, sunset: SUNSET },
];
const service = served({ settings: { cors_origins: 'https://app.example.com' }, deprecations });

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

describe('what is to go', () => {
  const announced = ({ headers }: { readonly headers: Headers }) =>
    [headers.get('deprecation'), headers.get('sunset')].filter((one) => one !== null);

  it('says so in the answers of those who use it, and in no other', async () => {
    const event = await service.event(await service.location());
    assert.deepEqual(announced(await service.get(`/v1/events/${event}`)), ANNOUNCED);
    assert.deepEqual(announced(await service.send('HEAD', `/v1/events/${event}`)), ANNOUNCED);
    assert.deepEqual(announced(await service.get('/v1/events/evt_none')), ANNOUNCED);
    assert.deepEqual(announced(await service.get('/v1/locations?limit=1&order=name')), ANNOUNCED);
    assert.deepEqual(announced(await service.get('/v1/locations?limit=1')), []);
    assert.deepEqual(announced(await service.get('/v1/events')), []);
  });

  it('is marked in OpenAPI', async () => {
    const document = openapiDocument(resources, service.url, { deprecations });
    const { paths } = JSON.parse(JSON.stringify(document));
    const { get, patch } = paths['/v1/events/{unique_identifier}'];
    assert.deepEqual([get.deprecated, patch.deprecated], [true, undefined]);
    assert.ok('Sunset' in get.responses['200'].headers);
    const list = paths['/v1/locations'].get;
    assert.equal(list.deprecated, undefined);
    const marked = list.parameters.filter((one: Body) => one.deprecated);
    assert.deepEqual(pluck(marked, 'name'), ['order']);
  });

  it('is counted by key', async () => {
    const { secret, key } = await service.newKey({ allow: ['requests'] });
    const sent = { key: secret };
    for (let times = 0; times < 3; times++) await service.get('/v1/locations?order=name', sent);
    await service.get('/v1/locations', sent);
    await until(async () => {
      const { body } = await service.get(`/v1/activity?key=${key.unique_identifier}`, sent);
      const found = body.data.find((one: Body) => one.outcome === 'deprecated');
      return found?.count === 3 && found.resource === 'location';
    });
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
