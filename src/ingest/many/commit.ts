/** Commits the drafts of rows, in turns with those of other requests. */
import { FairSlots } from '../../fair/slots.ts';
import type { CommitObserver } from '../../observe/observers.ts';
import type { CommitOptions, Draft, Outcome, Store } from '../../store/store.ts';
import type { Rehearse } from '../rehearse.ts';
import { draftsIn, type ManyCall, type Row } from './row.ts';

/**
 * Of all requests: the store works on the second while this thread is told of
 * the first. Single upserts wait for no more than these.
 */
export const COMMITS_AT_ONCE = 2;

/**
 * What is saved as one may have so many bytes and count as a commit like any other: some tens of
 * milliseconds. Of larger ones one goes on at a time, and before the next one the store is left to
 * all others for as long as it took: nothing else is written while it is.
 */
const MAX_USUAL_BYTES = 4_194_304;
/** Where the store was out of reach for long, the next one need not wait as long once more. */
const MAX_LEFT_MS = 1_000;

export interface RowCommitter {
  /** Commits the drafts of the rows, or in a dry run rehearses them: one outcome for each row that has a draft. */
  commit(call: ManyCall, rows: readonly Row[]): Promise<readonly Outcome[]>;
  /** Commits drafts of one API key as one, which were sent as so many bytes: one outcome for each. */
  commitWhole(
    key: string,
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
    key: string,
    drafts: readonly Draft[],
    options?: CommitOptions,
  ): Promise<readonly Outcome[]> =>
    drafts.length === 0 ? [] : slots.run(key, () => commitNow(drafts, options));

  return {
    async commitWhole(key, drafts, { bytes, ...options }) {
      if (bytes <= MAX_USUAL_BYTES) return commitDrafts(key, drafts, options);
      const release = await large.acquire(key);
      const began = performance.now();
      try {
        return await commitDrafts(key, drafts, options);
      } finally {
        const left = Math.min(performance.now() - began, MAX_LEFT_MS);
        setTimeout(release, left).unref();
      }
    },
    commit({ principal: { key }, dry_run }, rows) {
      const drafts = draftsIn(rows);
      return dry_run
        ? slots.run(key, () => Promise.all(drafts.map(rehearse)))
        : commitDrafts(key, drafts);
    },
  };
}
