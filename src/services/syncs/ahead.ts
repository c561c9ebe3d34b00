/** Looks what finishing a sync would remove, and changes nothing. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type StoredSync,
  SYNC_CLOSELY,
  SYNC_NAMED,
  type SyncRecord,
  type SyncRemoval,
} from '../../core/objects/transfer/sync.ts';
import { removeUnseen, whyStays } from './removing.ts';
import { add, countBelow, createLeft, PAUSE_MS, type Walking, walkOn } from './walk.ts';

/** Records that are looked at before others get to write. */
const PACED = 16;

/** A location: how many records the source had there, and how many of them would go. */
export interface PlaceAhead {
  readonly had: number;
  readonly going: number;
}

export interface Ahead extends Pick<StoredSync, 'left' | 'left_count'> {
  /** How many records the source had there before the sync, and how many of them would go at most. */
  readonly had: number;
  readonly going: number;
  /** Both counts of each location. */
  readonly places: ReadonlyMap<string, PlaceAhead>;
  /** The first of these. */
  readonly first: readonly Pick<SyncRemoval, 'record' | 'version'>[];
}

/** `undefined` where the store lacks marks of what was seen. */
export async function lookAhead(walking: Walking): Promise<Ahead | undefined> {
  const { sync, resource, store } = walking;
  if (!(await store.syncs.isComparable(sync))) return undefined;
  const whole = { had: 0, going: 0 };
  const places = new Map<string, typeof whole>();
  const first: Ahead['first'][number][] = [];
  const left = createLeft({ left: [], left_count: 0 });
  for await (const { record, verdict } of walkOn(walking, null)) {
    const { unique_identifier: id, version } = record;
    if (verdict === 'else') continue;
    const isNew = version === 1 && record.position > (sync.began?.position ?? 0);
    const place = places.getOrInsertComputed(record.anchor ?? id, () => ({ had: 0, going: 0 }));
    for (const one of isNew ? [] : [whole, place]) {
      one.had += 1;
      if (verdict === 'goes') one.going += 1;
    }
    if (verdict === 'seen') continue;
    if (verdict === 'goes') {
      if (first.length < SYNC_CLOSELY) first.push({ record: id, version });
    } else {
      left.add(resource.name, id, verdict);
    }
  }
  return { ...whole, places, first, ...left.all };
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
      const reason = await whyStays(walking, { record, version }, outcome.error);
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
