/** What answers look like: errors, statuses, headers (decisions, "Answers"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { catalogue } from '../../src/core/errors.ts';
import { examples } from '../support/bodies.ts';
import type { Answer, Body, Sent } from '../support/service.ts';
import { exchange, rawRequest } from '../support/wire.ts';
import { refused, world } from '../support/world.ts';

const HOST = 'evil.example';
const PUBLIC = 'https://records.example.com/ledger';
let readOnly: string;
let scoped: string;
const stage = world({ settings: { public_url: `${PUBLIC}/` } }, async ({ service, parents }) => {
  ({ secret: readOnly } = await service.newKey({ permissions: ['read'] }));
  ({ secret: scoped } = await service.newKey({ anchors: [parents.location] }));
});
const UPSERT = '/v1/events/upsert';
/** What answers 200. */
const OPEN = [
  '/v1/accounts',
  '/v1/locations',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs/errors',
];
const REQUEST_ID = /^req_[0-9A-Za-z]{22}$/;

/** A request that is refused, with which status and code, and the param or the headers of the answer. */
type Wrong = readonly [
  status: number,
  code: string,
  route: string,
  sent?: () => Sent,
  more?: { readonly param?: string; readonly headers?: Readonly<Record<string, RegExp>> },
];

const JSON_TYPE = { 'Content-Type': 'application/json' };
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
};
const post = (body: string, key?: string): Sent => ({
  ...{ headers: JSON_TYPE, body },
  ...(key !== undefined && { key }),
});
const nothing = () => ({});
const foreign = () => post(stage.text('events', { location_unique_identifier: 'x' }));
const atLocation = { param: 'location_unique_identifier' };
const only = (allow: RegExp) => ({ headers: { allow } });
const POST = `POST ${UPSERT}`;
const wrong: readonly Wrong[] = [
  [400, 'parameter_missing', POST, nothing, atLocation],
  [400, 'json_invalid', POST, () => post('{')],
  [400, 'number_out_of_range', 'GET /v1/accounts?limit=0', nothing, { param: 'limit' }],
  [
    ...([401, 'api_key_missing', 'GET /v1/accounts', () => ({ key: null })] as const),
    { headers: { 'www-authenticate': /^Basic realm="[^"]+"/ } },
  ],
  [403, 'permission_denied', POST, () => ({ key: readOnly })],
  [
    ...([403, 'location_not_permitted', 'POST /v1/locations/upsert'] as const),
    () => post(stage.text('locations', {}, 'not permitted'), scoped),
  ],
  [404, 'path_unknown', 'GET /v1/nothing'],
  [404, 'resource_missing', POST, foreign, atLocation],
  [405, 'method_not_allowed', `GET ${UPSERT}`, nothing, only(/^POST$/)],
  [405, 'method_not_allowed', 'POST /v1/accounts', nothing, only(/^(GET, HEAD|HEAD, GET)$/)],
  [405, 'method_not_allowed', 'DELETE /v1/accounts', nothing, only(/GET/)],
  [405, 'method_not_allowed', `OPTIONS ${UPSERT}`, nothing, only(/^POST$/)],
  [413, 'body_too_large', POST, () => post(' '.repeat(1_048_577))],
  [
    ...([415, 'media_type_unsupported', POST] as const),
    () => ({ headers: { 'Content-Type': 'text/plain' }, body: 'x' }),
  ],
];

function ask([, , route, sent]: Wrong): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  return stage.service.send(method, path, sent?.());
}

describe('errors', () => {
  for (const one of wrong) {
    const [status, code, route, , { param, headers = {} } = {}] = one;
    it(`${status} ${code}: ${route}`, async () => {
      const type = TYPES[status] ?? 'invalid_request_error';
      const answer = await ask(one);
      assert.equal(answer.status, status, answer.text);
      checkError(answer, { type, code, param });
      for (const [name, value] of Object.entries(headers))
        assert.match(answer.headers.get(name) ?? '', value);
    });
  }

  it('doc_url uses the configured public address, never the Host of the request', async () => {
    for (const path of ['/v1/nothing', '/v1/%zz', '/v1/accounts?limit=0']) {
      const evil = { Host: HOST, 'X-Forwarded-Host': HOST, Forwarded: `host=${HOST}` };
      const request = rawRequest(stage.service, `GET ${path}`, evil);
      const [answer] = await exchange(stage.service.url, request);
      const { code, doc_url } = answer?.body.error ?? {};
      assert.equal(doc_url, `${PUBLIC}/docs/errors#${code}`);
      assert.ok(!JSON.stringify(answer).includes('evil'));
    }
  });

  it('what was sent is not repeated in errors of the key, nor keys in any', async () => {
    const key = 'sk_live_thisIsNoKeyButSomebodyTyped';
    const answer = await stage.service.get('/v1/accounts', { key });
    assert.ok(!answer.text.includes(key));
  });
});

