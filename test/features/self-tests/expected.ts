/** Expectations of self-tests that tests of the whole service check. */
import type { Expected } from '../../support/expected.ts';
import { AT, of } from '../../support/largest.ts';

export const expected: Expected = {
  lists: {
    list_self_tests: {
      ...{ table: 'self_test', count: 120 },
      entry: { key: of('key_'), inserted_at: AT, expires_at: AT },
    },
  },
};
