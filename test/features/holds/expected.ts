/** Expectations of holds that tests of the whole service check. */
import type { Expected } from '../../support/expected.ts';
import { AT, of, RECORD, wide } from '../../support/largest.ts';

export const expected: Expected = {
  lists: {
    list_holds: {
      ...{ table: 'hold', count: 60 },
      entry: {
        ...{ ...RECORD, matter: wide(200), reason: wide(1_000), released_because: wide(1_000) },
        ...{ placed_by: of('key_'), above: [], released_at: AT, inserted_at: AT },
      },
    },
  },
};
