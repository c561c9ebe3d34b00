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
      const { status, headers, text } = await allowing.service.send(
        'OPTIONS',
        UPSERT,
        preflight(origin),
      );
      assert.ok(status === 204 || status === 200);
      assert.equal(text, '');
      assert.equal(headers.get('access-control-allow-origin'), origin);
      assert.match(headers.get('access-control-allow-methods') ?? '', /\bPOST\b/);
      const allowed = (headers.get('access-control-allow-headers') ?? '').toLowerCase();
      const needed = ['authorization', 'content-type', 'ledgerstone-unknown-fields', 'traceparent'];
      for (const name of needed) assert.ok(allowed.includes(name), allowed);
      assert.match(headers.get('vary') ?? '', /origin/i);
    }
  });

  it('gets a Request-Id with its preflight too', async () => {
    const { headers } = await allowing.service.send('OPTIONS', UPSERT, preflight(CONSOLE));
    assert.match(headers.get('request-id') ?? '', /^req_/);
  });

  it('keeps a copy of a record that no other origin is given', async () => {
    const { body } = await allowing.upsert('events');
    const headers = { Origin: CONSOLE };
    const answer = await allowing.service.get(`/v1/events/${body.unique_identifier}`, { headers });
    assert.match(answer.headers.get('vary') ?? '', /^origin, accept-encoding$/i);
  });

  it('may read answers, errors and the headers that we document', async () => {
    const { service } = allowing;
    for (const answer of [
      await service.get('/v1/accounts', { headers: { Origin: CONSOLE } }),
      await service.get('/v1/accounts', { headers: { Origin: CONSOLE }, key: null }),
      await service.get('/v1/nothing', { headers: { Origin: CONSOLE } }),
      await service.json(UPSERT, '{', { headers: { Origin: CONSOLE } }),
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
    const answer = await service.get('/v1/accounts', {
      key: null,
      headers: { Origin: CONSOLE, Authorization: `Bearer ${service.key}` },
    });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('access-control-allow-credentials'), null);
  });

  it('needs its key all the same', async () => {
    const answer = await allowing.service.get('/v1/accounts', {
      key: null,
      headers: { Origin: CONSOLE },
    });
    assert.equal(answer.status, 401);
  });
});

describe('any other origin', () => {
  const foreign = [
    'https://evil.example',
    'null',
    'http://console.example.com',
    `${CONSOLE}.evil.example`,
    `${CONSOLE}:8443`,
    'https://x.console.example.com',
  ];
  it('is not allowed anything', async () => {
    for (const origin of foreign) {
      const asked = await allowing.service.send('OPTIONS', UPSERT, preflight(origin));
      const got = await allowing.service.get('/v1/accounts', { headers: { Origin: origin } });
      for (const { headers } of [asked, got]) {
        const allowed = headers.get('access-control-allow-origin');
        assert.ok(allowed !== '*' && allowed !== origin, `${origin} ${allowed}`);
      }
    }
  });

  it('gets an answer where no browser asks', async () => {
    const got = await allowing.service.get('/v1/accounts', {
      headers: { Origin: 'https://evil.example' },
    });
    assert.equal(got.status, 200);
  });
});

describe('by default no origin is allowed', () => {
  it('a preflight is refused like any request without a key', async () => {
    const asked = await plain.service.send('OPTIONS', UPSERT, preflight(CONSOLE));
    assert.equal(asked.status, 401);
    const got = await plain.service.get('/v1/accounts', { headers: { Origin: CONSOLE } });
    assert.equal(got.status, 200);
    for (const { headers } of [asked, got]) {
      for (const [name] of headers) assert.ok(!name.startsWith('access-control-'), name);
    }
  });
});
