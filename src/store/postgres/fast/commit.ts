/** The entrance to fast commits: decides which drafts can use remembered records, and which wait for their turn. */
import type { CommitOptions, Outcome } from '../../promises/store.ts';
import { commitInTurn } from '../commit/commit.ts';
import type { Context } from '../context.ts';
import { byAccount, comesBack, type Named, type NamedDrafts, nameDrafts } from '../names.ts';
import type { InOrder } from '../turn/in-order.ts';
import { asPartlyDone } from '../wire/failure.ts';
import { type Committing, commitOf } from './one.ts';
import { commitFree, mayShare } from './shared.ts';

export async function commitDrafts(
  context: Context,
  { named, apart }: NamedDrafts,
  options: CommitOptions,
): Promise<readonly Outcome[]> {
  if (named.length === 0) return [];
  const together =
    options.atomic === true ||
    options.receipt !== undefined ||
    !apart ||
    named.some(({ draft }) => comesBack(draft));
  if (together) {
    const outcomes = await commitInTurn(context, named, options);
    context.remembered.learnAll(context.remembered.recall(named), outcomes);
    return outcomes;
  }
  const accounts = byAccount(named, ({ draft }) => draft.account);
  if (accounts.length === 1) return commitOf({ context, options }, named);
  const done = new Map<Named, Outcome>();
  const all = accounts.map(async ([, some]) => {
    const outcomes = await commitOf({ context, options }, some);
    for (const [at, one] of some.entries()) done.set(one, outcomes[at] as Outcome);
  });
  const failed = (await Promise.allSettled(all)).find((one) => one.status === 'rejected');
  if (failed !== undefined) throw done.size > 0 ? asPartlyDone(failed.reason) : failed.reason;
  return named.map((one) => done.get(one) as Outcome);
}

/**
 * Batches of one account each that may share a transaction; those that may not,
 * and what is left of the others, go by themselves. Each is answered as soon as it is done.
 */
export function commitEach(
  { context, options }: Committing,
  inOrder: InOrder,
  batches: readonly NamedDrafts[],
): readonly Promise<readonly Outcome[]>[] {
  const alone = (batch: NamedDrafts) =>
    inOrder.run(batch.pairs, () => commitDrafts(context, batch, options));
  const together = batches.filter((batch) => mayShare(context, inOrder, batch));
  const groups = Map.groupBy(together, ({ named }) => serverOf(context, named))
    .values()
    .filter((some) => some.length > 1)
    .flatMap((some) => {
      const pairs = new Set(some.flatMap((batch) => [...batch.pairs]));
      const drafts = inTurns(some.map(({ named }) => named));
      const done = inOrder.run(pairs, () => commitFree({ context, options }, drafts));
      return some.map((batch) => [batch, done] as const);
    });
  const shared = new Map(groups);
  return batches.map(async (batch) => {
    const sharing = shared.get(batch);
    if (sharing === undefined) return alone(batch);
    const done = await sharing;
    const outcomes = batch.named.map(({ pair }) => done.get(pair));
    const left = batch.named.filter((_, at) => outcomes[at] === undefined);
    if (left.length === 0) return outcomes as Outcome[];
    try {
      const rest = (await alone(nameDrafts(left.map(({ draft }) => draft)))).values();
      return outcomes.map((outcome) => outcome ?? (rest.next().value as Outcome));
    } catch (error) {
      throw left.length < outcomes.length ? asPartlyDone(error) : error;
    }
  });
}

function serverOf({ placements }: Context, [first]: readonly Named[]): string | undefined {
  return first && placements.serverOf(first.draft.account);
}

/** The first of each batch, then the second of each: where time runs out, it does for all alike. */
function inTurns(batches: readonly (readonly Named[])[]): readonly Named[] {
  const most = Math.max(...batches.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) =>
    batches.flatMap((batch) => batch.slice(at, at + 1)),
  ).flat();
}
