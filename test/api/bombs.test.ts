/** A megabyte of anything gets a clean 4xx, at a cost that grows no faster than its size. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ALL } from '../support/all.ts';
import type { Answer, Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();
const on = 'online_arrangements';
const UPSERT = `/v1/${on}/upsert`;
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';

describe('a megabyte of anything', () => {
  const SIZE = ALL ? 1_048_576 : 524_288;
  /** Fills up to so many bytes with a piece between two ends. */
  const filled = (
    size: number,
    start: string,
    piece: string | ((index: number) => string),
    end: string,
  ): string => {
    const parts = [start];
    let left = size - Buffer.byteLength(start) - Buffer.byteLength(end);
    for (let index = 0; ; index += 1) {
      const next = typeof piece === 'string' ? piece : piece(index);
      left -= Buffer.byteLength(next);
      if (left < 0) break;
      parts.push(next);
    }
    return parts.join('') + end;
  };
  const data = '{"additional_data":{"x":';
  const bombs: readonly (readonly [rule: string, type: string, make: (size: number) => string])[] =
    [
      ['opening brackets', JSON_TYPE, (size) => '['.repeat(size)],
      ['opening braces', JSON_TYPE, (size) => filled(size, '', '{"a":', '')],
      [
        'brackets that close again',
        JSON_TYPE,
        (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
      ],
      [
        'nesting inside free-form content',
        JSON_TYPE,
        (size) => data + filled(size - 30, '', '{"a":', ''),
      ],
      ['flat objects', JSON_TYPE, (size) => filled(size, `${data}[1`, ',{}', ']}}')],
      [
        'objects up to 32 levels',
        JSON_TYPE,
        (size) => filled(size, `${data}[1`, `,${'['.repeat(28)}${']'.repeat(28)}`, ']}}'),
      ],
      [
        'unknown fields',
        JSON_TYPE,
        (size) => filled(size, '{"a":1', (index) => `,"k${index}":1`, '}'),
      ],
      [
        'unknown fields that are nearly known',
        JSON_TYPE,
        (size) => filled(size, '{"a":1', (index) => `,"person_full_nam${index}":1`, '}'),
      ],
      [
        'unknown members of a documented object',
        JSON_TYPE,
        (size) =>
          filled(
            size,
            '{"additional_person_metadata":{"a":1',
            (index) => `,"gende${index}":1`,
            '}}',
          ),
      ],
      [
        'members of free-form content',
        JSON_TYPE,
        (size) => filled(size, `${data}{"a":1`, (index) => `,"k${index}":1`, '}}}'),
      ],
      ['one key, repeated', JSON_TYPE, (size) => filled(size, '{"a":1', ',"a":1', '}')],
      [
        'many keys, each repeated',
        JSON_TYPE,
        (size) => filled(size, '{"a":1', (index) => `,"k${index >> 1}":1`, '}'),
      ],
      [
        'repeated keys in many objects',
        JSON_TYPE,
        (size) => filled(size, `${data}[1`, ',{"a":1,"a":1}', ']}}'),
      ],
      [
        'keys that collide in naive hashes',
        JSON_TYPE,
        (size) =>
          filled(
            size,
            `${data}{"a":1`,
            (index) =>
              `,"${index.toString(2).padStart(20, '0').replaceAll('0', 'Aa').replaceAll('1', 'BB')}":1`,
            '}}}',
          ),
      ],
      [
        'keys that are indices',
        JSON_TYPE,
        (size) => filled(size, `${data}{"a":1`, (index) => `,"${index * 7919}":1`, '}}}'),
      ],
      ['one long key', JSON_TYPE, (size) => filled(size, '{"', 'k', '":1}')],
      ['one long text', JSON_TYPE, (size) => filled(size, '{"cart_summary":"', 'x', '"}')],
      [
        'one long external_identifier',
        JSON_TYPE,
        (size) => filled(size, '{"external_identifier":"', 'x', '"}'),
      ],
      ['a long blank', JSON_TYPE, (size) => filled(size, '{"cart_summary":"', '\u3000', '"}')],
      ['a long phone', JSON_TYPE, (size) => filled(size, '{"person_phone_number":"+1', '5', '"}')],
      [
        'a long phone of punctuation',
        JSON_TYPE,
        (size) => filled(size, '{"person_phone_number":"', '(-) ', '"}'),
      ],
      ['escapes', JSON_TYPE, (size) => filled(size, '{"cart_summary":"', '\\u0041', '"}')],
      ['escaped backslashes', JSON_TYPE, (size) => filled(size, '{"cart_summary":"', '\\\\', '"}')],
      ['NUL characters', JSON_TYPE, (size) => filled(size, `${data}["x"`, ',"\\u0000"', ']}}')],
      [
        'lone surrogates as keys',
        JSON_TYPE,
        (size) => filled(size, `${data}{"a":1`, (index) => `,"\\ud800${index}":1`, '}}}'),
      ],
      ['white space', JSON_TYPE, (size) => filled(size, '', ' ', '{}')],
      ['white space without an end', JSON_TYPE, (size) => ' '.repeat(size)],
      ['digits', JSON_TYPE, (size) => filled(size, `${data}`, '9', '}}')],
      ['digits behind a point', JSON_TYPE, (size) => filled(size, `${data}0.`, '9', '}}')],
      ['zeros and a one', JSON_TYPE, (size) => filled(size, `${data}0.`, '0', '1}}')],
      ['zeros that are not at the end', JSON_TYPE, (size) => filled(size, `${data}1`, '0', '.5}}')],
      ['digits of an exponent', JSON_TYPE, (size) => filled(size, `${data}1e`, '9', '}}')],
      ['numbers out of range', JSON_TYPE, (size) => filled(size, `${data}[1`, ',1e9999', ']}}')],
      [
        'numbers of a thousand digits',
        JSON_TYPE,
        (size) => filled(size, `${data}[1`, `,${'9'.repeat(1000)}`, ']}}'),
      ],
      [
        'numbers that no double holds',
        JSON_TYPE,
        (size) => filled(size, `${data}[1`, ',1e400', ']}}'),
      ],
      ['minuses', JSON_TYPE, (size) => filled(size, data, '-', '}}')],
      ['quotes', JSON_TYPE, (size) => '"'.repeat(size)],
      ['backslashes', JSON_TYPE, (size) => `"${'\\'.repeat(size - 1)}`],
      ['NUL bytes', JSON_TYPE, (size) => '\0'.repeat(size)],
      [
        'image URLs',
        JSON_TYPE,
        (size) => filled(size, '{"image_urls":["x"', ',"https://a.example/1.png"', ']}'),
      ],
      [
        'metadata that is no text',
        JSON_TYPE,
        (size) => filled(size, '{"additional_metadata":{"a":1', (index) => `,"k${index}":1`, '}}'),
      ],
      ['ampersands', FORM, (size) => '&'.repeat(size)],
      ['equals signs', FORM, (size) => '='.repeat(size)],
      ['percent signs', FORM, (size) => '%'.repeat(size)],
      ['escapes of nothing', FORM, (size) => filled(size, 'a=', '%00', '')],
      ['pluses', FORM, (size) => '+'.repeat(size)],
      ['names without values', FORM, (size) => filled(size, '', (index) => `k${index}&`, '')],
      [
        'unknown names',
        FORM,
        (size) => filled(size, '', (index) => `person_full_nam${index}=1&`, ''),
      ],
      ['one name, repeated', FORM, (size) => filled(size, '', 'cart_summary=1&', '')],
      ['one long name', FORM, (size) => 'a'.repeat(size)],
      ['opening brackets in a name', FORM, (size) => `a${'['.repeat(size - 1)}`],
      ['brackets in a name', FORM, (size) => filled(size, 'additional_data', '[a]', '=1')],
      ['empty brackets in a name', FORM, (size) => filled(size, 'additional_data', '[]', '=1')],
      [
        'names that nest',
        FORM,
        (size) =>
          filled(size, '', (index) => `additional_data${'[a]'.repeat(30)}[${index}]=1&`, ''),
      ],
      [
        'names that nest too deeply',
        FORM,
        (size) => filled(size, '', `additional_data${'[a]'.repeat(40)}=1&`, ''),
      ],
      ['elements', FORM, (size) => filled(size, '', 'image_urls[]=x&', '')],
      [
        'elements of free-form content',
        FORM,
        (size) => filled(size, '', 'additional_data[a][]=x&', ''),
      ],
      [
        'indices, last first',
        FORM,
        (size) => filled(size, '', (index) => `image_urls[${99_999 - index}]=x&`, ''),
      ],
      [
        'indices far apart',
        FORM,
        (size) => filled(size, '', (index) => `additional_data[a][${index * 65_537}]=x&`, ''),
      ],
      [
        'huge indices',
        FORM,
        (size) => filled(size, '', (index) => `image_urls[${'9'.repeat(300)}${index}]=x&`, ''),
      ],
      [
        'texts and objects in turn',
        FORM,
        (size) =>
          filled(
            size,
            '',
            (index) => (index % 2 ? 'additional_data[a]=1&' : 'additional_data[a][b]=1&'),
            '',
          ),
      ],
      ['malformed names', FORM, (size) => filled(size, '', (index) => `a[${index}=1&`, '')],
      [
        'malformed percent-encoding',
        FORM,
        (size) => filled(size, '', (index) => `k${index}=%zz&`, ''),
      ],
      ['what is not UTF-8', FORM, (size) => filled(size, '', (index) => `k${index}=%ff&`, '')],
      [
        'odd names',
        FORM,
        (size) => filled(size, '', (index) => `additional_data[__proto__][k${index}]=1&`, ''),
      ],
    ];

  const timed = async (
    body: string,
    type: string,
    path: string,
  ): Promise<{ answer: Answer; ms: number }> => {
    const start = performance.now();
    const answer = await stage.service.send('POST', path, {
      body,
      headers: { 'Content-Type': type },
    });
    return { answer, ms: performance.now() - start };
  };

  for (const [rule, type, make] of bombs) {
    it(`${rule}: a clean 4xx, four times the size for about four times the cost`, async () => {
      const path = /image_urls|additional_metadata/.test(make(500))
        ? '/v1/direct_mail_replies/upsert'
        : UPSERT;
      const quarter = make(SIZE / 4);
      const whole = make(SIZE);
      assert.ok(Buffer.byteLength(whole) <= SIZE && Buffer.byteLength(whole) > SIZE * 0.98);
      let small = await timed(quarter, type, path);
      let large = await timed(whole, type, path);
      for (const { answer } of [small, large]) {
        assert.ok(
          answer.status >= 400 && answer.status < 500,
          `${answer.status} ${answer.text.slice(0, 300)}`,
        );
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
