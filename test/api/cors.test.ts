/** Browsers of other origins (decisions, "CORS"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { headers } from '../../scripts/openapi/headers.ts';
import { world } from '../support/world.ts';

const CONSOLE = 'https://console.example.com';
const allowing = world({
  settings: { cors_origins: `${CONSOLE}, https://other.example.com:8443` },
});
const plain = world();
const FROM = { headers: { Origin: CONSOLE } };
const UPSERT = '/v1/events/upsert';

const preflight = (origin: string, method = 'POST') => ({
  key: null,
  headers: {
    Origin: origin,
    'Access-Control-Request-Method': method,
    'Access-Control-Request-Headers': 'authorization,content-type,ledgerstone-unknown-fields',
  },
});

describe('an allowed origin', () => {
  it('gets its preflight answered without a key', async () => {
    for (const origin of [CONSOLE, 'https://other.example.com:8443']) {
      const sent = preflight(origin);
      const { status, headers, text } = await allowing.service.send('OPTIONS', UPSERT, sent);
      assert.ok(status === 204 || status === 200);
      assert.equal(text, '');
      assert.equal(headers.get('access-control-allow-origin'), origin);
      assert.match(headers.get('access-control-allow-methods') ?? '', /\bPOST\b/);
      const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase();
      const needed = ['authorization', 'content-type', 'ledgerstone-unknown-fields', 'traceparent'];
      for (const name of needed) assert.ok(allowed.includes(name), allowed);
      assert.match(headers.get('vary') ?? '', /origin/i);
      assert.match(headers.get('request-id') ?? '', /^req_/);
    }
  });
  it('keeps a copy of a record that no other origin is given', async () => {
    const { body } = await allowing.upsert('events');
    const answer = await allowing.service.get(`/v1/events/${body.unique_identifier}`, FROM);
    assert.match(answer.headers.get('vary') ?? '', /^origin, accept-encoding$/i);
  });

  it('may read answers, errors and the headers that we document', async () => {
    const { service } = allowing;
    for (const answer of [
      await service.get('/v1/accounts', FROM),
      await service.get('/v1/accounts', { ...FROM, key: null }),
      await service.get('/v1/nothing', FROM),
      await service.json(UPSERT, '{', FROM),
    ]) {
      assert.equal(answer.headers.get('access-control-allow-origin'), CONSOLE);
      const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase();
      const own = Object.keys(headers).filter((name) => /^(?:Ledgerstone|Idempotent)-/.test(name));
      for (const name of ['Request-Id', 'Retry-After', 'ETag', ...own])
        assert.ok(exposed.includes(name.toLowerCase()), `${name} in ${exposed}`);
    }
  });

  it('sends its key as Bearer; no cookies or other credentials are asked for', async () => {
    const { service } = allowing;
    const headers = { Origin: CONSOLE, Authorization: `Bearer ${service.key}` };
    const answer = await service.get('/v1/accounts', { key: null, headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('access-control-allow-credentials'), null);
  });
});

describe('any other origin', () => {
  const foreign = [
    ...['https://evil.example', 'null', 'http://console.example.com'],
    ...[`${CONSOLE}.evil.example`, `${CONSOLE}:8443`, 'https://x.console.example.com'],
  ];
  it('is not allowed anything', async () => {
    for (const origin of foreign) {
      const asked = await allowing.service.send('OPTIONS', UPSERT, preflight(origin));
      const got = await allowing.service.get('/v1/accounts', { headers: { Origin: origin } });
      for (const { headers } of [asked, got]) {
        const allowed = headers.get('access-control-allow-origin');
        assert.ok(allowed !== '*' && allowed !== origin, `${origin} ${allowed}`);
      }
      assert.equal(got.status, 200, 'where no browser asks it is answered');
    }
  });
});

describe('by default no origin is allowed', () => {
  it('a preflight is refused like any request without a key', async () => {
    const asked = await plain.service.send('OPTIONS', UPSERT, preflight(CONSOLE));
    assert.equal(asked.status, 401);
    const got = await plain.service.get('/v1/accounts', FROM);
    assert.equal(got.status, 200);
    for (const { headers } of [asked, got]) {
      for (const [name] of headers) assert.ok(!name.startsWith('access-control-'), name);
    }
  });
});
