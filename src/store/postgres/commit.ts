/** A commit of drafts: two round trips, one to read and lock, one to write and commit. */

import { hourOf, storedKey, UPDATED_HOUR } from '../indexed.ts';
import { toKept, withheld } from '../outcomes.ts';
import type { CommitOptions, Draft, Outcome } from '../store.ts';
import { Batch, type Change } from './batch.ts';
import { type Context, draftsFor } from './context.ts';
import { Lost, Unsure } from './failure.ts';
import { readKnown, receiptName } from './known.ts';
import { type BatchReceipt, compare, sendReceipts } from './receipts.ts';
import { call, type Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { rollback } from './statements/commits.ts';
import { WRITTEN } from './statements/records.ts';
import { commitWith, untilDone, within } from './transaction.ts';
import { type Writes, wasDone } from './unsure.ts';
import { numberArray, textArray } from './values.ts';

/** `writer` has one session: the drafts of one process are committed one batch after the other. */
export async function commitDrafts(
  context: Context,
  writer: Sessions,
  drafts: readonly Draft[],
  options: CommitOptions,
): Promise<readonly Outcome[]> {
  if (drafts.length === 0 && options.receipt === undefined) return [];
  return writer.use((session) => untilDone(() => attempt(session, context, drafts, options)));
}

async function attempt(
  session: Session,
  context: Context,
  drafts: readonly Draft[],
  options: CommitOptions,
): Promise<readonly Outcome[]> {
  const now = context.now();
  const known = await within(session, () => readKnown(session, context, drafts, options, now));
  const { receipt } = options;
  const kept = receipt === undefined ? undefined : known.receipts.get(receiptName(receipt));
  if (kept !== undefined) {
    await session.run(call(rollback));
    return drafts.map(() => ({ outcome: 'repeated', receipt: kept }));
  }
  const batch = new Batch(context, known, now);
  const outcomes = drafts.map((draft) => batch.apply(draft));
  if (options.atomic && outcomes.some(({ outcome }) => outcome === 'refused')) {
    await session.run(call(rollback));
    return outcomes.map(withheld);
  }
  const writes: Writes = {
    changes: batch.changes,
    receipts: {
      records: batch.receipts,
      batch: receipt === undefined ? undefined : batchReceipt(receipt, drafts, outcomes),
      expired: known.expired,
    },
  };
  const sent = [
    ...sendChanges(session, context, writes.changes),
    ...sendReceipts(session, writes.receipts, now),
  ];
  if (sent.length === 0) {
    await session.run(call(rollback));
    return outcomes;
  }
  try {
    await commitWith(session, sent);
  } catch (error) {
    if (!(error instanceof Unsure)) throw error;
    const transaction = { mark: known.mark, process: session.process };
    const done = await wasDone(context, transaction, writes);
    if (done === undefined) throw error;
    if (!done) throw new Lost('the connection was lost before the commit was done');
  }
  return outcomes;
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
      .sort((x, y) => compare(nameOf(x), nameOf(y)));
    if (ofShape.length === 0) return [];
    const columns = WRITTEN.map(([name, type]) => {
      const values = ofShape.map(({ record }) =>
        name === UPDATED_HOUR ? hourOf(record.updated_at) : record[name],
      );
      return type === 'text'
        ? textArray(values as readonly string[])
        : numberArray(values as readonly number[]);
    });
    const keys = shape.keys.map((key) =>
      textArray(ofShape.map(({ document }) => storedKey(key, document))),
    );
    return session.run(call(draftsFor(context, shape.resource).write, ...columns, ...keys));
  });
}

function nameOf({ record }: Change): string {
  return `${record.account}\0${record.external_identifier}\0${record.parent}`;
}

function batchReceipt(
  receipt: BatchReceipt['receipt'],
  drafts: readonly Draft[],
  outcomes: readonly Outcome[],
): BatchReceipt {
  const accounts = new Set(drafts.map(({ account }) => account));
  return { receipt, drafts: outcomes.map(toKept), accounts };
}
