/** Expectations of expectations that tests of the whole service check. */
import type { Expected } from '../../support/expected.ts';
import { AT, many } from '../../support/largest.ts';

export const expected: Expected = {
  lists: {
    list_expectations: {
      ...{ table: 'expectation', count: 1_100 },
      entry: {
        ...{ hours: `mon${' '.repeat(1_990)}8-18`, every: 'hour', silent_after: 3, since: AT },
        closed_days: many(100, '2026-11-27').join(', '),
        ...{ status: 'confirmed', state: 'new', inserted_at: AT, updated_at: AT },
      },
    },
  },
};
