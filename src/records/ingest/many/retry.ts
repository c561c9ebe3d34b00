/**
 * Turns outcomes into results, and retries rows whose cached parent was stale: it was named by the caller's
 * identifiers, and the commit found it gone. Another record may have these identifiers by now.
 */
import { ApiError } from '../../../core/errors.ts';
import type { Outcome } from '../../../store/promises/store.ts';
import { mayBeStale } from '../drafts.ts';
import type { RowCommitter } from './commit.ts';
import type { RowReader } from './read.ts';
import {
  draftIn,
  errorIn,
  type ManyCall,
  type ReadRow,
  type Row,
  type RowResult,
  resultOf,
} from './row.ts';

/**
 * Returns one result for each row, from the outcomes of the drafts. If the commit fails, each row gets its error.
 * Throws, with nothing committed, if the caller may no longer write.
 */
export type ResultsOf = (
  call: ManyCall,
  rows: readonly Row[],
  outcomes: Promise<readonly Outcome[]>,
) => Promise<readonly RowResult[]>;

export function createResultsOf(reader: RowReader, committer: RowCommitter): ResultsOf {
  /** Rows that were read again are not retryable, so this ends. */
  const retry = async (
    call: ManyCall,
    stale: readonly ReadRow[],
  ): Promise<readonly RowResult[]> => {
    const renewed = await Promise.all(stale.map((row) => reader.renew(call, row)));
    const results = resultsOf(call, renewed, committer.commit(call, renewed));
    // The other rows are committed and must be reported.
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
        return resultOf(outcome, draftIn(row), call);
      stale.push(read);
      return undefined;
    });
    const retried = stale.length === 0 ? [] : await retry(call, stale);
    const again = retried.values();
    return results.map((result) => result ?? (again.next().value as RowResult));
  };
  return resultsOf;
}
