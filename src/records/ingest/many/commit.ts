/**
 * Commits the drafts of rows, round-robin with those of other requests. Rows whose cached parent was stale are retried:
 * it was named by the caller's identifiers, and the commit found it gone. Another record may have these by now.
 */
import { ApiError } from '../../../core/errors.ts';
import { FairSlots } from '../../../core/fair/slots.ts';
import type { Observer } from '../../../core/observe/observers.ts';
import type { CommitOptions, Draft, Outcome, Store } from '../../../store/promises/store.ts';
import { mayBeStale, type Rehearse } from '../drafts.ts';
import {
  draftIn,
  draftsIn,
  errorIn,
  type ManyCall,
  type Row,
  type RowReader,
  type RowResult,
  resultOf,
} from './row.ts';

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
/** The longest pause after a large commit, however long the store was unreachable during it. */
const MAX_LEFT_MS = 1_000;

/** A request that waits for its next commit, and whether its key may still write by then. */
type Caller = Pick<ManyCall, 'principal' | 'still' | 'sync' | 'own'>;

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
  readonly renew: RowReader['renew'];
  readonly observer?: Pick<Observer, 'committed'> | undefined;
}

export type RowCommitter = ReturnType<typeof createRowCommitter>;

export function createRowCommitter({ store, rehearse, renew, observer }: CommitterParts) {
  // A commit only waits for the store, so one key may have all of them.
  const slots = new FairSlots({ slots: COMMITS_AT_ONCE, ofGroup: COMMITS_AT_ONCE });
  const large = new FairSlots({ slots: 1, ofGroup: 1 });

  const commitDrafts = async (
    caller: Caller,
    drafts: readonly Draft[],
    options?: CommitOptions,
  ): Promise<readonly Outcome[]> => {
    const { principal, still } = caller;
    if (drafts.length === 0) {
      // Faults of rows are counted as faults of records, too.
      await still?.();
      return [];
    }
    const outcomes = await slots.run(principal.key, async () => {
      await still?.();
      const began = performance.now();
      return store
        .commit(drafts, options)
        .finally(() => observer?.committed(drafts.length, performance.now() - began));
    });
    const unwritten = ['refused', 'withheld'];
    const refused = drafts.filter((_, at) => unwritten.includes(outcomes[at]?.outcome ?? ''));
    await disclaim(caller, refused);
    return outcomes;
  };

  /** Returns one outcome for each row that has a draft. */
  const outcomesOf = (call: ManyCall, rows: readonly Row[]): Promise<readonly Outcome[]> => {
    const drafts = draftsIn(rows);
    if (!call.dry_run) return commitDrafts(call, drafts);
    return slots.run(call.principal.key, async () => {
      await call.still?.();
      return Promise.all(drafts.map(rehearse));
    });
  };

  /** Retries stale rows. Rows that were read again are not retryable, so this ends. */
  const retry = async (call: ManyCall, stale: readonly Row[]): Promise<readonly RowResult[]> => {
    const renewed = await Promise.all(stale.map((row) => renew(call, row)));
    // The other rows are committed and must be reported.
    return commit(call, renewed).catch((error: Error) => renewed.map(() => error));
  };

  const commit = async (call: ManyCall, rows: readonly Row[]): Promise<readonly RowResult[]> => {
    let outcomes: readonly Outcome[];
    try {
      outcomes = await outcomesOf(call, rows);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      return rows.map((row) => errorIn(row) ?? (error as Error));
    }
    const stale: Row[] = [];
    const next = outcomes.values();
    const results = rows.map((row): RowResult | undefined => {
      const error = errorIn(row);
      if (error !== undefined) return error;
      const outcome = next.next().value as Outcome;
      if (row.retryable === undefined || !mayBeStale(row.retryable, outcome))
        return resultOf(outcome, draftIn(row), call);
      stale.push(row);
      return undefined;
    });
    const again = (stale.length === 0 ? [] : await retry(call, stale)).values();
    return results.map((result) => result ?? (again.next().value as RowResult));
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
     * Commits the drafts of the rows, or in a dry run rehearses them, and returns one result for each row. If the commit
     * fails, each row gets its error. Throws, with nothing committed, if the caller may no longer write.
     */
    commit,
  };
}
