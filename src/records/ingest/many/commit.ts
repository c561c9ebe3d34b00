/** Commits the drafts of rows, round-robin with those of other requests. */
import { FairSlots } from '../../../core/fair/slots.ts';
import type { CommitObserver } from '../../../core/observe/observers.ts';
import type { CommitOptions, Draft, Outcome, Store } from '../../../store/promises/store.ts';
import type { Rehearse } from '../rehearse.ts';
import { draftsIn, type ManyCall, type Row } from './row.ts';

/**
 * Of all requests: the store works on the second while this thread is notified of the first. Single upserts wait for no
 * more than these.
 */
export const COMMITS_AT_ONCE = 2;

/**
 * An all-or-none request of up to this many bytes counts as a commit like any other: some tens of milliseconds. Of
 * larger ones one goes on at a time, and before the next one the store is left to all others for as long as it took:
 * nothing else is written during it.
 */
const MAX_USUAL_BYTES = 4_194_304;
/** Where the store was out of reach for long, the next one need not wait as long once more. */
const MAX_LEFT_MS = 1_000;

/** A request that waits for its next commit, and whether its key may still write by then. */
type Caller = Pick<ManyCall, 'principal' | 'still'>;

export interface RowCommitter {
  /** Commits the drafts of the rows, or in a dry run rehearses them: one outcome for each row that has a draft. Throws what `still` throws, and has done nothing then. */
  commit(call: ManyCall, rows: readonly Row[]): Promise<readonly Outcome[]>;
  /** The same for drafts of one call that are saved as one, with their size in bytes: one outcome for each. */
  commitWhole(
    call: Caller,
    drafts: readonly Draft[],
    options: CommitOptions & { readonly bytes: number },
  ): Promise<readonly Outcome[]>;
}

export interface CommitterParts {
  readonly store: Pick<Store, 'commit'>;
  readonly rehearse: Rehearse;
  readonly observer?: Pick<CommitObserver, 'committed'> | undefined;
}

export function createRowCommitter({ store, rehearse, observer }: CommitterParts): RowCommitter {
  // A commit waits for the store alone, so a key may have all of them.
  const slots = new FairSlots({ slots: COMMITS_AT_ONCE, ofGroup: COMMITS_AT_ONCE });
  const large = new FairSlots({ slots: 1, ofGroup: 1 });

  const commitNow = async (
    drafts: readonly Draft[],
    options?: CommitOptions,
  ): Promise<readonly Outcome[]> => {
    const began = performance.now();
    try {
      return await store.commit(drafts, options);
    } finally {
      observer?.committed(drafts.length, performance.now() - began);
    }
  };

  const commitDrafts = async (
    { principal: { key }, still }: Caller,
    drafts: readonly Draft[],
    options?: CommitOptions,
  ): Promise<readonly Outcome[]> => {
    if (drafts.length > 0)
      return slots.run(key, async () => {
        await still?.();
        return commitNow(drafts, options);
      });
    // The faults of rows are those of records, too.
    await still?.();
    return [];
  };

  return {
    async commitWhole(call, drafts, { bytes, ...options }) {
      if (bytes <= MAX_USUAL_BYTES) return commitDrafts(call, drafts, options);
      const release = await large.acquire(call.principal.key);
      const began = performance.now();
      try {
        return await commitDrafts(call, drafts, options);
      } finally {
        const left = Math.min(performance.now() - began, MAX_LEFT_MS);
        setTimeout(release, left).unref();
      }
    },
    commit(call, rows) {
      const drafts = draftsIn(rows);
      if (!call.dry_run) return commitDrafts(call, drafts);
      return slots.run(call.principal.key, async () => {
        await call.still?.();
        return Promise.all(drafts.map(rehearse));
      });
    },
  };
}
