/**
 * Makes results of outcomes, and tries rows again whose parent was stale: it
 * was named by identifiers of the caller's own and found in the cache, and the
 * commit found it gone. Another record may have these identifiers by now.
 */
import { ApiError } from '../../../core/errors.ts';
import type { Outcome } from '../../../store/promises/store.ts';
import { mayBeStale } from '../drafts.ts';
import type { RowCommitter } from './commit.ts';
import type { RowReader } from './read.ts';
import { errorIn, type ManyCall, type ReadRow, type Row, type RowResult, resultOf } from './row.ts';

/**
 * One result for each row, when the outcomes of its drafts are known; where there are none, the error is that of
 * each row. Throws, and nothing was committed, where the caller is refused the whole.
 */
export type ResultsOf = (
  call: ManyCall,
  rows: readonly Row[],
  outcomes: Promise<readonly Outcome[]>,
) => Promise<readonly RowResult[]>;

export function createResultsOf(reader: RowReader, committer: RowCommitter): ResultsOf {
  /** Of rows that are read once more none is retryable, so that this ends. */
  const retry = async (
    call: ManyCall,
    stale: readonly ReadRow[],
  ): Promise<readonly RowResult[]> => {
    const renewed = await Promise.all(stale.map((row) => reader.renew(call, row)));
    const results = resultsOf(call, renewed, committer.commit(call, renewed));
    // The rows next to them are committed and have to be reported.
    return results.catch((error: Error) => renewed.map(() => error));
  };

  const resultsOf: ResultsOf = async (call, rows, committing) => {
    let outcomes: readonly Outcome[];
    try {
      outcomes = await committing;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      return rows.map((row) => errorIn(row) ?? (error as Error));
    }
    const stale: ReadRow[] = [];
    const next = outcomes.values();
    const results = rows.map((row): RowResult | undefined => {
      const error = errorIn(row);
      if (error !== undefined) return error;
      const outcome = next.next().value as Outcome;
      const read = row as ReadRow;
      if (read.retryable === undefined || !mayBeStale(read.retryable, outcome))
        return resultOf(outcome, call);
      stale.push(read);
      return undefined;
    });
    const retried = stale.length === 0 ? [] : await retry(call, stale);
    const again = retried.values();
    return results.map((result) => result ?? (again.next().value as RowResult));
  };
  return resultsOf;
}
