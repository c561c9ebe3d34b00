/** A follow-up for stores with something of everything. */
import type { FollowUp } from '../../../src/features/follow-up/declares.ts';
import { opened } from '../../../src/features/follow-up/serves/acts.ts';
import type { Store, StoredRecord } from '../../../src/store/promises/store.ts';

/** As one is opened. */
export function openedOf(account: string, more: Partial<FollowUp> = {}): FollowUp {
  return opened(5, {
    ...{ unique_identifier: 'fup_1', account, location: 'loc_1', resource: 'direct_mail_reply' },
    ...{ record: 'dmr_1', reason: 'asked_for_call', due_at: 50, position: 1 },
    ...more,
  });
}

export async function fill(
  { followUp: book }: Store,
  { account, unique_identifier: location }: StoredRecord,
): Promise<void> {
  await book.begin(account);
  await book.open(openedOf(account, { unique_identifier: book.newIdentifier(), location }), []);
  const place = await book.reader(account);
  const tick = { account, name: 'Home phone', folded: 'home phone', record: 'dmr_1', counted: 1 };
  if (place) await book.read(place, place, [book.noting(tick, 5)]);
}
