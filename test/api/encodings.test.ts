/** Which bodies are taken, in which encodings and of which size (decisions, "Requests": Encodings, Types, Duplicate keys, Sizes). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { examples, formOf } from '../support/bodies.ts';
import { faultsOf, play } from '../support/scenario.ts';
import type { Answer, Body } from '../support/service.ts';
import { exchange, rawRequest } from '../support/wire.ts';
import { leastOf, world } from '../support/world.ts';

const stage = world();
const FORM = 'application/x-www-form-urlencoded';
const LOCATIONS = '/v1/locations/upsert';

const location = (external_identifier: string): Body => ({
  account_unique_identifier: stage.parents.account,
  external_identifier,
  location_name: 'Chapel',
});
const post = (body: string | Uint8Array, headers: Record<string, string>): Promise<Answer> =>
  stage.service.send('POST', LOCATIONS, { body, headers });

describe('encodings', () => {
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/JSON',
  ]) {
    it(`${type} is JSON`, async () => {
      const answer = await post(JSON.stringify(location(type)), { 'Content-Type': type });
      assert.equal(answer.status, 200, answer.text);
    });
  }
  for (const type of [
    FORM,
    `${FORM}; charset=utf-8`,
    `${FORM};charset=UTF-8`,
    FORM.toUpperCase(),
  ]) {
    it(`${type} is a form`, async () => {
      const answer = await post(formOf(location(type)), { 'Content-Type': type });
      assert.equal(answer.status, 200, answer.text);
    });
  }

  it('no Content-Type with a body means form, for every upsert', async () => {
    for (const { path, parent } of examples) {
      const { service, parents } = stage;
      const body = formOf({
        [`${parent}_unique_identifier`]: parents[parent],
        external_identifier: 'untyped',
        ...leastOf(path),
      });
      const answer = await service.send('POST', `/v1/${path}/upsert`, { body });
      assert.equal(answer.status, 200, answer.text);
    }
  });

  it('no body is a form without fields', async () => {
    const answer = await stage.service.send('POST', LOCATIONS);
    assert.deepEqual(
      faultsOf(answer),
      Object.keys(location('')).map((name) => [name, 'parameter_missing']),
    );
  });

  for (const type of [
    'text/plain',
    'text/json',
    'application/xml',
    'application/json5',
    'application/jsonp',
    'application/vnd.api+json',
    'application/merge-patch+json',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    '*/*',
    'json',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset="us-ascii"',
    `${FORM}; charset=iso-8859-1`,
    `${FORM}; charset=windows-1252`,
  ]) {
    it(`${type} is 415`, async () => {
      for (const body of [JSON.stringify(location('refused')), formOf(location('refused'))]) {
        const answer = await post(body, { 'Content-Type': type });
        assert.equal(answer.status, 415);
        assert.equal(answer.body.error.type, 'invalid_request_error');
        assert.match(answer.body.error.message, /application\/json.*x-www-form-urlencoded/);
      }
    });
  }

  for (const coding of ['gzip', 'deflate', 'br', 'zstd', 'x-gzip', 'gzip, identity']) {
    it(`Content-Encoding: ${coding} is 415`, async () => {
      const answer = await post(gzipSync(JSON.stringify(location('zipped'))), {
        'Content-Type': 'application/json',
        'Content-Encoding': coding,
      });
      assert.equal(answer.status, 415);
      assert.match(answer.body.error.message, /Content-Encoding|[Cc]ompress/);
    });
  }

  it('a JSON body that is called a form is refused, and the other way round', async () => {
    const asForm = await post(JSON.stringify(location('x')), { 'Content-Type': FORM });
    assert.equal(asForm.status, 400);
    const asJson = await post(formOf(location('x')), { 'Content-Type': 'application/json' });
    assert.equal(asJson.status, 400);
    assert.deepEqual(faultsOf(asJson), [[undefined, 'json_invalid']]);
  });
});

describe('JSON is strict', () => {
  const broken: readonly (readonly [rule: string, body: string, offset: number])[] = [
    ['nothing at all', '', 0],
    ['nothing but white space', ' \n', 2],
    ['a comma too many', '{"a":1,}', 7],
    ['a raw line break in a string', '{"a":"\n"}', 6],
  ];
  for (const [rule, body, offset] of broken) {
    it(`${rule}: 400 json_invalid, with the byte offset and no param`, async () => {
      const answer = await stage.service.json(LOCATIONS, body);
      assert.equal(answer.status, 400);
      assert.deepEqual(faultsOf(answer), [[undefined, 'json_invalid']]);
      assert.match(answer.body.error.message, new RegExp(`\\b${offset}\\b`));
      assert.ok(!Object.hasOwn(answer.body.error, 'param'));
    });
  }

  it('the offset counts bytes, not characters', async () => {
    const answer = await stage.service.json(LOCATIONS, '{"é🕯":tru}');
    assert.match(answer.body.error.message, /\b10\b/);
  });

  it('a body is an object', async () => {
    const answer = await stage.service.json(LOCATIONS, '[{}]');
    assert.equal(answer.status, 400);
    assert.deepEqual(faultsOf(answer), [[undefined, 'type_invalid']]);
  });
});

