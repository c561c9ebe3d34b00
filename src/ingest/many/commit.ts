/** Commits the rows of a request together with others, and says what became of each. */

import { FairSemaphore } from '../../fair/semaphore.ts';
import type { CommitObserver } from '../../observe/observers.ts';
import type { CommitOptions, Draft, Outcome, Store } from '../../store/store.ts';
import { mayBeStale } from '../drafts.ts';
import type { Rehearse } from '../rehearse.ts';
import type { RowReader } from './read.ts';
import {
  draftsIn,
  errorIn,
  type ManyCall,
  mayComeAgain,
  type ReadRow,
  type Row,
  type RowResult,
  resultOf,
} from './row.ts';

/**
 * Of all requests: the store goes on with the second while this thread is told
 * of the first. Single upserts wait for no more than these.
 */
const COMMITS_AT_ONCE = 2;

/** Of all requests: one chunk more is read meanwhile, so that the store need not wait for this thread. */
export const CHUNKS_AT_ONCE = COMMITS_AT_ONCE + 1;

export interface Rows {
  /** Commits rows together, each for itself, and gives one result per row. */
  commit(call: ManyCall, rows: readonly Row[]): Promise<readonly RowResult[]>;
  /**
   * Reads rows when their turn to be committed has come, so that few are held
   * read, and commits them. `begun` is told that the store has them, and
   * whether some may have to be committed once more.
   */
  readAndCommit(
    call: ManyCall,
    rows: readonly (Uint8Array | undefined)[],
    begun: (again: boolean) => void,
  ): Promise<readonly RowResult[]>;
  /** One outcome per draft. Those of one request wait for those of others, so that nobody has the store for himself. */
  commitDrafts(
    key: string,
    drafts: readonly Draft[],
    options?: CommitOptions,
  ): Promise<readonly Outcome[]>;
}

export interface RowsParts {
  readonly store: Pick<Store, 'commit'>;
  readonly reader: RowReader;
  readonly rehearse: Rehearse;
  readonly observer?: Pick<CommitObserver, 'committed'> | undefined;
}

export function createRows({ store, reader, rehearse, observer }: RowsParts): Rows {
  const reading = new FairSemaphore(CHUNKS_AT_ONCE);
  const committing = new FairSemaphore(COMMITS_AT_ONCE);

  const commitNow = async (
    some: readonly Draft[],
    options?: CommitOptions,
  ): Promise<readonly Outcome[]> => {
    if (some.length === 0) return [];
    const began = performance.now();
    try {
      return await store.commit(some, options);
    } finally {
      observer?.committed(some.length, performance.now() - began);
    }
  };

  const commitDrafts: Rows['commitDrafts'] = async (key, some, options) =>
    some.length === 0 ? [] : committing.run(key, () => commitNow(some, options));

  /** `last` says not to look again for parents that seem to be gone. */
  const commit = (call: ManyCall, rows: readonly Row[], last: boolean): Promise<RowResult[]> => {
    const ready = draftsIn(rows);
    const { key } = call.principal;
    const outcomes = call.dry_run
      ? committing.run(key, () => Promise.all(ready.map(rehearse)))
      : commitDrafts(key, ready);
    return resultsOf(call, rows, outcomes, last);
  };

  const resultsOf = async (
    call: ManyCall,
    rows: readonly Row[],
    committed: Promise<readonly Outcome[]>,
    last: boolean,
  ): Promise<RowResult[]> => {
    let outcomes: readonly Outcome[];
    try {
      outcomes = await committed;
    } catch (error) {
      return rows.map((row) => errorIn(row) ?? (error as Error));
    }
    let next = 0;
    const stale: number[] = [];
    const results = rows.map((row, index): RowResult => {
      const error = errorIn(row);
      if (error !== undefined) return error;
      const outcome = outcomes[next++] as Outcome;
      const { again } = row as ReadRow;
      if (!last && again !== undefined && mayBeStale(again, outcome)) stale.push(index);
      return resultOf(outcome, call);
    });
    if (stale.length > 0) {
      const again = await Promise.all(
        stale.map((index) => reader.readAgain(call, rows[index] as ReadRow)),
      );
      const found = await commit(call, again, true);
      for (const [at, index] of stale.entries()) results[index] = found[at] as RowResult;
    }
    return results;
  };

  return {
    commit: (call, rows) => commit(call, rows, false),
    readAndCommit: async (call, bodies, begun) => {
      const { key } = call.principal;
      const { read, outcomes } = await reading.run(key, async () => {
        const read = await reader.read(call, bodies);
        const outcomes = call.dry_run ? undefined : commitDrafts(key, draftsIn(read));
        begun(read.some(mayComeAgain));
        await outcomes?.catch(() => {});
        return { read, outcomes };
      });
      return outcomes === undefined
        ? commit(call, read, false)
        : resultsOf(call, read, outcomes, false);
    },
    commitDrafts,
  };
}
