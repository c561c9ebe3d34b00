/** An expectation, for stores with something of everything. */
import type { Store, StoredRecord } from '../../../src/store/promises/store.ts';

export async function fill(
  { expectations }: Store,
  { account, unique_identifier: location }: StoredRecord,
): Promise<void> {
  await expectations.put({
    ...{ account, source: 'src_1', location, hours: 'mon-fri 8-18' },
    ...{ every: 'hour', silent_after: 3, closed_days: '12-25', status: 'confirmed' },
    ...{ learned_days: null, kept_days: null, state: 'new', since: 5, silent_since: null },
    ...{ last_at: null, refused_at: null, refusal: null, inserted_at: 5, updated_at: 5 },
  });
}
