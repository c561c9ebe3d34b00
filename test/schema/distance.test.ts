/** How unlike words are, counted no further than anyone asks. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { distance } from '../../src/core/schema/search/spelling.ts';

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
