/** Draws examples of a property, and says which. */
import { it } from 'node:test';
import fc from 'fast-check';

it('draws', (context) => {
  context.diagnostic(`drew ${fc.sample(fc.nat(), 3).join(' ')}`);
});
