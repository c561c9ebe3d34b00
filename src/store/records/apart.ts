/** Commits drafts so that what keeps one of them from being written keeps no other one. */
import { ApiError } from '../../core/errors.ts';
import {
  type CommitOptions,
  type Outcome,
  StoreRefusal,
  StoreUnavailable,
  StoreUnsure,
} from '../promises/records.ts';

type Commit<Draft> = (drafts: readonly Draft[]) => Promise<readonly Outcome[]>;

/**
 * Commits the drafts together. Where the database refuses that, halves of them are committed, until those that it is
 * about are alone: they are refused, and the others are written. Drafts that are all or none, or have one receipt, stay
 * together.
 */
export async function commitApart<Draft>(
  drafts: readonly Draft[],
  options: CommitOptions,
  commit: Commit<Draft>,
): Promise<readonly Outcome[]> {
  try {
    return await commit(drafts);
  } catch (error) {
    const isWhole = options.atomic === true || options.receipt !== undefined;
    if (!(error instanceof StoreRefusal) || isWhole) throw error;
    if (drafts.length <= 1) {
      const refusal = new ApiError('store_refused', { cause: error });
      return drafts.map(() => ({ outcome: 'refused', error: refusal }));
    }
    const middle = Math.ceil(drafts.length / 2);
    const first = await commitApart(drafts.slice(0, middle), options, commit);
    const others = drafts.slice(middle);
    // They are in order: what comes behind one that is left is left, too.
    if (first.some(({ outcome }) => outcome === 'postponed'))
      return [...first, ...others.map((): Outcome => ({ outcome: 'postponed' }))];
    try {
      return [...first, ...(await commitApart(others, options, commit))];
    } catch (away) {
      throw asPartlyDone(away);
    }
  }
}

/** For an error in one part of some work, when another part was done. */
export function asPartlyDone(error: unknown): unknown {
  return error instanceof StoreUnavailable && !(error instanceof StoreUnsure)
    ? new StoreUnsure(error.message, { cause: error, says: error.says })
    : error;
}
