/** Something that was done, as the log of requests counts it. */
import type { CountKey } from '../../src/services/requests/recorder.ts';

export const done: CountKey = {
  account: 'acct_1',
  key: 'key_1',
  anchor: 'loc_1',
  resource: 'event',
  outcome: 'created',
};
