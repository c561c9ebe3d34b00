/** A transaction that small batches of several accounts share. */
import type { Outcome } from '../../promises/store.ts';
import type { Context } from '../context.ts';
import { accountsOf, comesBack, type Named, type NamedDrafts } from '../names.ts';
import type { InOrder } from '../turn/in-order.ts';
import { isMoved } from '../wire/failure.ts';
import { type Committing, fromMemory, isKeyed, readAndCommit } from './one.ts';

/** A shared transaction never waits: its accounts are free here, and so is all that it touches. */
export function mayShare(
  { lanes, placements, remembered }: Context,
  inOrder: InOrder,
  { named, pairs, apart }: NamedDrafts,
): boolean {
  return (
    named.every(({ draft }) => placements.serverOf(draft.account) !== undefined) &&
    apart &&
    named.every(({ draft }) => !comesBack(draft) && lanes.isFree(draft.account)) &&
    inOrder.isFree(pairs) &&
    (!isKeyed(named) || remembered.suffices(remembered.recall(named)))
  );
}

/** Commits drafts of several accounts that no other transaction has locked. Returns outcomes by their pairs. */
export async function commitFree(
  { context, options }: Committing,
  drafts: readonly Named[],
): Promise<ReadonlyMap<string, Outcome>> {
  const { lanes, placements, remembered } = context;
  const named = remembered.recall(drafts);
  const attempt = isKeyed(named) || remembered.suffices(named) ? fromMemory : readAndCommit;
  const accounts = accountsOf(named);
  const outcomes = await lanes.take(accounts, async () => {
    try {
      const there = placements.at(accounts, 'shared');
      return await there.use((session) => attempt(session, context, named, options));
    } catch (error) {
      if (!isMoved(error)) throw error;
      return undefined;
    }
  });
  const done = named.flatMap((one, at) => {
    const outcome = outcomes?.[at];
    return outcome === undefined ? [] : [{ one, outcome }];
  });
  remembered.learnAll(
    done.map(({ one }) => one),
    done.map(({ outcome }) => outcome),
  );
  return new Map(done.map(({ one, outcome }) => [one.pair, outcome]));
}
