/** Each field that search looks at has its own share of a record's index: what is long hides nothing but its own end. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { resources } from '../../src/core/registry.ts';
import {
  CUT,
  matchesOf,
  rangesOf,
  readSearchText,
  termsOf,
} from '../../src/core/schema/search/searching.ts';
import type { RecordShape, SearchedField } from '../../src/core/schema/shape.ts';
import type { JsonObject } from '../../src/core/schema/values.ts';

const NONE = { unique_identifier: 'none', external_identifier: null };
/** Index entries of PostgreSQL have room for 2,704 bytes, of which the account and the record take some. */
const MAX_TERM = 2_500;
const LONGEST = 2_000;

const counted = (make: (index: number) => string): string =>
  Array.from({ length: LONGEST }, (_, index) => make(index))
    .join(' ')
    .slice(0, LONGEST);

/** Texts that fill a field, each in its own way. */
const LARGEST = {
  'short words': counted((index) => index.toString(36)),
  'a service with its burial':
    'Funeral Mass at the Catholic Church of the Holy Name, followed by burial at Calvary Cemetery and a reception in the parish hall',
  'long words': counted((index) => `${index}`.padEnd(40, 'x')),
  'words after apostrophes': counted((index) => `d'${'abc'}${index.toString(36)}`),
  'letters of three bytes': counted((index) => `${String.fromCharCode(0x4e00 + index)}`.repeat(40)),
  'letters of four bytes': counted((index) => String.fromCodePoint(0x20000 + index).repeat(40)),
};

const written = ({ searched = [] }: RecordShape, as: SearchedField['as']) =>
  searched.filter((field) => field.as === as);

function documentOf(values: ReadonlyMap<SearchedField, string>): JsonObject {
  const document: JsonObject = {};
  for (const [{ path }, value] of values) {
    let at = document;
    for (const name of path.slice(0, -1)) {
      const below = (at[name] ?? {}) as JsonObject;
      at[name] = below;
      at = below;
    }
    at[path.at(-1) ?? ''] = value;
  }
  return document;
}

function isFound(shape: RecordShape, document: JsonObject, typed: string): boolean {
  const text = readSearchText(typed);
  const terms = termsOf(shape, document);
  const isIn = rangesOf(shape, text).some(({ whole }) =>
    whole.every(({ from, to, holding }) =>
      terms.some((term) => term >= from && term < to && holding.every((one) => term.includes(one))),
    ),
  );
  return isIn && matchesOf(shape, document, NONE, text).length > 0;
}

const SAMPLES = { words: 'Philomena Quackenbush', digits: '+14155550177', email: '' };

describe('The index of a record', () => {
  for (const { name, shape } of resources) {
    const fields = (shape.searched ?? []).filter(({ as }) => as !== 'email');
    for (const field of fields)
      for (const [what, long] of Object.entries(LARGEST))
        it(`finds ${name} by ${field.name}, whatever else is filled with ${what}`, () => {
          const value = SAMPLES[field.as];
          const others = written(shape, 'words').filter((one) => one !== field);
          const document = documentOf(
            new Map([...others.map((one) => [one, long] as const), [field, value]]),
          );
          for (const typed of [value, ...value.split(' '), value.split(' ').toReversed().join(' ')])
            assert.ok(isFound(shape, document, typed), typed);
          for (const term of termsOf(
            shape,
            documentOf(new Map(written(shape, 'words').map((one) => [one, long]))),
          ))
            assert.ok(Buffer.byteLength(term) <= MAX_TERM);
        });
  }

  it('finds each field by each of its first words, next to any other texts', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: LONGEST });
    for (const { shape } of resources) {
      const fields = written(shape, 'words');
      if (fields.length === 0) continue;
      fc.assert(
        fc.property(
          fc.array(texts, { minLength: fields.length, maxLength: fields.length }),
          (all) => {
            const document = documentOf(new Map(fields.map((one, at) => [one, all[at] ?? ''])));
            for (const text of all)
              for (const word of readSearchText(text.slice(0, 40)).words.slice(0, 6))
                assert.ok(isFound(shape, document, word), word);
          },
        ),
        { numRuns: 50 },
      );
    }
  });

  it('says of a record whether words are left out of it', () => {
    for (const { shape } of resources) {
      const fields = written(shape, 'words');
      const isCut = (value: string) =>
        termsOf(shape, documentOf(new Map(fields.map((one) => [one, value])))).some((term) =>
          term.startsWith(CUT),
        );
      assert.equal(isCut('Philomena Quackenbush'), false);
      if (fields.length > 0) assert.equal(isCut(LARGEST['a service with its burial']), true);
    }
  });
});
