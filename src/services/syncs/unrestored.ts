/** Tells what the undoing of a sync cannot bring back, as the sync names it. */
import type { RestoredRemoval, UnrestoredRecord } from '../../core/objects/records/removal.ts';
import { type StoredSync, SYNC_NAMED, type SyncLeft } from '../../core/objects/transfer/sync.ts';

const REASONS: Readonly<Record<string, SyncLeft['reason']>> = {
  record_exists: 'replaced',
  resource_missing: 'parent_gone',
  record_erased: 'erased',
  past_retention: 'past_retention',
};
const OTHER = 'not_restored';
const UNRESTORED: readonly SyncLeft['reason'][] = [...Object.values(REASONS), OTHER];

function leftOf({ resource, record, code }: UnrestoredRecord): SyncLeft {
  return { resource, record, reason: REASONS[code] ?? OTHER };
}

/** Adds what stays removed to what a sync left. That is named first: nothing else tells of it. */
export function withUnrestored(
  sync: Pick<StoredSync, 'left' | 'left_count'>,
  outcomes: readonly Pick<RestoredRemoval, 'left' | 'left_count'>[],
): Pick<StoredSync, 'left' | 'left_count'> {
  const before = sync.left.filter(({ reason }) => UNRESTORED.includes(reason));
  const others = sync.left.filter(({ reason }) => !UNRESTORED.includes(reason));
  const left = [...before, ...outcomes.flatMap((one) => one.left.map(leftOf)), ...others];
  const left_count = outcomes.reduce((sum, one) => sum + one.left_count, sync.left_count);
  return { left: left.slice(0, SYNC_NAMED), left_count };
}
