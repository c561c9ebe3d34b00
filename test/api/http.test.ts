/** What is no request, or a dangerous one: answered cleanly, done whole or not at all (decisions, "Headers", "Order of checks"). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formOf } from '../support/bodies.ts';
import { pluck } from '../support/pluck.ts';
import { type Exchange, exchange, type RawAnswer, rawRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const stage = world();
const UPSERT = '/v1/locations/upsert';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const raw = (parts: Parameters<typeof exchange>[1], how?: Exchange) =>
  exchange(stage.service.url, parts, how);
/** The answer to one request. */
const ask = async (line: string, headers?: Record<string, string>, content?: string) =>
  (await raw(rawRequest(stage.service, line, headers, content)))[0];
const body = (as: string): string => stage.text('locations', {}, as);
const post = (headers: Record<string, string>, content = ''): string =>
  rawRequest(stage.service, `POST ${UPSERT}`, { ...JSON_TYPE, ...headers }, content);
const sized = (content: string): Record<string, string> => ({
  'Content-Length': String(Buffer.byteLength(content)),
});

/** Whether the location was written: another upsert would have made it otherwise. */
async function isThere(as: string): Promise<boolean> {
  const answer = await stage.service.json(UPSERT, body(as));
  assert.equal(answer.status, 200, answer.text);
  return answer.headers.get('ledgerstone-outcome') !== 'created';
}

function checkRefusal(answer: RawAnswer | undefined, status: number): void {
  assert.equal(answer?.status, status);
  assert.match(answer.headers['request-id'] ?? '', /^req_[0-9A-Za-z]{22}$/);
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
  assert.equal(answer.body.error.type, 'invalid_request_error');
  assert.equal(answer.body.error.request_id, answer.headers['request-id']);
}

describe('malformed HTTP is answered like everything else: an error, with a Request-Id', () => {
  const head = 'Host: localhost\r\nConnection: close\r\n';
  const get = (header: string) => `GET /v1/accounts HTTP/1.1\r\n${head}${header}\r\n\r\n`;
  const long = (length: string) =>
    `POST ${UPSERT} HTTP/1.1\r\n${head}Content-Length: ${length}\r\n\r\nhello`;
  const malformed: Readonly<Record<string, string | Uint8Array>> = {
    'a request line that is none': 'GARBAGE\r\n\r\n',
    'a method that is none': `FROBNICATE /v1/accounts HTTP/1.1\r\n${head}\r\n`,
    'a version that is none': `GET /v1/accounts HTTP/9.9\r\n${head}\r\n`,
    'HTTP/2 without asking': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'TLS on a plain port': Buffer.from('1603010200010001fc03030d0a0d0a', 'hex'),
    'a path with spaces': `GET /v1/a b HTTP/1.1\r\n${head}\r\n`,
    'a header without a colon': get('Broken'),
    'a header with a space before its colon': get('X-A : b'),
    'a header with a NUL': get('X-A: b\0c'),
    'a header name that is none': get('X(A): b'),
    'a lone carriage return in a header': get('X-A: b\rc'),
    'a Content-Length that is none': long('ten'),
    'a negative Content-Length': long('-1'),
    'a signed Content-Length': long('+5'),
    'a hexadecimal Content-Length': long('0x5'),
    'no Host': 'GET /v1/accounts HTTP/1.1\r\nConnection: close\r\n\r\n',
  };
  for (const [rule, bytes] of Object.entries(malformed))
    it(rule, async () => checkRefusal((await raw(bytes))[0], 400));

  it('headers that are too large are 431', async () => {
    for (const headers of [
      { 'X-Large': 'x'.repeat(100_000) },
      Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`X-${n}`, 'x'])),
    ]) {
      const answer = await ask('GET /v1/accounts', headers);
      checkRefusal(answer, 431);
    }
    const answer = await ask(`GET /v1/accounts?${'x'.repeat(100_000)}`);
    checkRefusal(answer, 431);
  });

  it('an unknown Expect is ignored', async () => {
    const [answer] = await raw(
      post({ Expect: 'the unexpected', ...sized(body('expect')) }, body('expect')),
    );
    assert.equal(answer?.status, 200);
    assert.match(answer.headers['request-id'] ?? '', /^req_/);
  });

  it('paths that cannot be decoded', async () => {
    for (const path of ['/v1/%', '/v1/%zz', '/v1/%ff', '/v1/%c3%28', '/%E0%A4%A']) {
      const answer = await ask(`GET ${path}`);
      checkRefusal(answer, 404);
    }
  });

  it('browsers are led to a page where an address cannot be decoded', async () => {
    const accept = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const path of ['/console/%E0%A4%A', '/console/events/%zz', '/docs/%ff']) {
      const led = await ask(`GET ${path}`, accept);
      assert.equal(led?.status, 303, path);
      const { location = '' } = led.headers;
      assert.equal(location, path.replaceAll('%', '%25'));
      const page = await ask(`GET ${location}`, accept);
      assert.match(page?.headers['content-type'] ?? '', /^text\/html/, path);
      checkRefusal(await ask(`GET ${path}`), 404);
    }
    checkRefusal(await ask('GET /console/api/%zz', accept), 404);
    checkRefusal(await ask('GET /v1/%zz', accept), 404);
  });

  it('a target with an address, as proxies send it', async () => {
    const answer = await ask('GET http://localhost/v1/accounts');
    assert.ok([200, 404].includes(answer?.status ?? 0), String(answer?.status));
    assert.match(answer?.headers['request-id'] ?? '', /^req_/);
  });

  it('unsupported methods are 405 on a known path, and 404 elsewhere', async () => {
    for (const method of 'PUT PATCH DELETE TRACE PROPFIND PURGE QUERY LINK'.split(' ')) {
      const known = await ask(`${method} ${UPSERT}`);
      checkRefusal(known, 405);
      assert.equal(known?.headers.allow, 'POST');
      const unknown = await ask(`${method} /v1/nothing`);
      checkRefusal(unknown, 404);
    }
  });

  it('HTTP/1.0 is answered', async () => {
    const [answer] = await raw(
      `GET /v1/accounts HTTP/1.0\r\nAuthorization: Bearer ${stage.service.key}\r\n\r\n`,
    );
    assert.equal(answer?.status, 200);
  });
});

