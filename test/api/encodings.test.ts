/** Which bodies are taken, in which encodings and of which size (decisions, "Requests": Encodings, Types, Duplicate keys, Sizes). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { examples, formOf } from '../support/bodies.ts';
import { faultsOf, play } from '../support/scenario.ts';
import { locationBody } from '../support/sent.ts';
import type { Answer, Body } from '../support/service.ts';
import { exchange, rawRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const stage = world();
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const LOCATIONS = '/v1/locations/upsert';

const location = (as: string): Body => locationBody(stage.parents.account, as);
const post = (body: string | Uint8Array, type: string, more: object = {}): Promise<Answer> =>
  stage.service.send('POST', LOCATIONS, { body, headers: { 'Content-Type': type, ...more } });

describe('encodings', () => {
  const taken: readonly (readonly [string, (body: Body) => string, ...types: string[]])[] = [
    [
      ...(['JSON', JSON.stringify, JSON_TYPE, `${JSON_TYPE}; charset=utf-8`] as const),
      ...[`${JSON_TYPE};charset=UTF-8`, `${JSON_TYPE}; charset="utf-8"`, 'Application/JSON'],
    ],
    ['a form', formOf, FORM, `${FORM}; charset=utf-8`, `${FORM};charset=UTF-8`, FORM.toUpperCase()],
  ];
  for (const [what, make, ...types] of taken)
    for (const type of types)
      it(`${type} is ${what}`, async () => {
        const answer = await post(make(location(type)), type);
        assert.equal(answer.status, 200, answer.text);
      });

  it('no Content-Type with a body means form, for every upsert', async () => {
    for (const { path } of examples) {
      const body = formOf(JSON.parse(stage.text(path, {}, 'untyped')));
      const answer = await stage.service.send('POST', `/v1/${path}/upsert`, { body });
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

  const others = 'xml json5 jsonp vnd.api+json merge-patch+json octet-stream'.split(' ');
  for (const type of [
    ...['text/plain', 'text/json', ...others.map((name) => `application/${name}`)],
    ...['multipart/form-data; boundary=x', '*/*', 'json'],
    ...['iso-8859-1', 'utf-16', '"windows-1252"'].map((name) => `${JSON_TYPE}; charset=${name}`),
    ...['iso-8859-1', 'windows-1252'].map((name) => `${FORM}; charset=${name}`),
  ]) {
    it(`${type} is 415`, async () => {
      for (const body of [JSON.stringify(location('refused')), formOf(location('refused'))]) {
        const answer = await post(body, type);
        assert.equal(answer.status, 415);
        assert.equal(answer.body.error.type, 'invalid_request_error');
        assert.match(answer.body.error.message, /application\/json.*x-www-form-urlencoded/);
      }
    });
  }

  for (const coding of ['gzip', 'deflate', 'br', 'zstd', 'x-gzip', 'gzip, identity']) {
    it(`Content-Encoding: ${coding} is 415`, async () => {
      const zipped = gzipSync(JSON.stringify(location('zipped')));
      const answer = await post(zipped, JSON_TYPE, { 'Content-Encoding': coding });
      assert.equal(answer.status, 415);
      assert.match(answer.body.error.message, /Content-Encoding|[Cc]ompress/);
    });
  }

  it('a JSON body that is called a form is refused, and the other way round', async () => {
    const asForm = await post(JSON.stringify(location('x')), FORM);
    assert.equal(asForm.status, 400);
    const asJson = await post(formOf(location('x')), JSON_TYPE);
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
    rawRequest(stage.service, `POST ${LOCATIONS}`, { 'Content-Type': JSON_TYPE, ...headers });

  const inChunks = (as: string, bytes: number) =>
    exchange(stage.service.url, [
      head({ 'Transfer-Encoding': 'chunked' }),
      ...chunked(padded(as, bytes)),
    ]);

  it('exactly 1 MiB is taken, with its length and in chunks', async () => {
    const answer = await post(padded('a', MIB), JSON_TYPE);
    assert.equal(answer.status, 200, answer.text);
    const [raw] = await inChunks('b', MIB);
    assert.equal(raw?.status, 200);
  });

  it('one byte more is 413, with its length and in chunks, and nothing is written', async () => {
    const length = head({ 'Content-Length': `${MIB + 1}` });
    const [told] = await exchange(stage.service.url, [length, padded('c', MIB + 1)]);
    const [found] = await inChunks('d', MIB + 1);
    for (const answer of [told, found])
      assert.deepEqual([answer?.status, answer?.body.error.code], [413, 'body_too_large']);
    assert.match(told?.body.error.message, /1,?048,?576|1 MiB/);
    for (const as of ['c', 'd']) {
      const answer = await stage.service.json(LOCATIONS, location(as));
      assert.equal(answer.headers.get('ledgerstone-outcome'), 'created');
    }
  });

  it('an ordinary client that sends far more reads its 413', async () => {
    for (const bytes of [MIB + 1, 4 * MIB]) {
      const answer = await post(padded('e', bytes), JSON_TYPE);
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
    const start = head({ Expect: '100-continue', 'Content-Length': `${body.length}` });
    const [answer] = await exchange(stage.service.url, [start, body], { pause: 50 });
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
  play(stage, on, [
    ...Object.entries({ objects, arrays }).flatMap(([what, make]) => [
      {
        ...{ rule: `32 levels of ${what}`, json: data(make(30)) },
        gives: { additional_data: { x: JSON.parse(make(30)) } },
      },
      { rule: `33 levels of ${what}`, json: data(make(31)), status: 400, says: /32/ },
    ]),
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
