/** A transaction that small batches of several accounts share, as far as each is like what is remembered of it. */
import type { Outcome } from '../../store.ts';
import type { Context } from '../context.ts';
import { accountsOf, comesBack, type Named, type NamedDrafts } from '../names.ts';
import type { InOrder } from '../turn/in-order.ts';
import type { Sessions } from '../wire/sessions.ts';
import { commitAtOnce } from './at-once.ts';
import { GUESS } from './one.ts';

/** Nobody waits in a transaction that is shared: its accounts are free here, and so is all that it touches. */
export function mayShare(
  { distribution, lanes, remembered }: Context,
  inOrder: InOrder,
  { named, pairs, apart }: NamedDrafts,
): boolean {
  return (
    distribution === undefined &&
    apart &&
    named.every(
      ({ draft }) =>
        draft.receipt === undefined && !comesBack(draft) && lanes.isFree(draft.account),
    ) &&
    inOrder.isFree(pairs) &&
    remembered.suffices(remembered.recall(named))
  );
}

/** What became of drafts of several accounts, by their pairs, as far as nobody else was at work in these. */
export async function commitFree(
  context: Context,
  writer: Sessions,
  recalled: readonly Named[],
): Promise<ReadonlyMap<string, Outcome>> {
  const guess = { ...GUESS, recordOf: ({ record }: Named) => record };
  const outcomes = await context.lanes.take(accountsOf(recalled), () =>
    writer.use((session) => commitAtOnce(session, context, recalled, guess)),
  );
  const done = recalled.flatMap((named, at) => {
    const outcome = outcomes[at];
    return outcome === undefined ? [] : [{ named, outcome }];
  });
  context.remembered.learnAll(
    done.map(({ named }) => named),
    done.map(({ outcome }) => outcome),
  );
  return new Map(done.map(({ named, outcome }) => [named.pair, outcome]));
}
