/** The entry point for all writes. */
import type { Observer } from '../../core/observe/observers.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Draft, Outcome, Store } from '../../store/promises/store.ts';
import { createDrafts, createRefuseTooOld, createRehearse } from './drafts.ts';
import { createMany } from './many/many.ts';
import { GroupCommit } from './one/group-commit.ts';
import { createReplay } from './one/replay.ts';
import { createRestoreRemoval } from './one/restore-removal.ts';
import {
  createDecide,
  createPatch,
  createRemove,
  createRestore,
  createUpsert,
} from './one/writes.ts';

export interface IngestOptions {
  readonly resources: readonly Resource[];
  readonly now: () => number;
  readonly observer?: Pick<Observer, 'show' | 'committed'> | undefined;
  readonly committed?: Committed | undefined;
}

type Committed = (drafts: readonly Draft[], outcomes: readonly Outcome[]) => void;

export type Ingest = ReturnType<typeof createIngest>;

/** Each method resolves when its write is committed. Throws `ApiError`, and `StoreUnavailable` if nothing can be written. */
export function createIngest(
  store: Store,
  { resources, now, observer, committed = () => {} }: IngestOptions,
) {
  const [root] = resources;
  if (root === undefined) throw new TypeError('The registry is empty.');
  const commits = watched(store, committed);
  const groupCommit = new GroupCommit(commits, observer);
  const shapes = resources.map(({ shape }) => shape);
  const parts = {
    store,
    replay: createReplay(store),
    now,
    refuseTooOld: createRefuseTooOld(store, shapes, now),
    drafts: createDrafts(store, root.shape),
    groupCommit,
    rehearse: createRehearse(store, now),
  };
  return {
    upsert: createUpsert(parts),
    patch: createPatch(parts),
    remove: createRemove(parts, resources),
    restore: createRestore(parts),
    restoreRemoval: createRestoreRemoval(store, resources, now),
    decide: createDecide(parts),
    many: createMany({
      ...parts,
      observer,
      store: { ...commits, receipt: (receipt) => store.receipt(receipt) },
    }),
    /** Returns whether the commit queue is so full that this key's next write is refused. */
    isFull: (key: string) => groupCommit.isFull(key),
    dropCached: parts.drafts.dropCached,
  };
}

type Commits = Pick<Store, 'commit' | 'commitEach' | 'poll'>;

function watched(store: Store, committed: Committed): Commits {
  const watch = async (drafts: readonly Draft[], outcomes: Promise<readonly Outcome[]>) => {
    committed(drafts, await outcomes);
    return outcomes;
  };
  const commits: Commits = {
    commit: (drafts, options) => watch(drafts, store.commit(drafts, options)),
    ...(store.poll && { poll: () => store.poll?.() }),
  };
  if (store.commitEach === undefined) return commits;
  return {
    ...commits,
    commitEach: (batches, options) =>
      (store.commitEach?.(batches, options) ?? []).map((one, at) => watch(batches[at] ?? [], one)),
  };
}
