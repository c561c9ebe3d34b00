/** A megabyte of anything gets a clean 4xx, at a cost that grows no faster than its size. */
// needs: --ci, both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL } from '../support/all.ts';
import type { Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();
const on = 'online_arrangements';
const UPSERT = `/v1/${on}/upsert`;

/** What fills a body between two ends: a text, or what it is at each position. Or the whole body of that size. */
type Bomb =
  | readonly [start: string, piece: string | ((at: number) => string), end?: string]
  | ((size: number) => string);

const DATA = '{"additional_data":{"x":';
const PERSON = '{"additional_person_metadata":';
const SUMMARY = '{"cart_summary":"';
const PHONE = '{"person_phone_number":"';
const hashed = (at: number): string =>
  at.toString(2).padStart(20, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB');

const JSON_BOMBS: Readonly<Record<string, Bomb>> = {
  'opening brackets': ['', '['],
  'brackets that close again': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'opening braces': ['', '{"a":'],
  'nesting inside free-form content': [DATA, '{"a":'],
  'flat objects': [`${DATA}[1`, ',{}', ']}}'],
  'objects up to 32 levels': [`${DATA}[1`, `,${'['.repeat(28)}${']'.repeat(28)}`, ']}}'],
  'unknown fields': ['{"a":1', (at) => `,"k${at}":1`, '}'],
  'unknown fields without an end': ['{"a":1', (at) => `,"k${at}":1`],
  'unknown fields that are nearly known': ['{"a":1', (at) => `,"person_full_nam${at}":1`, '}'],
  'unknown members of a documented object': [`${PERSON}{"a":1`, (at) => `,"gende${at}":1`, '}}'],
  'members of free-form content': [`${DATA}{"a":1`, (at) => `,"k${at}":1`, '}}}'],
  'one key, repeated': ['{"a":1', ',"a":1', '}'],
  'many keys, each repeated': ['{"a":1', (at) => `,"k${at >> 1}":1`, '}'],
  'repeated keys in many objects': [`${DATA}[1`, ',{"a":1,"a":1}', ']}}'],
  'a repeated key far down a long path': [`{"${'k'.repeat(480)}":[1`, ',{"a":1,"a":1}', ']}'],
  'keys that collide in naive hashes': [`${DATA}{"a":1`, (at) => `,"${hashed(at)}":1`, '}}}'],
  'keys that are indices': [`${DATA}{"a":1`, (at) => `,"${at * 7919}":1`, '}}}'],
  'one long key': ['{"', 'k', '":1}'],
  'one long text': [SUMMARY, 'x', '"}'],
  'one long external_identifier': ['{"external_identifier":"', 'x', '"}'],
  'a long blank': [SUMMARY, '\u3000', '"}'],
  'a long phone': [`${PHONE}+1`, '5', '"}'],
  'a long phone of punctuation': [PHONE, '(-) ', '"}'],
  escapes: [SUMMARY, '\\u0041', '"}'],
  'escaped backslashes': [SUMMARY, '\\\\', '"}'],
  'NUL characters': [`${DATA}["x"`, ',"\\u0000"', ']}}'],
  'lone surrogates as keys': [`${DATA}{"a":1`, (at) => `,"\\ud800${at}":1`, '}}}'],
  'white space': ['', ' ', '{}'],
  'white space without an end': ['', ' '],
  digits: [DATA, '9', '}}'],
  'digits behind a point': [`${DATA}0.`, '9', '}}'],
  'zeros and a one': [`${DATA}0.`, '0', '1}}'],
  'zeros that are not at the end': [`${DATA}1`, '0', '.5}}'],
  'digits of an exponent': [`${DATA}1e`, '9', '}}'],
  'numbers out of range': [`${DATA}[1`, ',1e9999', ']}}'],
  'numbers of a thousand digits': [`${DATA}[1`, `,${'9'.repeat(1000)}`, ']}}'],
  'numbers that no double holds': [`${DATA}[1`, ',1e400', ']}}'],
  minuses: [DATA, '-', '}}'],
  quotes: ['', '"'],
  backslashes: ['"', '\\'],
  'NUL bytes': ['', '\0'],
  'image URLs': ['{"image_urls":["x"', ',"https://a.example/1.png"', ']}'],
  'metadata that is no text': ['{"additional_metadata":{"a":1', (at) => `,"k${at}":1`, '}}'],
};

const FORM_BOMBS: Readonly<Record<string, Bomb>> = {
  ampersands: ['', '&'],
  'equals signs': ['', '='],
  'percent signs': ['', '%'],
  'escapes of nothing': ['a=', '%00'],
  'a late byte that is not UTF-8': ['a=', '%41', '%ff'],
  pluses: ['', '+'],
  'names without values': ['', (at) => `k${at}&`],
  'unknown names': ['', (at) => `person_full_nam${at}=1&`],
  'one name, repeated': ['', 'cart_summary=1&'],
  'one long name': ['', 'a'],
  'a long name, repeated': ['', `${'k'.repeat(480)}=&`],
  'opening brackets in a name': ['a', '['],
  'brackets in a name': ['additional_data', '[a]', '=1'],
  'empty brackets in a name': ['additional_data', '[]', '=1'],
  'names that nest': ['', (at) => `additional_data${'[a]'.repeat(30)}[${at}]=1&`],
  'names that nest, repeated': ['', (at) => `additional_data${'[a]'.repeat(4)}[${at % 10}]=&`],
  'names that nest too deeply': ['', `additional_data${'[a]'.repeat(40)}=1&`],
  elements: ['', 'image_urls[]=x&'],
  'elements of free-form content': ['', 'additional_data[a][]=x&'],
  'indices, last first': ['', (at) => `image_urls[${99_999 - at}]=x&`],
  'indices far apart': ['', (at) => `additional_data[a][${at * 65_537}]=x&`],
  'many gaps': ['', (at) => `additional_data[x${at}][5]=&`],
  'huge indices': ['', (at) => `image_urls[${'9'.repeat(300)}${at}]=x&`],
  'texts and objects in turn': ['', (at) => `additional_data[a]${at % 2 ? '' : '[b]'}=1&`],
  'malformed names': ['', (at) => `a[${at}=1&`],
  'malformed percent-encoding': ['', (at) => `k${at}=%zz&`],
  'what is not UTF-8': ['', (at) => `k${at}=%ff&`],
  'odd names': ['', (at) => `additional_data[__proto__][k${at}]=1&`],
};

/** A bomb of so many bytes, or little less. */
function filled(bomb: Bomb, size: number): string {
  if (typeof bomb === 'function') return bomb(size);
  const [start, piece, end = ''] = bomb;
  const parts = [start];
  let left = size - Buffer.byteLength(start) - Buffer.byteLength(end);
  for (let at = 0; ; at += 1) {
    const next = typeof piece === 'string' ? piece : piece(at);
    left -= Buffer.byteLength(next);
    if (left < 0) return parts.join('') + end;
    parts.push(next);
  }
}

describe('a megabyte of anything', () => {
  const SIZE = ALL ? 1_048_576 : 524_288;
  const BOMBS = { 'application/json': JSON_BOMBS, 'application/x-www-form-urlencoded': FORM_BOMBS };
  const timed = async (body: string, type: string, path: string) => {
    const start = performance.now();
    const headers = { 'Content-Type': type };
    const answer = await stage.service.send('POST', path, { body, headers });
    return { answer, ms: performance.now() - start };
  };

  const all = Object.entries(BOMBS).flatMap(([type, bombs]) =>
    Object.entries(bombs).map(([rule, bomb]) => ({ type, rule, bomb })),
  );
  for (const { type, rule, bomb } of all) {
    it(`${rule}: a clean 4xx, four times the size for about four times the cost`, async () => {
      const path = /image_urls|additional_metadata/.test(filled(bomb, 500))
        ? '/v1/direct_mail_replies/upsert'
        : UPSERT;
      const quarter = filled(bomb, SIZE / 4);
      const whole = filled(bomb, SIZE);
      assert.ok(Buffer.byteLength(whole) <= SIZE && Buffer.byteLength(whole) > SIZE * 0.98);
      let small = await timed(quarter, type, path);
      let large = await timed(whole, type, path);
      for (const { answer } of [small, large]) {
        const why = `${answer.status} ${answer.text.slice(0, 300)}`;
        assert.ok(answer.status >= 400 && answer.status < 500, why);
        assert.equal(answer.body.error.type, 'invalid_request_error');
        assert.ok(answer.body.error.errors.length <= 100);
        assert.ok(answer.text.length < 200_000, String(answer.text.length));
      }
      // The square would be sixteen times. What a busy machine adds is forgiven, and tried again.
      const tooSlow = (): boolean => large.ms > 10 * small.ms + 150;
      for (let tries = 0; tries < 3 && tooSlow(); tries += 1) {
        small = await timed(quarter, type, path);
        large = await timed(whole, type, path);
      }
      assert.ok(!tooSlow(), `${small.ms} ms for a quarter, ${large.ms} ms for the whole`);
    });
  }

  it('the service answers as before', async () => {
    assert.equal((await stage.upsert(on)).status, 200);
  });

  it('a merge of the largest contents, again and again', async () => {
    const many = (prefix: string): Body =>
      Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`${prefix}${index}`, index]));
    const first = await stage.upsert(on, { json: { additional_data: many('a') }, as: 'large' });
    assert.equal(first.status, 200, first.text.slice(0, 200));
    const second = await stage.upsert(on, { json: { additional_data: many('a') }, as: 'large' });
    assert.equal(second.headers.get('ledgerstone-outcome'), 'unchanged');
  });
});
