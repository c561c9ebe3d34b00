/** Terms of names, what a query looks for among them, and how unlike words are. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  rangesOf,
  readSearchText,
  type TermRange,
  termsOf,
} from '../../src/core/schema/search/searching.ts';
import { distance } from '../../src/core/schema/search/spelling.ts';
import { visit } from '../support/store-shapes.ts';

const holds = (terms: readonly string[], { from, to, holding }: TermRange): boolean =>
  terms.some((term) => term >= from && term < to && holding.every((one) => term.includes(one)));

const termsOfName = (name: string) => termsOf(visit, { person: { name } });

describe('The terms of a name', () => {
  const cases: Record<string, readonly string[]> = {
    'James Smith': ['james smith', 'smith james', 'smith jam', 'james s'],
    'James K. Smith': ['james smith', 'smith james', 'james k smith', 'smith, james k', 'k smith'],
    'James Kenneth Smith': ['james k smith', 'kenneth smith', 'smith kenneth james'],
    'Maria de la Cruz': ['maria cruz', 'de la cruz', 'maria de la cruz', 'cruz maria'],
  };
  for (const [name, queries] of Object.entries(cases)) {
    for (const query of queries) {
      it(`${query}: ${name} is among what begins with two of the words`, () => {
        const [ranges] = rangesOf(visit, readSearchText(query));
        assert.ok(ranges?.likely.some((range) => holds(termsOfName(name), range)));
      });
    }
  }

  it('stand in every range that is looked through to its end', () => {
    for (const [name, queries] of Object.entries(cases)) {
      for (const query of [...queries, 'smi jam', 'cru mar', 'd l c m']) {
        const words = readSearchText(query).words;
        const parts = readSearchText(name).words;
        const meets = words.every((word) => parts.some((part) => part.startsWith(word)));
        for (const range of rangesOf(visit, readSearchText(query))[0]?.whole ?? []) {
          assert.equal(holds(termsOfName(name), range), meets, `${name}: ${query}`);
        }
      }
    }
  });
});

const words = fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 9 });

it('a distance that is bounded is the same up to its bound, and above it beyond', () => {
  assert.equal(distance('event_nmae', 'event_name'), 1);
  fc.assert(
    fc.property(words, words, fc.nat(6), (one, other, most) => {
      const exact = distance(one, other);
      const bounded = distance(one, other, most);
      assert.equal(Math.min(bounded, most + 1), Math.min(exact, most + 1));
    }),
    { numRuns: 2_000 },
  );
});
