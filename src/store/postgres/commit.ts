/**
 * A commit of drafts: one round trip where what is remembered of their records
 * suffices, and for the others two, one to read and lock, one to write and commit.
 */

import { hourOf, UPDATED_HOUR } from '../indexed.ts';
import { toKept, withheld } from '../outcomes.ts';
import { receiptsFull } from '../refusals.ts';
import type { CommitOptions, Outcome, Receipt, Refused, Repeated } from '../store.ts';
import { commitAtOnce } from './at-once.ts';
import { Batch, byPair, type Change } from './batch.ts';
import { type Context, draftsFor } from './context.ts';
import { asPartlyDone, Lost, Unsure } from './failure.ts';
import { type Known, readKnown } from './known.ts';
import { type Named, receiptName } from './names.ts';
import { keeping } from './receipts.ts';
import { call, type Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { rollback } from './statements/commits.ts';
import { WRITTEN } from './statements/records.ts';
import { commitWith, untilDone, within } from './transaction.ts';
import { type Writes, wasDone } from './unsure.ts';
import { numberArray, textArray } from './values.ts';

export interface NamedDrafts {
  /** Nobody else is writing one of their pairs here. */
  readonly named: readonly Named[];
  /** Whether each has a pair of its own. */
  readonly apart: boolean;
}

/** `writer` has the sessions that write. */
export async function commitDrafts(
  context: Context,
  writer: Sessions,
  { named, apart }: NamedDrafts,
  options: CommitOptions,
): Promise<readonly Outcome[]> {
  if (named.length === 0 && options.receipt === undefined) return [];
  const carryOut = (some: readonly Named[]): Promise<readonly Outcome[]> =>
    writer.use((session) => untilDone(() => attempt(session, context, some, options)));
  const together =
    options.atomic === true || options.receipt !== undefined || !apart || wantReceiptsRead(named);
  const recalled = context.remembered.recall(named);
  if (together || !context.remembered.suffices(recalled)) {
    const outcomes = await carryOut(named);
    context.remembered.learnAll(recalled, outcomes);
    return outcomes;
  }
  const atOnce = await writer.use((session) => commitAtOnce(session, context, recalled));
  const left = named.filter((_, at) => atOnce[at] === undefined);
  const others =
    left.length === 0
      ? []
      : await carryOut(left).catch((error) => {
          throw left.length < named.length ? asPartlyDone(error) : error;
        });
  let taken = 0;
  const outcomes = atOnce.map((outcome) => outcome ?? (others[taken++] as Outcome));
  context.remembered.keepAll(recalled, outcomes);
  return outcomes;
}

/**
 * Whether a draft builds on the receipt that another one leaves, or a receipt
 * may lie with another account, where no clash tells of it.
 */
function wantReceiptsRead(drafts: readonly Named[]): boolean {
  const receipts = drafts.flatMap(({ draft: { receipt } }) => receipt ?? []);
  if (receipts.some(({ accounts }) => accounts.length > 1)) return true;
  return new Set(receipts.map(receiptName)).size < receipts.length;
}

async function attempt(
  session: Session,
  context: Context,
  named: readonly Named[],
  options: CommitOptions,
): Promise<readonly Outcome[]> {
  const now = context.now();
  const drafts = named.map(({ draft }) => draft);
  const known = await within(session, () => readKnown(session, context, drafts, options, now));
  const { receipt } = options;
  const early = receipt && repeatedOrFull(context, known, receipt);
  if (early !== undefined) {
    await session.run(call(rollback));
    return drafts.map(() => early);
  }
  const batch = new Batch(context, known, now);
  const outcomes = named.map((one) => batch.apply(one));
  if (options.atomic && outcomes.some(({ outcome }) => outcome === 'refused')) {
    await session.run(call(rollback));
    return outcomes.map(withheld);
  }
  const writes: Writes = {
    changes: batch.changes,
    receipts: {
      records: batch.receipts,
      batch: receipt && { receipt, drafts, outcomes: outcomes.map(toKept) },
      expired: known.receipts.expired,
    },
  };
  const { calls, taken } = keeping(context.rooms, writes.receipts);
  const sent = [
    ...sendChanges(session, context, writes.changes),
    ...calls.map((each) => session.run(each)),
  ];
  if (sent.length === 0) {
    await session.run(call(rollback));
    return outcomes;
  }
  try {
    await commitWith(session, sent);
  } catch (error) {
    if (!(error instanceof Unsure)) throw error;
    const done = await wasDone(context, session, writes);
    if (done === undefined) throw error;
    if (!done) throw new Lost('the connection was lost before the commit was done');
  }
  for (const one of taken) context.rooms.take(one);
  return outcomes;
}

/** What the receipt of a batch comes to before anything is done: it is there already, or there is no room for it. */
function repeatedOrFull(
  { rooms }: Context,
  { receipts }: Known,
  receipt: Receipt,
): Repeated | Refused | undefined {
  const kept = receipts.kept.get(receiptName(receipt));
  if (kept !== undefined) return { outcome: 'repeated', receipt: kept };
  return rooms.isFull(receipt.owner) ? { outcome: 'refused', error: receiptsFull() } : undefined;
}

/** One statement for each resource, in the order in which all processes go through them. */
function sendChanges(
  session: Session,
  context: Context,
  changes: readonly Change[],
): Promise<unknown>[] {
  return [...context.tables.values()].flatMap(({ shape }) => {
    const ofShape = changes
      .filter((change) => change.shape.resource === shape.resource)
      .sort(byPair);
    if (ofShape.length === 0) return [];
    const columns = WRITTEN.map(([name, type]) => {
      const values = ofShape.map(({ record }) =>
        name === UPDATED_HOUR ? hourOf(record.updated_at) : record[name],
      );
      return type === 'text'
        ? textArray(values as readonly string[])
        : numberArray(values as readonly number[]);
    });
    const keyColumns = shape.keys.map((_, at) =>
      textArray(ofShape.map(({ keys }) => keys[at] as string)),
    );
    return session.run(call(draftsFor(context, shape.resource).write, ...columns, ...keyColumns));
  });
}