describe('a request is read in one way only', () => {
  const smuggled = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

  it('Content-Length and Transfer-Encoding together are refused', async () => {
    for (const [length, content] of [
      ['6', `0\r\n\r\n${smuggled}`],
      [String(body('smuggled').length), body('smuggled')],
    ] as const) {
      const answers = await raw(
        post({ 'Content-Length': length, 'Transfer-Encoding': 'chunked' }, content),
      );
      assert.equal(answers.length, 1);
      assert.equal(answers[0]?.status, 400);
    }
    assert.ok(!(await isThere('smuggled')));
  });

  it('two lengths that differ are refused', async () => {
    const content = body('two lengths');
    const [answer] = await raw(post({ ...sized(content), 'content-length': '5' }, content));
    assert.equal(answer?.status, 400);
    assert.ok(!(await isThere('two lengths')));
  });

  it('transfer codings that are not chunked are refused', async () => {
    for (const coding of ['gzip', 'identity', 'chunked, gzip', 'xchunked', 'chunked, identity']) {
      const answers = await raw(post({ 'Transfer-Encoding': coding }, `0\r\n\r\n${smuggled}`));
      assert.equal(answers.length, 1, coding);
      const status = answers[0]?.status ?? 0;
      assert.ok(status >= 400 && status < 500, `${coding}: ${status}`);
    }
  });

  it('chunks that are none are refused', async () => {
    const content = body('chunks');
    for (const chunks of [
      'zz\r\n',
      '-1\r\n',
      `${content.length}\r\n${content}\r\n0\r\n\r\n`,
      'ffffffffffffffffff\r\n',
      `5;x\r\n${content}`,
    ]) {
      const [answer] = await raw([post({ 'Transfer-Encoding': 'chunked' }), chunks], {
        hangUp: true,
      });
      if (answer !== undefined) assert.equal(answer.status, 400, chunks);
    }
    assert.ok(!(await isThere('chunks')));
  });

  it('a body after a refusal is never taken for a request', async () => {
    for (const [line, headers, status] of [
      [`POST ${UPSERT}`, { 'Content-Type': 'text/plain' }, 415],
      [`POST ${UPSERT}`, { Authorization: 'Bearer x', ...FORM }, 401],
      ['POST /v1/nothing', FORM, 404],
      ['GET /v1/accounts', {}, 400],
      ['GET /healthz', {}, 400],
    ] as const) {
      const all = { Connection: 'keep-alive', ...headers, ...sized(smuggled) };
      const answers = await raw([
        rawRequest(stage.service, line, all, smuggled),
        rawRequest(stage.service, 'GET /v1/accounts?limit=1'),
      ]);
      assert.equal(answers[0]?.status, status);
      // Either the connection ends there, or the next request is answered; the body is neither.
      assert.ok(answers.length <= 2);
      if (answers.length === 2) assert.equal(answers[1]?.body.url, '/v1/accounts');
    }
  });

  it('what comes behind a request is not answered in its place', async () => {
    for (const connection of ['close', 'keep-alive']) {
      const content = body(`before ${connection}`);
      const request = post({ Connection: connection, ...sized(content) }, content);
      const answers = await raw(`${request}${request}\x01\x02\r\n\r\n`);
      assert.equal(answers[0]?.status, 200);
      assert.equal(answers[0].headers['ledgerstone-outcome'], 'created');
      if (connection === 'keep-alive') {
        assert.deepEqual(pluck(answers, 'status'), [200, 200, 400]);
      }
    }
  });

  it('requests that are sent one behind the other are answered in their order', async () => {
    const requests = Array.from({ length: 20 }, (_, index) => {
      const content = body(`pipelined ${index}`);
      return rawRequest(
        stage.service,
        `POST ${UPSERT}`,
        { ...JSON_TYPE, Connection: index === 19 ? 'close' : 'keep-alive', ...sized(content) },
        content,
      );
    });
    const answers = await raw(requests.join(''));
    assert.deepEqual(
      answers.map((answer) => answer.body.external_identifier),
      requests.map((_, index) => `pipelined ${index}`),
    );
  });
});

