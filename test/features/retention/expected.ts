/** Expectations of retention that tests of the whole service check. */
import type { Expected } from '../../support/expected.ts';
import { AT, of, wide } from '../../support/largest.ts';

/** The first that is listed. */
const RULE = `ret_${'0'.repeat(22)}`;

export const expected: Expected = {
  lists: {
    list_retention_rules: {
      ...{ table: 'retention_rule', count: 60 },
      entry: {
        ...{ resource: 'event', after_days: 400, since: 'inserted_at', basis: wide(500) },
        ...{ unless: { event_name: wide(450) }, status: 'paused', made_by: of('key_') },
        ...{ revision: 1, inserted_at: AT, updated_at: AT },
      },
    },
    list_retention_runs: {
      ...{ table: 'retention_run', count: 60, path: `/v1/retention_rules/${RULE}/runs` },
      entry: {
        ...{ rule: RULE, status: 'done', expected: 1, goes: 1, removed: 1, held: 0 },
        ...{ spared: 0, soon: 0, began_at: AT, ended_at: AT, enabled_at: AT },
      },
    },
  },
};
