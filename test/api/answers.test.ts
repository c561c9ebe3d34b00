/** What answers look like: errors, statuses, headers (decisions, "Answers"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { catalogue } from '../../src/core/errors.ts';
import { examples } from '../support/bodies.ts';
import { type Answer, type Body, type Sent, startService } from '../support/service.ts';
import { exchange, rawRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const PUBLIC = 'https://records.example.com/ledger';
let readOnly: string;
let scoped: string;
const stage = world({ settings: { public_url: `${PUBLIC}/` } }, async ({ service, parents }) => {
  ({ secret: readOnly } = await service.newKey({ permissions: ['read'] }));
  ({ secret: scoped } = await service.newKey({ anchors: [parents.location] }));
});
const UPSERT = '/v1/events/upsert';
const REQUEST_ID = /^req_[0-9A-Za-z]{22}$/;

interface Wrong {
  readonly status: number;
  readonly code: string;
  readonly route: string;
  readonly sent?: () => Sent;
  readonly param?: string;
  /** Headers that the answer must have. */
  readonly headers?: Readonly<Record<string, RegExp>>;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
};
const wrong: readonly Wrong[] = [
  {
    status: 400,
    code: 'parameter_missing',
    route: `POST ${UPSERT}`,
    param: 'location_unique_identifier',
  },
  {
    status: 400,
    code: 'json_invalid',
    route: `POST ${UPSERT}`,
    sent: () => ({ headers: JSON_TYPE, body: '{' }),
  },
  { status: 400, code: 'number_out_of_range', route: 'GET /v1/accounts?limit=0', param: 'limit' },
  {
    status: 401,
    code: 'api_key_missing',
    route: 'GET /v1/accounts',
    sent: () => ({ key: null }),
    headers: { 'www-authenticate': /^Basic realm="[^"]+"/ },
  },
  {
    status: 403,
    code: 'permission_denied',
    route: `POST ${UPSERT}`,
    sent: () => ({ key: readOnly }),
  },
  {
    status: 403,
    code: 'location_not_permitted',
    route: 'POST /v1/locations/upsert',
    sent: () => ({
      key: scoped,
      headers: JSON_TYPE,
      body: stage.text('locations', {}, 'not permitted'),
    }),
  },
  { status: 404, code: 'path_unknown', route: 'GET /v1/nothing' },
  {
    status: 404,
    code: 'resource_missing',
    route: `POST ${UPSERT}`,
    param: 'location_unique_identifier',
    sent: () => ({
      headers: JSON_TYPE,
      body: stage.text('events', { location_unique_identifier: 'x' }),
    }),
  },
  { status: 405, code: 'method_not_allowed', route: `GET ${UPSERT}`, headers: { allow: /^POST$/ } },
  {
    status: 405,
    code: 'method_not_allowed',
    route: 'POST /v1/accounts',
    headers: { allow: /^(GET, HEAD|HEAD, GET)$/ },
  },
  {
    status: 405,
    code: 'method_not_allowed',
    route: 'DELETE /v1/accounts',
    headers: { allow: /GET/ },
  },
  {
    status: 405,
    code: 'method_not_allowed',
    route: `OPTIONS ${UPSERT}`,
    headers: { allow: /^POST$/ },
  },
  {
    status: 413,
    code: 'body_too_large',
    route: `POST ${UPSERT}`,
    sent: () => ({ headers: JSON_TYPE, body: ' '.repeat(1_048_577) }),
  },
  {
    status: 415,
    code: 'media_type_unsupported',
    route: `POST ${UPSERT}`,
    sent: () => ({ headers: { 'Content-Type': 'text/plain' }, body: 'x' }),
  },
];

function ask({ route, sent }: Wrong): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ');
  return stage.service.send(method, path, sent?.());
}