function checkError(
  { headers, body }: Answer,
  { type, code, param }: { type: string; code: string; param: string | undefined },
): void {
  assert.match(headers.get('content-type') ?? '', /^application\/json\b/);
  assert.deepEqual(Object.keys(body), ['error']);
  const { error } = body;
  const named = ['param', 'values'].filter((name) => error[name] !== undefined);
  assert.deepEqual(error.errors[0].values, error.values);
  assert.deepEqual(
    new Set(Object.keys(error)),
    new Set(['type', 'code', 'message', 'errors', 'request_id', 'doc_url', ...named]),
  );
  assert.equal(error.type, type);
  assert.equal(error.code, code);
  assert.equal(error.param, param);
  assert.ok(error.message.length > 10);
  assert.match(error.request_id, REQUEST_ID);
  assert.equal(error.request_id, headers.get('request-id'));
  assert.equal(error.doc_url, `${PUBLIC}/docs/errors#${code}`);
  assert.equal(error.errors[0].code, code);
  assert.equal(error.errors[0].param, param);
  for (const fault of error.errors) {
    for (const name of Object.keys(fault))
      assert.ok(['param', 'code', 'message', 'values'].includes(name));
    assert.ok(Object.hasOwn(catalogue, fault.code) && fault.message.length > 10);
  }
}

describe('success', () => {
  it('is application/json in UTF-8', async () => {
    for (const { headers } of [
      await stage.upsert('events'),
      await stage.service.get('/v1/accounts'),
    ])
      assert.match(headers.get('content-type') ?? '', /^application\/json(; charset=utf-8)?$/i);
  });
});

