/** Commits the drafts of rows, round-robin with those of other requests. */
import { FairSlots } from '../../../core/fair/slots.ts';
import type { Observer } from '../../../core/observe/observers.ts';
import type { CommitOptions, Draft, Outcome, Store } from '../../../store/promises/store.ts';
import type { Rehearse } from '../rehearse.ts';
import { draftsIn, type ManyCall, type Row } from './row.ts';

/**
 * Bulk commits of all requests at once: the store works on the second while this thread handles the outcomes of the
 * first. Single upserts never wait for more than these.
 */
export const COMMITS_AT_ONCE = 2;

/**
 * An atomic request of up to this many bytes counts as an ordinary commit: some tens of milliseconds. Nothing else is
 * written during a larger one, so only one runs at a time, and the store is left to others for as long as it took
 * before the next one begins.
 */
const MAX_USUAL_BYTES = 4_194_304;
/** If the store was unreachable for long, the next one does not wait that long again. */
const MAX_LEFT_MS = 1_000;

/** A request that waits for its next commit, and whether its key may still write by then. */
export type Caller = Pick<ManyCall, 'principal' | 'still' | 'sync' | 'own'>;

/** Lets later rows differ from those of these drafts, because they were refused. */
export async function disclaim(
  { sync, own }: Pick<ManyCall, 'sync' | 'own'>,
  drafts: readonly Draft[],
): Promise<void> {
  if (drafts.length === 0) return;
  own?.disclaim(drafts);
  await sync?.disclaim(drafts);
}

export interface CommitterParts {
  readonly store: Pick<Store, 'commit'>;
  readonly rehearse: Rehearse;
  readonly observer?: Pick<Observer, 'committed'> | undefined;
}

export type RowCommitter = ReturnType<typeof createRowCommitter>;

export function createRowCommitter({ store, rehearse, observer }: CommitterParts) {
  // A commit only waits for the store, so one key may have all of them.
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
    caller: Caller,
    drafts: readonly Draft[],
    options?: CommitOptions,
  ): Promise<readonly Outcome[]> => {
    const { principal, still } = caller;
    // Faults of rows are counted as faults of records, too.
    if (drafts.length === 0) await still?.();
    if (drafts.length === 0) return [];
    const outcomes = await slots.run(principal.key, async () => {
      await still?.();
      return commitNow(drafts, options);
    });
    const isRefused = (_: Draft, at: number) =>
      ['refused', 'withheld'].includes(outcomes[at]?.outcome ?? '');
    await disclaim(caller, drafts.filter(isRefused));
    return outcomes;
  };

  return {
    /** Commits the drafts of an atomic request; `bytes` is their size. */
    async commitWhole(
      call: Caller,
      drafts: readonly Draft[],
      { bytes, ...options }: CommitOptions & { readonly bytes: number },
    ): Promise<readonly Outcome[]> {
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
    /**
     * Commits the drafts of the rows, or in a dry run rehearses them: one outcome for each row that has a draft. If
     * `still` throws, nothing was done.
     */
    commit(call: ManyCall, rows: readonly Row[]): Promise<readonly Outcome[]> {
      const drafts = draftsIn(rows);
      if (!call.dry_run) return commitDrafts(call, drafts);
      return slots.run(call.principal.key, async () => {
        await call.still?.();
        return Promise.all(drafts.map(rehearse));
      });
    },
  };
}
