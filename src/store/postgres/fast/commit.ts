/** The entrance to commits of drafts: decides which can use remembered records, and which share a transaction. */
import type { CommitOptions, Outcome } from '../../promises/store.ts';
import { commitUnderLock } from '../commit/commit.ts';
import type { Context } from '../context.ts';
import type { PairQueue } from '../lock/queues.ts';
import { accountsOf, byAccount, type Named, type NamedDrafts } from '../names.ts';
import { asPartlyDone, isMoved } from '../wire/failure.ts';
import { commitFromMemory } from './at-once.ts';

interface Committing {
  readonly context: Context;
  readonly options: CommitOptions;
}

export async function commitDrafts(committing: Committing, { named }: NamedDrafts) {
  const { atomic, receipt } = committing.options;
  const accounts = byAccount(named, ({ draft }) => draft.account);
  if (accounts.length <= 1 || atomic || receipt !== undefined) return commitAll(committing, named);
  const done = new Map<Named, Outcome>();
  const all = accounts.map(async ([, some]) => {
    const outcomes = await commitAll(committing, some);
    for (const [at, one] of some.entries()) done.set(one, outcomes[at] as Outcome);
  });
  const failed = (await Promise.allSettled(all)).find((one) => one.status === 'rejected');
  if (failed !== undefined) throw done.size > 0 ? asPartlyDone(failed.reason) : failed.reason;
  return named.map((one) => done.get(one) as Outcome);
}

/** Commits drafts of one account, or of several together; `outcomes` are of those that are done. */
async function commitAll(
  { context, options }: Committing,
  named: readonly Named[],
  outcomes: readonly (Outcome | undefined)[] = [],
): Promise<readonly Outcome[]> {
  const recalled = context.remembered.recall(named);
  let all = outcomes;
  try {
    for (const attempt of [commitFromMemory, commitUnderLock]) {
      const left = recalled.filter((_, at) => all[at] === undefined);
      if (left.length === 0) break;
      if (attempt === commitFromMemory && !isFast(context, left, options)) continue;
      const next = (await attempt(context, left, options, 'drafts')).values();
      all = recalled.map((_, at) => all[at] ?? next.next().value);
    }
  } catch (error) {
    throw all.some((one) => one !== undefined) ? asPartlyDone(error) : error;
  }
  context.remembered.learnAll(recalled, all as Outcome[]);
  return all as Outcome[];
}

/** Whether a commit from memory is possible, and likely to succeed for nearly all of these drafts. */
function isFast(
  { erased, remembered }: Context,
  recalled: readonly Named[],
  { atomic, receipt }: CommitOptions,
): boolean {
  const isPlain = ({ draft: { receipt, restores, account } }: Named) =>
    receipt === undefined && restores?.gone === undefined && !erased.knows(account);
  return (
    !atomic &&
    receipt === undefined &&
    recalled.every(isPlain) &&
    new Set(recalled.map(({ pair }) => pair)).size === recalled.length &&
    remembered.suffices(recalled)
  );
}

/**
 * Batches of one account each that may share a transaction; those that may not,
 * and what is left of the others, go by themselves. Each is answered as soon as it is done.
 */
export function commitEach(
  committing: Committing,
  pairQueue: PairQueue,
  batches: readonly NamedDrafts[],
): readonly Promise<readonly Outcome[]>[] {
  const { context, options } = committing;
  const { accountQueues, placements, remembered } = context;
  /** Names the transaction that drafts may share; `undefined`: none. A shared one never waits, so all that it touches is free here. */
  const sharingOf = ({ named, pairs }: NamedDrafts): string | undefined => {
    const [account = ''] = accountsOf(named);
    const server = placements.serverOf(account);
    if (server === undefined || !accountQueues.isFree(account) || !pairQueue.isFree(pairs))
      return undefined;
    return `${isFast(context, remembered.recall(named), options)} ${server}`;
  };
  const groups = [...Map.groupBy(batches.length > 1 ? batches : [], sharingOf)]
    .filter(([name, some]) => name !== undefined && some.length > 1)
    .flatMap(([, some]) => {
      const pairs = new Set(some.flatMap((batch) => [...batch.pairs]));
      const drafts = interleaved(some.map(({ named }) => named));
      const done = pairQueue.run(pairs, () => commitFree(committing, drafts));
      return some.map((batch) => [batch, done] as const);
    });
  const shared = new Map(groups);
  return batches.map(async (batch) => {
    const done = await shared.get(batch);
    const outcomes = batch.named.map(({ pair }) => done?.get(pair));
    if (outcomes.every((outcome) => outcome !== undefined)) return outcomes;
    return pairQueue.run(batch.pairs, () => commitAll(committing, batch.named, outcomes));
  });
}

/** Commits drafts of several accounts that no other transaction has locked. Returns outcomes by their pairs. */
async function commitFree({ context, options }: Committing, named: readonly Named[]) {
  const { remembered } = context;
  const recalled = remembered.recall(named);
  const attempt = isFast(context, recalled, options) ? commitFromMemory : commitUnderLock;
  const outcomes = await attempt(context, recalled, options, 'shared').catch((error) => {
    if (!isMoved(error)) throw error;
    return [];
  });
  const each = recalled.map((one, at) => [one, outcomes[at]] as const);
  const done = new Map(
    each.flatMap(([one, outcome]) => (outcome ? [[one, outcome] as const] : [])),
  );
  remembered.learnAll([...done.keys()], [...done.values()]);
  return new Map([...done].map(([{ pair }, outcome]) => [pair, outcome]));
}

/** The first of each batch, then the second of each: where time runs out, it does for all alike. */
function interleaved(batches: readonly (readonly Named[])[]): readonly Named[] {
  const most = Math.max(...batches.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) =>
    batches.flatMap((batch) => batch.slice(at, at + 1)),
  ).flat();
}