describe('duplicate keys in JSON are 400 and named, at every depth', () => {
  const on = 'online_arrangements';
  const repeated = (...params: string[]) =>
    params.map((param) => [param, 'parameter_repeated'] as const);
  play(stage, on, [
    { rule: 'of the body', json: '"cart_summary":"other"', faults: repeated('cart_summary') },
    {
      rule: 'a key sent thrice is one fault, and every key is named',
      json: '"additional_data":{"a":1,"a":2,"a":3,"b":{"c":1,"c":1}}',
      faults: repeated('additional_data.a', 'additional_data.b.c'),
    },
  ]);
});

describe('a body is at most 1 MiB', () => {
  const MIB = 1_048_576;
  const padded = (as: string, bytes: number): string =>
    JSON.stringify(location(as)).padEnd(bytes, ' ');
  const chunked = (body: string): string[] => {
    const chunks: string[] = [];
    for (let at = 0; at < body.length; at += 65_000) {
      const chunk = body.slice(at, at + 65_000);
      chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    }
    return [...chunks, '0\r\n\r\n'];
  };
  const head = (headers: Record<string, string>): string =>
    rawRequest(stage.service, `POST ${LOCATIONS}`, {
      'Content-Type': 'application/json',
      ...headers,
    });

  it('exactly 1 MiB is taken, with its length and in chunks', async () => {
    const answer = await post(padded('a', MIB), { 'Content-Type': 'application/json' });
    assert.equal(answer.status, 200, answer.text);
    const [raw] = await exchange(stage.service.url, [
      head({ 'Transfer-Encoding': 'chunked' }),
      ...chunked(padded('b', MIB)),
    ]);
    assert.equal(raw?.status, 200);
  });

  it('one byte more is 413, with its length and in chunks, and nothing is written', async () => {
    const [told] = await exchange(stage.service.url, [
      head({ 'Content-Length': String(MIB + 1) }),
      padded('c', MIB + 1),
    ]);
    assert.equal(told?.status, 413);
    assert.equal(told.body.error.code, 'body_too_large');
    assert.match(told.body.error.message, /1,?048,?576|1 MiB/);
    const [found] = await exchange(stage.service.url, [
      head({ 'Transfer-Encoding': 'chunked' }),
      ...chunked(padded('d', MIB + 1)),
    ]);
    assert.equal(found?.status, 413);
    assert.equal(found.body.error.code, 'body_too_large');
    for (const as of ['c', 'd']) {
      const answer = await stage.service.json(LOCATIONS, location(as));
      assert.equal(answer.headers.get('ledgerstone-outcome'), 'created');
    }
  });

  it('an ordinary client that sends far more reads its 413', async () => {
    for (const bytes of [MIB + 1, 4 * MIB]) {
      const answer = await post(padded('e', bytes), { 'Content-Type': 'application/json' });
      assert.equal(answer.status, 413);
    }
  });

  it('a form of exactly 1 MiB is read, and one byte more is 413', async () => {
    const form = (bytes: number): string => formOf(location('f')).padEnd(bytes, '&');
    const taken = await stage.service.form(LOCATIONS, form(MIB));
    assert.equal(taken.status, 200, taken.text);
    const refused = await stage.service.form(LOCATIONS, form(MIB + 1));
    assert.equal(refused.status, 413);
  });

  it('a length that is told is believed before the body has arrived', async () => {
    const [answer] = await exchange(stage.service.url, head({ 'Content-Length': '99999999999' }));
    assert.equal(answer?.status, 413);
  });

  it('Expect: 100-continue is answered, and the body taken', async () => {
    const body = JSON.stringify(location('expected'));
    const [answer] = await exchange(
      stage.service.url,
      [head({ Expect: '100-continue', 'Content-Length': String(body.length) }), body],
      { pause: 50 },
    );
    assert.equal(answer?.status, 200);
  });
});

describe('nesting: 32 levels, the body being the first', () => {
  const on = 'online_arrangements';
  // The body, additional_data, and so many more inside it.
  const objects = (levels: number): string => '{"a":'.repeat(levels) + 1 + '}'.repeat(levels);
  const arrays = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const data = (inside: string): string => `"additional_data":{"x":${inside}}`;
  const brackets = (levels: number): string => `additional_data${'[a]'.repeat(levels)}=1`;
  for (const [what, make] of [
    ['objects', objects],
    ['arrays', arrays],
  ] as const) {
    play(stage, on, [
      {
        rule: `32 levels of ${what}`,
        json: data(make(30)),
        gives: { additional_data: { x: JSON.parse(make(30)) } },
      },
      { rule: `33 levels of ${what}`, json: data(make(31)), status: 400, says: /32/ },
    ]);
  }
  play(stage, on, [
    { rule: '32 levels by form', form: brackets(31), status: 200 },
    { rule: '33 levels by form', form: brackets(32), status: 400, says: /32/ },
  ]);

  it('the code is nesting_too_deep', async () => {
    for (const sending of [{ json: data(objects(31)) }, { form: brackets(32) }]) {
      const answer = await stage.upsert(on, sending);
      assert.equal(answer.body.error.code, 'nesting_too_deep');
      assert.match(answer.body.error.param, /^additional_data\./);
    }
  });
});