describe('headers of every answer', () => {
  const everything = async (): Promise<Answer[]> => {
    const answers = [await stage.upsert('events')];
    const others = '/ /docs/errors.md /nothing /v1/%zz /v1/%ff /%00 // /v1/accounts/'.split(' ');
    for (const path of [...OPEN, ...others])
      for (const key of [stage.service.key, null])
        answers.push(await stage.service.get(path, { key }));
    for (const one of wrong) answers.push(await ask(one));
    answers.push(await stage.service.send('HEAD', '/v1/accounts'));
    return answers;
  };

  it('Request-Id on every answer, and never twice the same', async () => {
    const answers = await everything();
    const ids = answers.map(({ headers }) => headers.get('request-id') ?? '');
    for (const id of ids) assert.match(id, REQUEST_ID);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('a Request-Id of the caller is not taken over', async () => {
    const { headers } = await stage.service.get('/v1/accounts', {
      headers: { 'Request-Id': 'mine' },
    });
    assert.match(headers.get('request-id') ?? '', REQUEST_ID);
  });

  it('Cache-Control: no-store on all answers with data, and on errors', async () => {
    const answers = await everything();
    for (const { status, headers, text } of answers) {
      const open =
        status === 200 &&
        /html|markdown|openapi/.test(`${headers.get('content-type')}${text.slice(0, 20)}`);
      if (!open) assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  it('Server-Timing names the stages', async () => {
    const stages = ({ headers }: Answer): string[] => {
      const timing = headers.get('server-timing') ?? '';
      return timing.split(', ').map((entry) => {
        assert.match(entry, /^[a-z]+;dur=\d+(\.\d+)?$/);
        return entry.split(';')[0] ?? '';
      });
    };
    const upsert = await stage.upsert('events');
    assert.equal(stages(upsert).join(), 'parse,authorize,resolve,merge,commit,present');
    const list = await stage.service.get('/v1/accounts');
    assert.deepEqual(stages(list), ['parse', 'authorize', 'resolve', 'present']);
    const wrong = await stage.upsert('events', { json: { x: 1 } });
    assert.deepEqual(stages(wrong), ['parse', 'authorize']);
  });
});

describe('HEAD', () => {
  for (const path of OPEN) {
    it(`${path} is GET without its body`, async () => {
      const got = await stage.service.get(path);
      const asked = await stage.service.send('HEAD', path);
      assert.equal(asked.status, 200);
      assert.equal(asked.text, '');
      assert.equal(asked.headers.get('content-type'), got.headers.get('content-type'));
      assert.equal(asked.headers.get('cache-control'), got.headers.get('cache-control'));
    });
  }

  it('errors of HEAD have no body either', async () => {
    for (const [path, status, key] of [
      ['/v1/accounts', 401, null],
      ['/v1/accounts?limit=0', 400, stage.service.key],
      ['/v1/nothing', 404, stage.service.key],
      [UPSERT, 405, stage.service.key],
    ] as const) {
      const answer = await stage.service.send('HEAD', path, { key });
      assert.equal(answer.status, status);
      assert.equal(answer.text, '');
    }
  });
});

describe('paths', () => {
  it('are taken to the letter', async () => {
    const paths = `/v1 /v1/ /v1/accounts/ /V1/accounts /v1/Accounts /v2/accounts //v1/accounts /v1//accounts
      /v1/accounts;x=1 /accounts /v1/event /v1/events/upsert/ /v1/accounts/a/b /v1/__proto__
      /v1/constructor/upsert /v1/account`;
    for (const path of paths.split(/\s+/))
      refused(await stage.service.get(path), 404, 'path_unknown');
  });
});

describe('compression', () => {
  const large = { additional_data: { text: 'lorem ipsum '.repeat(200) } };
  const send = (path: string, headers: Record<string, string>, body?: string) => {
    const sized = body !== undefined && {
      ...JSON_TYPE,
      'Content-Length': `${Buffer.byteLength(body)}`,
    };
    const line = `${sized ? 'POST' : 'GET'} ${path}`;
    return exchange(
      stage.service.url,
      rawRequest(stage.service, line, { ...headers, ...sized }, body),
    );
  };
  const upsert = async (headers: Record<string, string>, members: Body = large) => {
    const body = stage.text('online_arrangements', members, 'zip');
    const [answer] = await send('/v1/online_arrangements/upsert', headers, body);
    assert.equal(answer?.status, 200);
    return answer;
  };
  const expand = { gzip: gunzipSync, br: brotliDecompressSync };

  for (const coding of ['gzip', 'br'] as const) {
    it(`answers over 1 KiB by ${coding} where the client asks`, async () => {
      const plain = await upsert({});
      assert.equal(plain.headers['content-encoding'], undefined);
      const answer = await upsert({ 'Accept-Encoding': coding });
      assert.equal(answer.headers['content-encoding'], coding);
      assert.match(answer.headers.vary ?? '', /accept-encoding/i);
      assert.ok(answer.payload.length < plain.payload.length / 4);
      assert.deepEqual(JSON.parse(String(expand[coding](answer.payload))), plain.body);
    });
  }

  it('what the client likes most, and br where it likes both as much', async () => {
    for (const [asked, coding] of [
      ['gzip, br', 'br'],
      ['GZIP;Q=0.9, br;q=0.5', 'gzip'],
      ['zstd, deflate, gzip ; q=0.1', 'gzip'],
      ['x-gzip', 'gzip'],
      ['*', 'br'],
      ['br;q=0, *;q=0.5', 'gzip'],
    ] as const) {
      const answer = await upsert({ 'Accept-Encoding': asked });
      assert.equal(answer.headers['content-encoding'], coding, asked);
      assert.ok(JSON.parse(String(expand[coding](answer.payload))).unique_identifier);
    }
  });

  it('lists over 1 KiB, and errors over 1 KiB', async () => {
    for (let index = 0; index < 10; index += 1) await stage.service.location(`list ${index}`);
    const [list] = await send('/v1/locations', { 'Accept-Encoding': 'gzip' });
    assert.equal(list?.headers['content-encoding'], 'gzip');
    const { data } = JSON.parse(String(gunzipSync(list.payload)));
    assert.ok(data.length > 10);
    const [error] = await send(UPSERT, { 'Accept-Encoding': 'gzip' }, '{}');
    assert.equal(error?.status, 400);
    assert.equal(error.headers['content-encoding'], 'gzip');
    assert.equal(JSON.parse(String(gunzipSync(error.payload))).error.code, 'parameter_missing');
  });

  it('nothing below 1 KiB, and nothing where the client does not ask', async () => {
    const empty = { additional_data: { text: null } };
    const small = await upsert({ 'Accept-Encoding': 'gzip, br' }, empty);
    assert.ok(small.payload.length < 1024);
    assert.equal(small.headers['content-encoding'], undefined);
    const none = ['identity', 'gzip;q=0', 'zstd', '', '*;q=0', 'gzip;q=0, br;q=0.0, *;q=0'];
    for (const asked of none) {
      const answer = await upsert({ 'Accept-Encoding': asked });
      assert.equal(answer.headers['content-encoding'], undefined, asked);
      assert.ok(answer.payload.length > 1024);
    }
  });
});

describe('health', () => {
  it('is told without a key and without data', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const answer = await stage.service.get(path, { key: null });
      assert.equal(answer.status, 200);
      assert.deepEqual(Object.keys(answer.body), ['status']);
      assert.ok(!answer.text.includes(stage.service.account.name));
      assert.equal(answer.headers.get('cache-control'), 'no-store');
    }
  });

  it('a wrong key does not matter', async () => {
    assert.equal((await stage.service.get('/healthz', { key: 'x' })).status, 200);
  });
});

describe('the reference', () => {
  it('OpenAPI is served without a key, and names every endpoint', async () => {
    const { status, headers, body } = await stage.service.get('/openapi.json', { key: null });
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/(openapi\+)?json/);
    assert.match(body.openapi, /^3\.1\./);
    for (const { path } of examples) assert.ok(body.paths[`/v1/${path}/upsert`].post, path);
    for (const path of ['/v1/accounts', '/v1/locations']) assert.ok(body.paths[path].get, path);
    assert.equal(body.servers[0].url, PUBLIC);
  });
});
