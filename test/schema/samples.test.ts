/** Fields read what people really send: of each kind more than the samples of its declaration. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fields from '../../src/core/schema/fields/index.ts';
import type { Kind } from '../../src/core/schema/fields/kind.ts';
import { readField } from '../support/kinds.ts';
import { pluck } from '../support/pluck.ts';

interface More {
  readonly kind: Kind<unknown>;
  /** What is kept of a text; or texts that are kept as they are. */
  readonly kept: Readonly<Record<string, string>> | readonly string[];
  readonly refused: Readonly<Record<string, readonly string[]>>;
}

const MORE: Readonly<Record<string, More>> = {
  'an E.164 number': {
    kind: fields.phone(),
    kept: ['+99999999'],
    refused: {
      phone_number_invalid: [
        ...['14155550123', '+1-415-555-0123', '+1234567', '+123456789012345'],
        ...['++14155550123', '+', '+1415555012a', '+14155550123 ', '\uff0b14155550123'],
        ...['tel:+14155550123', '+14155550123;ext=4', '0014155550123'],
      ],
    },
  },
  'a number on a reply card': {
    kind: fields.usPhone(),
    kept: Object.fromEntries(
      [
        ...['14155550123', '415 555 0123', '(415)555-0123', '1-415-555-0123'],
        ...['+1.415.555.0123', ' 415-555-0123 ', '4-1-5-5-5-5-0-1-2-3'],
      ].map((text) => [text, '+14155550123']),
    ),
    refused: {
      phone_number_invalid: [
        ...['415555012', '24155550123', '++14155550123', '1+4155550123', '+11 415 555 0123'],
        ...['415-555-0123, 415-555-0124', '415\u2013555\u20130123', '415\u00a0555\u00a00123'],
        ...['415\t555\t0123', '#4155550123', '415-CALL-NOW', '٤١٥٥٥٥٠١٢٣', '1', '----------'],
      ],
    },
  },
  'a moment': {
    kind: fields.datetime(),
    kept: {
      '2026-11-20T14:30Z': '2026-11-20T14:30:00Z',
      '2026-11-20T14:30:59.9Z': '2026-11-20T14:30:59Z',
      '2026-11-20T20:15:00+0545': '2026-11-20T14:30:00Z',
      '2026-11-20T14:30:00-00:00': '2026-11-20T14:30:00Z',
      '2026-12-31T23:30:00-01:00': '2027-01-01T00:30:00Z',
      '2024-03-01T00:30:00+01:00': '2024-02-29T23:30:00Z',
      '2026-11-20T14:30:00-23:59': '2026-11-21T14:29:00Z',
      '0001-01-01T00:00:00-01:00': '0001-01-01T01:00:00Z',
      '9999-12-31T23:59:59.999+00:01': '9999-12-31T23:58:59Z',
      '1969-12-31T23:59:59.5Z': '1969-12-31T23:59:59Z',
    },
    refused: {
      datetime_invalid: [
        ...['14:30:00Z', '2026-11-20T14Z', '20261120T143000Z', '2026-W47-5T14:30:00Z'],
        ...['26-11-20T14:30:00Z', '11/20/2026 2:30 PM', '2026-11-20T14:60:00Z'],
        ...['2026-12-31T23:59:60Z', '2026-11-20T14:30:00,5Z', '2026-11-20T14:30:00.Z'],
        ...['2026-11-20T14:30:00+05:60', '2026-11-20T14:30:00+05:3'],
        ...['2026-11-20T14:30:00 Z', '2026-11-20T14:30:00EST', '2026-11-20T14:30:00[UTC]'],
        ...[' 2026-11-20T14:30:00Z', '2026-11-20T14:30:00Z\n', '2026-11-31T00:00:00Z'],
        ...['1900-02-29T00:00:00Z', '2026-00-01T00:00:00Z', '+002026-11-20T14:30:00Z'],
        ...['10000-01-01T00:00:00Z', '٢٠٢٦-11-20T14:30:00Z', '1795185000'],
      ],
      datetime_offset_missing: ['2026-11-20T14:30:00.123'],
    },
  },
  'a day of the past': {
    kind: fields.date({ past: true }),
    kept: ['2026-04-30', new Date().toISOString().slice(0, 10)],
    refused: {
      date_in_future: [new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)],
      date_not_real: ['2100-02-29', '2026-01-00', '2026-01-32'],
      date_invalid: [
        ...['10000-01-01', '-0001-01-01', '26-01-01', '20260101', '2026/01/01'],
        ...['2026-01', ' 2026-01-01', '2026-01-01 ', '٢٠٢٦-01-01', 'May 1st'],
      ],
    },
  },
  'a currency': {
    kind: fields.choice('USD'),
    kept: [],
    refused: { choice_invalid: [' USD', 'USD ', 'US$', 'USD\n', '\uff35\uff33\uff24'] },
  },
  'an image': {
    kind: fields.jpgUrl(),
    kept: [
      ...['https://a.example/1.jpeg#top', 'https://a.example/1.jpg?file=x.png'],
      ...['https://a.example/1.jpg#x.pdf', 'https://a.example'],
      ...['https://a.example/x.png/1.jpg', 'https://a.example/a%20b.jpg'],
      ...['https://a.example/../b/./c.jpg', 'https://[2001:db8::1]/1.jpg'],
    ],
    refused: {
      image_url_invalid: [
        ...['gif', 'webp', 'tif', 'tiff', 'bmp', 'heic', 'svg', 'PdF', 'avif'].map(
          (type) => `https://a.example/1.${type}`,
        ),
        ...['https://a.example/1.jpg.png', 'https://a.example/1.png?x=1.jpg', '1.jpg'],
        ...['a.example/1.jpg', 'https:/a.example/1.jpg', 'file:///1.jpg'],
        ...['javascript:alert(1)//.jpg', 'blob:https://a.example/1.jpg'],
        ...['https://a.example/1.jpg ', 'https://a.example/1.jpg\n'],
        ...['https://a.example:x/1.jpg', 'https:\\\\a.example\\1.jpg', 'https://[::1/1.jpg'],
      ],
    },
  },
};

