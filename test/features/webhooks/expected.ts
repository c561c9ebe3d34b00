/** Expectations of webhooks that tests of the whole service check. */
import type { Expected } from '../../support/expected.ts';
import { AT, of, RECORD, wide } from '../../support/largest.ts';

export const expected: Expected = {
  alike: { all: ['page.nav.webhooks'] },
  lists: {
    list_webhook_endpoints: 'walked beside the others, in test/api/every-list-bounded.test.ts',
    list_webhook_deliveries: {
      ...{ table: 'webhook_delivery', count: 1_100 },
      path: `/v1/webhook_endpoints/${of('whk_')}/deliveries`,
      entry: {
        ...{ endpoint: of('whk_'), position: 1, place: 0, record: RECORD.record },
        ...{ type: 'event.created', status: 'delivered', attempts: 1, error: wide(100) },
        ...{ inserted_at: AT, updated_at: AT },
      },
    },
  },
};