describe('errors', () => {
  for (const one of wrong) {
    const { status, code, route, param, headers = {} } = one;
    it(`${status} ${code}: ${route}`, async () => {
      const type = TYPES[status] ?? 'invalid_request_error';
      const answer = await ask(one);
      assert.equal(answer.status, status, answer.text);
      checkError(answer, { type, code, param });
      for (const [name, value] of Object.entries(headers)) {
        assert.match(answer.headers.get(name) ?? '', value);
      }
    });
  }

  it('doc_url uses the configured public address, never the Host of the request', async () => {
    for (const path of ['/v1/nothing', '/v1/%zz', '/v1/accounts?limit=0']) {
      const [answer] = await exchange(
        stage.service.url,
        rawRequest(stage.service, `GET ${path}`, {
          Host: 'evil.example',
          'X-Forwarded-Host': 'evil.example',
          Forwarded: 'host=evil.example',
        }),
      );
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
  const named = [
    ...(param === undefined ? [] : ['param']),
    ...(error.values === undefined ? [] : ['values']),
  ];
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
  it('is 200 for create, update and no change, and a header says which', async () => {
    for (const { path, least } of examples) {
      const changed = Object.keys(least).find((name) => /name|urls/.test(name)) ?? '';
      const value = changed === 'image_urls' ? ['https://a.example/other.jpg'] : 'Another Name';
      const outcomes: (string | null)[] = [];
      for (const json of [{}, {}, { [changed]: value }, { [changed]: value }]) {
        const { status, headers } = await stage.upsert(path, { json, as: 'outcomes' });
        assert.equal(status, 200);
        outcomes.push(headers.get('ledgerstone-outcome'));
      }
      assert.deepEqual(outcomes, ['created', 'unchanged', 'updated', 'unchanged']);
    }
  });

  it('is application/json in UTF-8', async () => {
    for (const answer of [await stage.upsert('events'), await stage.service.get('/v1/accounts')]) {
      assert.match(
        answer.headers.get('content-type') ?? '',
        /^application\/json(; charset=utf-8)?$/i,
      );
    }
  });
});

describe('headers of every answer', () => {
  const everything = async (): Promise<Answer[]> => {
    const answers = [await stage.upsert('events')];
    for (const path of [
      '/',
      '/v1/accounts',
      '/v1/locations',
      '/healthz',
      '/readyz',
      '/docs/errors',
      '/docs/errors.md',
      '/openapi.json',
      '/nothing',
      '/v1/%zz',
      '/v1/%ff',
      '/%00',
      '//',
      '/v1/accounts/',
    ]) {
      for (const key of [stage.service.key, null]) {
        answers.push(await stage.service.get(path, { key }));
      }
    }
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
    assert.deepEqual(stages(upsert), [
      'parse',
      'authorize',
      'resolve',
      'merge',
      'commit',
      'present',
    ]);
    const list = await stage.service.get('/v1/accounts');
    assert.deepEqual(stages(list), ['parse', 'authorize', 'resolve', 'present']);
    const refused = await stage.upsert('events', { json: { x: 1 } });
    assert.deepEqual(stages(refused), ['parse', 'authorize']);
  });
});

describe('HEAD', () => {
  for (const path of [
    '/v1/accounts',
    '/v1/locations',
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/docs/errors',
  ]) {
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
    for (const path of [
      '/v1',
      '/v1/',
      '/v1/accounts/',
      '/V1/accounts',
      '/v1/Accounts',
      '/v2/accounts',
      '//v1/accounts',
      '/v1//accounts',
      '/v1/accounts;x=1',
      '/accounts',
      '/v1/event',
      '/v1/events/upsert/',
      '/v1/accounts/a/b',
      '/v1/__proto__',
      '/v1/constructor/upsert',
      '/v1/account',
    ]) {
      const answer = await stage.service.get(path);
      assert.equal(answer.status, 404, `${path} ${answer.text}`);
      assert.equal(answer.body.error.code, 'path_unknown');
    }
  });
});

describe('compression', () => {
  const large = { additional_data: { text: 'lorem ipsum '.repeat(200) } };
  const send = (path: string, headers: Record<string, string>, body?: string) =>
    exchange(
      stage.service.url,
      rawRequest(
        stage.service,
        `${body === undefined ? 'GET' : 'POST'} ${path}`,
        body === undefined
          ? headers
          : { ...headers, ...JSON_TYPE, 'Content-Length': String(Buffer.byteLength(body)) },
        body,
      ),
    );
  const upsert = async (headers: Record<string, string>, members: Body = large) => {
    const [answer] = await send(
      '/v1/online_arrangements/upsert',
      headers,
      stage.text('online_arrangements', members, 'zip'),
    );
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
    const small = await upsert(
      { 'Accept-Encoding': 'gzip, br' },
      { additional_data: { text: null } },
    );
    assert.ok(small.payload.length < 1024);
    assert.equal(small.headers['content-encoding'], undefined);
    for (const asked of [
      'identity',
      'gzip;q=0',
      'zstd',
      '',
      '*;q=0',
      'gzip;q=0, br;q=0.0, *;q=0',
    ]) {
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
  it('doc_url leads, without a key, to a page with an anchor for every code', async () => {
    // Where no public address is configured, it is the address that the service listens on.
    const service = await startService();
    const { body } = await service.json(UPSERT, {});
    const url: string = body.error.doc_url;
    assert.ok(url.startsWith(`${service.url}/`));
    const page = await fetch(url);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    const html = await page.text();
    for (const code of Object.keys(catalogue)) {
      assert.equal(html.split(`id="${code}"`).length, 2, code);
    }
  });

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
