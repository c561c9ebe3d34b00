/** A transaction that small batches of several accounts share. */
import type { Outcome } from '../../promises/store.ts';
import type { Context } from '../context.ts';
import { accountsOf, comesBack, type Named, type NamedDrafts, waitsForOwner } from '../names.ts';
import type { InOrder } from '../turn/in-order.ts';
import { type Committing, fromMemory, isKeyed, readAndCommit } from './one.ts';

/** A shared transaction never waits: its accounts are free here, and so is all that it touches. */
export function mayShare(
  { distribution, lanes, remembered }: Context,
  inOrder: InOrder,
  { named, pairs, apart }: NamedDrafts,
): boolean {
  return (
    distribution === undefined &&
    apart &&
    named.every(
      ({ draft }) => !comesBack(draft) && !waitsForOwner(draft) && lanes.isFree(draft.account),
    ) &&
    inOrder.isFree(pairs) &&
    (!isKeyed(named) || remembered.suffices(remembered.recall(named)))
  );
}

/** What became of drafts of several accounts, by their pairs, as far as no other transaction was at work in these. */
export async function commitFree(
  { context, writer, options }: Committing,
  drafts: readonly Named[],
): Promise<ReadonlyMap<string, Outcome>> {
  const { lanes, remembered } = context;
  const named = remembered.recall(drafts);
  const attempt = isKeyed(named) || remembered.suffices(named) ? fromMemory : readAndCommit;
  const outcomes = await lanes.take(accountsOf(named), () =>
    writer.use((session) => attempt(session, context, named, options)),
  );
  const done = named.flatMap((one, at) => {
    const outcome = outcomes[at];
    return outcome === undefined ? [] : [{ one, outcome }];
  });
  remembered.learnAll(
    done.map(({ one }) => one),
    done.map(({ outcome }) => outcome),
  );
  return new Map(done.map(({ one, outcome }) => [one.pair, outcome]));
}
