/** The one entrance for writes: whatever is written passes through here. */
import type { CommitObserver } from '../observe/observers.ts';
import type { Resource } from '../schema/define.ts';
import type { Store } from '../store/store.ts';
import { createBatcher } from './batch.ts';
import { createDrafts } from './drafts.ts';
import { createMany, type Many } from './many.ts';
import { createPatch } from './patch.ts';
import { createRehearse } from './rehearse.ts';
import { createRemove } from './remove.ts';
import { createUpsert } from './upsert.ts';
import type { Patch, Remove, Upsert } from './writes.ts';

/**
 * Every method answers when what it did is committed. It throws `ApiError` for
 * what the caller can mend, and `StoreUnavailable` when nothing can be written
 * now.
 */
export interface Ingest {
  readonly upsert: Upsert;
  readonly patch: Patch;
  readonly remove: Remove;
  readonly many: Many;
  /** Whether so much waits for the disk that what comes next is refused. */
  readonly full: boolean;
}

export interface IngestOptions {
  /** The registry. */
  readonly resources: readonly Resource[];
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  readonly observer?: CommitObserver | undefined;
}

export function createIngest(store: Store, { resources, now, observer }: IngestOptions): Ingest {
  const batcher = createBatcher(store, observer);
  const parts = {
    store,
    now,
    drafts: createDrafts(store),
    batcher,
    rehearse: createRehearse(store, now),
  };
  return {
    upsert: createUpsert(parts),
    patch: createPatch(parts),
    remove: createRemove(parts, resources),
    many: createMany({ ...parts, observer }),
    get full() {
      return batcher.full;
    },
  };
}