const codesOf = (kind: Kind<unknown>, token: string) =>
  pluck(readField(kind, token).faults, 'code');

for (const [name, { kind, kept, refused }] of Object.entries(MORE)) {
  describe(name, () => {
    const all = Array.isArray(kept) ? kept.map((text) => [text, text]) : Object.entries(kept);
    it('is kept as it is, or in one spelling', () => {
      for (const [sent, stored] of all)
        assert.deepEqual([sent, readField(kind, JSON.stringify(sent)).read], [sent, stored]);
    });
    it('is nothing else', () => {
      for (const [code, texts] of Object.entries(refused))
        for (const text of texts)
          assert.deepEqual([text, ...codesOf(kind, JSON.stringify(text))], [text, code]);
    });
  });
}

describe('a whole number', () => {
  const kind = fields.wholeNumber();
  for (const [token, value] of [
    ['-0.0', 0],
    ['0e99999', 0],
    ['1E+2', 100],
    ['100.00e0', 100],
    ['1500e-2', 15],
    ['9.007199254740991e15', 9007199254740991],
    ['90071992547409910e-1', 9007199254740991],
  ] as const)
    it(`is ${token}`, () => assert.equal(readField(kind, token).read, value));
  for (const token of [
    ...['-1e2', '1e16', '-1e400', '1e-400', '100.0000000000000000001'],
    ...['9007199254740991.4', '0.99999999999999999999', '123456789012345678901234567890'],
  ])
    it(`is not ${token}`, () => {
      assert.match(codesOf(kind, token)[0] ?? '', /^number_(not_whole|out_of_range)$/);
    });
});
