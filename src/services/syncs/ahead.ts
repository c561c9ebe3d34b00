/** Looks what finishing a sync would remove, and changes nothing. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../core/errors.ts';
import {
  type StoredSync,
  SYNC_CLOSELY,
  SYNC_NAMED,
  type SyncRecord,
  type SyncRemoval,
} from '../../core/objects/transfer/sync.ts';
import { ancestorsOf } from '../../core/schema/define.ts';
import { inThousands } from '../../core/schema/present/words.ts';
import { reasonOf, removeUnseen } from './removing.ts';
import { add, countBelow, createLeft, PAUSE_MS, scopeOf, type Walking, walkOn } from './walk.ts';

/** Records, and records that belong to them, that may always be removed, however small the share. */
const LEAST = { records: 10, below: 1_000 };
/** The most records of a resource that are counted to weigh what goes against. */
const MOST_THERE = 1_000_000;
/** Records that are looked at before others get to write. */
const PACED = 16;

export interface Ahead extends Pick<StoredSync, 'left' | 'left_count'> {
  /** How many records the source has at the place, and how many of them would go at most. */
  readonly total: number;
  readonly going: number;
  /** The first of these. */
  readonly first: readonly Pick<SyncRemoval, 'record' | 'version'>[];
}

/** `undefined` where the store lacks marks of what was seen. */
export async function lookAhead(walking: Walking): Promise<Ahead | undefined> {
  const { sync, resource, store } = walking;
  if (!(await store.syncs.isComparable(sync))) return undefined;
  let [total, going] = [0, 0];
  const first: Ahead['first'][number][] = [];
  const left = createLeft({ left: [], left_count: 0 });
  for await (const { record, verdict } of walkOn(walking, null)) {
    const { unique_identifier: id, version } = record;
    if (verdict !== 'else') total += 1;
    if (verdict === 'else' || verdict === 'seen') continue;
    if (verdict === 'goes') {
      going += 1;
      if (first.length < SYNC_CLOSELY) first.push({ record: id, version });
    } else {
      left.add(resource.name, id, verdict);
    }
  }
  return { total, going, first, ...left.all };
}

/** The result of a dry run. */
export async function rehearse(walking: Walking, ahead: Ahead) {
  const { resource } = walking;
  const left = createLeft(ahead);
  let { going } = ahead;
  const removed: Record<string, number> = {};
  const records: SyncRecord[] = [];
  for (const [at, { record, version }] of ahead.first.entries()) {
    if (at % PACED === 0) await pause(PAUSE_MS);
    const outcome = await removeUnseen(walking, { record, version }, true);
    if (outcome.outcome === 'refused') {
      going -= 1;
      const reason = reasonOf(outcome.error);
      if (reason !== undefined) left.add(resource.name, record, reason);
      continue;
    }
    add(removed, await countBelow(walking, resource, record));
    if (records.length < SYNC_NAMED) records.push({ resource: resource.name, record });
  }
  if (going > 0) add(removed, { [resource.name]: going });
  const counts_all = ahead.going === ahead.first.length;
  return { removed, records, ...left.all, counts_all };
}

/** Throws `sync_removes_too_much` where more than that share would go, of the records or of those that belong to them. */
export async function awaitShare(walking: Walking, ahead: Ahead, share: number): Promise<void> {
  const { total, going, first } = ahead;
  if (share >= 100) return;
  let below = 0;
  for (const [at, { record }] of first.entries()) {
    if (at % PACED === 0) await pause(PAUSE_MS);
    for (const count of Object.values(await countBelow(walking, walking.resource, record)))
      below += count;
  }
  const most = Math.max(LEAST.records, Math.floor((total * share) / 100));
  const isMany = below > LEAST.below;
  const there = isMany ? await countThere(walking, (below / share) * 100) : below;
  const mostBelow = Math.max(LEAST.below, Math.floor((there * share) / 100));
  if (going <= most && below <= mostBelow) return;
  const least = Math.max(going / total, isMany ? below / there : 0);
  const counted = `${going > first.length ? 'at least ' : ''}${inThousands(below)}`;
  const ofThem = `${isMany ? ` of the ${inThousands(there)}` : ''} records that belong to such`;
  const withThem = below === 0 ? '' : `, and with them ${counted}${ofThem}`;
  const allowed = `${inThousands(most)}${isMany ? ` with ${inThousands(mostBelow)} that belong to them` : ''}`;
  const message = `The sync would remove ${inThousands(going)} of the ${inThousands(total)} records of the source there${withThem}, and at_most allows for ${allowed}. Nothing was removed. If that is right, finish it again with a larger at_most, such as ${Math.min(100, Math.ceil(least * 100))}%.`;
  throw new ApiError('sync_removes_too_much', { param: 'at_most', message });
}

/** How many records are there of the resources below that of the sync: at least as many as wanted, or all. */
async function countThere({ store, resources, resource, sync }: Walking, wanted: number) {
  const limit = Math.min(Math.ceil(wanted), MOST_THERE);
  let there = 0;
  for (const one of resources) {
    if (!ancestorsOf(one).includes(resource)) continue;
    const { shape } = one;
    there += await store.count({
      shape,
      scope: scopeOf(sync),
      where: [],
      limit,
      giveWay: () => pause(PAUSE_MS),
    });
  }
  return there;
}