describe('a request that does not arrive whole is not done', () => {
  const cut: Readonly<Record<string, (content: string, as: string) => readonly string[]>> = {
    'shorter than its Content-Length': (content) => [
      post({ 'Content-Length': `${content.length + 10}` }),
      content,
    ],
    'hung up in the middle of its body': (content) => [post(sized(content)), content.slice(0, 20)],
    'hung up before the last chunk': (content) => [
      post({ 'Transfer-Encoding': 'chunked' }),
      `${content.length.toString(16)}\r\n${content}\r\n`,
    ],
    'hung up in the middle of a form that would do as it is': (_, external_identifier) => {
      const account_unique_identifier = stage.parents.account;
      const form = formOf({ account_unique_identifier, external_identifier, location_name: 'A' });
      return [post({ ...FORM, 'Content-Length': `${form.length + 8}` }), form];
    },
  };
  for (const [what, parts] of Object.entries(cut))
    it(what, async () => {
      await raw(parts(body(what), what), { pause: 30, hangUp: true });
      assert.ok(!(await isThere(what)));
    });

  it('longer than its Content-Length: what is over is no part of it', async () => {
    const content = body('long');
    const cut = await raw(post({ 'Content-Length': '10' }, content));
    assert.equal(cut[0]?.status, 400);
    assert.ok(!(await isThere('long')));
    const extended = `${body('exact')}${body('extra')}`;
    const [answer] = await raw(post(sized(body('exact')), extended));
    assert.equal(answer?.status, 200);
    assert.ok(!(await isThere('extra')));
  });

  it('slow, byte by byte, it is done once it is whole', async () => {
    const content = body('slow');
    const [answer] = await raw([post(sized(content)), ...(content.match(/.{1,7}/g) ?? [])], {
      pause: 2,
    });
    assert.equal(answer?.status, 200);
    assert.equal(answer.headers['ledgerstone-outcome'], 'created');
  });

  it('hung up once it is whole, without waiting for the answer, it is done whole or not at all', async () => {
    const content = body('impatient');
    await raw(post(sized(content), content), { hangUp: true });
    const answer = await stage.service.json(UPSERT, content);
    assert.match(answer.headers.get('ledgerstone-outcome') ?? '', /^(created|unchanged)$/);
  });
});

describe('a GET with a body is 400', () => {
  it('with its length, and in chunks', async () => {
    for (const [headers, content] of [
      [{ 'Content-Length': '2' }, '{}'],
      [{ 'Transfer-Encoding': 'chunked' }, '2\r\n{}\r\n0\r\n\r\n'],
    ] as const) {
      for (const path of ['/v1/accounts', '/v1/locations']) {
        const answer = await ask(`GET ${path}`, headers, content);
        checkRefusal(answer, 400);
        assert.equal(answer?.body.error.code, 'body_unexpected');
      }
    }
  });

  it('a length of nothing is no body', async () => {
    const answer = await ask('GET /v1/accounts', { 'Content-Length': '0' });
    assert.equal(answer?.status, 200);
  });
});
