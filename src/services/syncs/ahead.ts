/** Looks what finishing a sync would remove, and changes nothing. */
import {
  type StoredSync,
  SYNC_NAMED,
  type SyncLeft,
  type SyncRecord,
} from '../../core/objects/transfer/sync.ts';
import type { StoredRecord } from '../../store/promises/store.ts';
import { SeenParts } from './marks.ts';
import { reasonOf } from './removing.ts';
import { add, countBelow, type Walking, walkOn } from './walk.ts';

/** Records that are looked at one by one, with what is below them. */
const CLOSELY = 1_000;

export interface Ahead {
  /** How many records the source has at the place, and how many of them would go at most. */
  readonly total: number;
  readonly going: number;
  /** The first of these. */
  readonly first: readonly StoredRecord[];
  readonly left: readonly SyncLeft[];
  readonly left_count: number;
}

/** `undefined` where the store lacks marks of what was seen. */
export async function lookAhead(walking: Walking): Promise<Ahead | undefined> {
  const { sync, resource, store } = walking;
  const parts = new SeenParts(store.syncs, sync);
  if (!(await parts.areAllThere(sync.seen))) return undefined;
  let [total, going, left_count] = [0, 0, 0];
  const first: StoredRecord[] = [];
  const left: SyncLeft[] = [];
  for (let part = 0; part < parts.count; part += 1) {
    const seen = await parts.read(part);
    for (let after: string | null = null, more = true; more; ) {
      const page = await walkOn(walking, seen, after);
      // Others removed the record that the page begins after: from the start again.
      if (page === undefined) return lookAhead(walking);
      for (const { record, verdict } of page.walked) {
        after = record.unique_identifier;
        if (verdict !== 'else') total += 1;
        if (verdict === 'else' || verdict === 'seen') continue;
        if (verdict === 'goes') {
          going += 1;
          if (first.length < CLOSELY) first.push(record);
        } else {
          left_count += 1;
          if (left.length < SYNC_NAMED)
            left.push({ resource: resource.name, record: after, reason: verdict });
        }
      }
      more = page.more && page.walked.length > 0;
    }
  }
  return { total, going, first, left, left_count };
}

/** What a dry run tells: what is below others is looked at for the first of them. */
export async function rehearse(
  walking: Walking,
  ahead: Ahead,
): Promise<Pick<StoredSync, 'removed' | 'records' | 'left' | 'left_count'>> {
  const { store, resource, numbers, sync } = walking;
  const left = [...ahead.left];
  let { left_count, going } = ahead;
  const removed: Record<string, number> = {};
  const records: SyncRecord[] = [];
  for (const { account, unique_identifier, version } of ahead.first) {
    const named = { resource: resource.name, record: unique_identifier };
    const outcome = await store.remove({
      ...{ shape: resource.shape, account, unique_identifier, cascade: true },
      ...{ versions: [version], sources: numbers, by: sync.unique_identifier, rehearse: true },
    });
    if (outcome.outcome === 'refused') {
      going -= 1;
      const reason = reasonOf(outcome.error);
      if (reason === undefined) continue;
      left_count += 1;
      if (left.length < SYNC_NAMED) left.push({ ...named, reason });
      continue;
    }
    add(removed, await countBelow(walking, resource, unique_identifier));
    if (records.length < SYNC_NAMED) records.push(named);
  }
  if (going > 0) add(removed, { [resource.name]: going });
  return { removed, records, left, left_count };
}
