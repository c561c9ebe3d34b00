/**
 * A commit of drafts: one round trip where what is remembered of their records
 * suffices; else one to read, and one to write where the store is as it was
 * read. What must be judged while nobody else commits waits for its account's turn first.
 */

import { toKept, withheld } from '../outcomes.ts';
import { receiptsFull } from '../refusals.ts';
import type { CommitOptions, Draft, Outcome, Receipt, Refused, Repeated } from '../store.ts';
import { commitAtOnce } from './at-once.ts';
import { Batch } from './batch.ts';
import { callsToWrite } from './changes.ts';
import type { Context } from './context.ts';
import { asPartlyDone } from './failure.ts';
import type { InOrder } from './in-order.ts';
import { inTurn, type TurnResult } from './in-turn.ts';
import { type Found, readKnown } from './known.ts';
import { accountsOf, byAccount, type Named, pairOf, receiptName } from './names.ts';
import { keeping } from './receipts.ts';
import type { Call, Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import type { Begun, Turn } from './turn.ts';

export interface NamedDrafts {
  /** Nobody else is writing one of their pairs here. */
  readonly named: readonly Named[];
  readonly pairs: ReadonlySet<string>;
  /** Whether each has a pair of its own. */
  readonly apart: boolean;
}

export function nameDrafts(drafts: readonly Draft[]): NamedDrafts {
  const named = drafts.map((draft) => ({ draft, pair: pairOf(draft) }));
  const pairs = new Set(named.map(({ pair }) => pair));
  return { named, pairs, apart: pairs.size === named.length };
}

/** Others were in the way so often that the rest waits for its turn. */
const MOST_READS = 3;

/** `writer` has the sessions that write. */
export async function commitDrafts(
  context: Context,
  writer: Sessions,
  { named, apart }: NamedDrafts,
  options: CommitOptions,
): Promise<readonly Outcome[]> {
  if (named.length === 0 && options.receipt === undefined) return [];
  const together =
    options.atomic === true ||
    options.receipt !== undefined ||
    !apart ||
    named.some(({ draft }) => draft.receipt !== undefined || comesBack(draft));
  if (together) {
    const outcomes = await commitInTurn(context, writer, named, options);
    context.remembered.learnAll(context.remembered.recall(named), outcomes);
    return outcomes;
  }
  const accounts = byAccount(named, ({ draft }) => draft.account);
  if (accounts.length === 1) return commitOf(context, writer, named);
  const done = new Map<Named, Outcome>();
  const all = accounts.map(async ([, some]) => {
    const outcomes = await commitOf(context, writer, some);
    for (const [at, one] of some.entries()) done.set(one, outcomes[at] as Outcome);
  });
  const failed = (await Promise.allSettled(all)).find((one) => one.status === 'rejected');
  if (failed !== undefined) throw done.size > 0 ? asPartlyDone(failed.reason) : failed.reason;
  return named.map((one) => done.get(one) as Outcome);
}

/**
 * Batches of one account each that may share a transaction, as far as each is
 * like what is remembered of it; those that may not, and what is left of the
 * others, go by themselves. Each is answered as soon as it is done.
 */
export function commitEach(
  context: Context,
  writer: Sessions,
  inOrder: InOrder,
  batches: readonly NamedDrafts[],
): readonly Promise<readonly Outcome[]>[] {
  const alone = (batch: NamedDrafts, options: CommitOptions = {}) =>
    inOrder.run(batch.pairs, () => commitDrafts(context, writer, batch, options));
  const together = batches.filter((batch) => mayShare(context, inOrder, batch));
  if (together.length < 2) return batches.map((batch) => alone(batch));
  const pairs = new Set(together.flatMap((batch) => [...batch.pairs]));
  const recalled = context.remembered.recall(together.flatMap(({ named }) => named));
  const sharing = inOrder.run(pairs, () => commitFree(context, writer, recalled));
  return batches.map(async (batch) => {
    if (!together.includes(batch)) return alone(batch);
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

/** Nobody waits in a transaction that is shared: its accounts are free here, and so is all that it touches. */
function mayShare(
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
async function commitFree(
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

/** Of one account. */
async function commitOf(
  context: Context,
  writer: Sessions,
  named: readonly Named[],
): Promise<readonly Outcome[]> {
  const { remembered } = context;
  const recalled = remembered.recall(named);
  const accounts = named.slice(0, 1).map(({ draft }) => draft.account);
  const use = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    context.lanes.take(accounts, () => writer.use(work));
  const outcomes: (Outcome | undefined)[] = Array(named.length);
  let left = [...named.keys()];
  const take = (some: readonly (Outcome | undefined)[]): void => {
    for (const [at, outcome] of some.entries()) outcomes[left[at] as number] = outcome;
    left = left.filter((at) => outcomes[at] === undefined);
  };
  const those = (all: readonly Named[]): readonly Named[] =>
    left.length === all.length ? all : left.map((at) => all[at] as Named);
  try {
    if (remembered.suffices(recalled)) {
      const guess = { ...GUESS, recordOf: ({ record }: Named) => record };
      take(await use((session) => commitAtOnce(session, context, recalled, guess)));
    }
    for (let reads = 0; left.length > 0 && reads < MOST_READS; reads++) {
      take(await use((session) => readAndCommit(session, context, those(named))));
    }
    if (left.length > 0) take(await commitInTurn(context, writer, those(named), {}));
  } catch (error) {
    throw left.length < named.length ? asPartlyDone(error) : error;
  }
  remembered.learnAll(recalled, outcomes as Outcome[]);
  return outcomes as Outcome[];
}

/** As if everything were as it is remembered. The positions are yet to come. */
const GUESS = {
  read: false,
  awaited: false,
  positionIn: () => 0,
  standing: { has: () => true },
  receipts: { kept: new Map(), expired: [] },
  removedAt: new Map<string, number>(),
};

/** Nobody waits while this process reads and merges: what others have changed meanwhile is left. */
async function readAndCommit(
  session: Session,
  context: Context,
  named: readonly Named[],
): Promise<readonly (Outcome | undefined)[]> {
  const drafts = named.map(({ draft }) => draft);
  const found = await readKnown(session, context, drafts, {}, context.now());
  return commitAtOnce(session, context, named, { ...found, read: true, positionIn: () => 0 });
}

async function commitInTurn(
  context: Context,
  writer: Sessions,
  named: readonly Named[],
  options: CommitOptions,
): Promise<readonly Outcome[]> {
  const drafts = named.map(({ draft }) => draft);
  const accounts = drafts.map(({ account }) => account);
  return inTurn(context, writer, accounts, {
    read: (session, now) => readKnown(session, context, drafts, options, now),
    write: (session, found, turn) => judge(session, context, { named, options, found, turn }),
  });
}

function comesBack({ restores }: Draft): boolean {
  return restores?.gone !== undefined;
}

interface Whole {
  readonly named: readonly Named[];
  readonly options: CommitOptions;
  readonly found: Found;
  readonly turn: Turn & Begun;
}

function judge(
  session: Session,
  context: Context,
  { named, options, found, turn }: Whole,
): TurnResult<readonly Outcome[]> {
  const { receipt } = options;
  const early = receipt && repeatedOrFull(context, found, receipt);
  if (early !== undefined) return { result: named.map(() => early) };
  const positionIn = (account: string): number => turn.positions.get(account) ?? 0;
  const batch = new Batch(context, { ...found, positionIn }, turn.now);
  const outcomes = named.map((one) => batch.apply(one));
  if (options.atomic && outcomes.some(({ outcome }) => outcome === 'refused')) {
    return { result: outcomes.map(withheld) };
  }
  const drafts = named.map(({ draft }) => draft);
  const { calls, taken } = keeping(context.rooms, {
    records: batch.receipts,
    batch: receipt && { receipt, drafts, outcomes: outcomes.map(toKept) },
    expired: found.receipts.expired,
  });
  const writes: readonly Call<readonly unknown[]>[] = callsToWrite(context, turn, batch);
  const sent = [...writes, ...calls];
  return {
    result: outcomes,
    sent: sent.length === 0 ? undefined : sent.map((one) => session.run(one)),
    taken,
  };
}

/** What the receipt of a batch comes to before anything is done: it is there already, or there is no room for it. */
function repeatedOrFull(
  { rooms }: Context,
  { receipts }: Found,
  receipt: Receipt,
): Repeated | Refused | undefined {
  const kept = receipts.kept.get(receiptName(receipt));
  if (kept !== undefined) return { outcome: 'repeated', receipt: kept };
  return rooms.isFull(receipt.owner) ? { outcome: 'refused', error: receiptsFull() } : undefined;
}
