/**
 * A commit in one round trip: drafts are merged with what is remembered of their
 * records, and written where the store has the same. Those for which it has not
 * are left, and so are those that write nothing: what they are answered wants a look.
 */
import type { Written } from '../store.ts';
import { callsToKeep, callsToWrite, sizeOf } from './at-once-calls.ts';
import { Batch, type Change } from './batch.ts';
import type { Context } from './context.ts';
import { isClash, isStatementError, Lost, Unsure } from './failure.ts';
import type { Named } from './names.ts';
import type { RecordReceipt } from './receipts.ts';
import type { Session } from './session.ts';
import { keepStanding } from './statements/commits.ts';
import { whichWereDone } from './unsure.ts';

/** What was written, by unique identifier. */
interface Done {
  readonly mark: number;
  has(unique_identifier: string): boolean;
}

/**
 * What became of each draft, each of a pair and a receipt of its own; `undefined`
 * for those that are left. Throws `Lost` where the connection was lost and
 * nothing was done, and `Unsure` where nobody can tell what was.
 */
export async function commitAtOnce(
  session: Session,
  context: Context,
  drafts: readonly Named[],
): Promise<readonly (Written | undefined)[]> {
  const now = context.now();
  const { outcomes, changes, receipts } = mergeAll(context, drafts, now);
  if (changes.length === 0) return outcomes;
  const done = await write(session, context, { changes, receipts, now });
  for (const one of receipts) {
    if (!done.has(one.record.unique_identifier)) continue;
    context.rooms.take({ owner: one.receipt.owner, bytes: sizeOf(context, one) });
  }
  return outcomes.map((outcome, at) => {
    if (outcome === undefined) return undefined;
    const { draft, pair } = drafts[at] as Named;
    const written = done.has(outcome.record.unique_identifier);
    context.remembered.learn(draft.shape.resource, outcome.outcome === 'updated', !written);
    if (!written) {
      context.remembered.forget(pair);
      return undefined;
    }
    return { ...outcome, record: { ...outcome.record, mark: done.mark } };
  });
}

interface Merged {
  readonly outcomes: readonly (Written | undefined)[];
  readonly changes: readonly Change[];
  readonly receipts: readonly RecordReceipt[];
}

/** As if everything were as it is remembered. The marks are yet to come. */
function mergeAll(context: Context, drafts: readonly Named[], now: number): Merged {
  const known = {
    mark: 0,
    standing: { has: () => true },
    recordOf: ({ record }: Named) => record,
    receipts: { kept: new Map(), expired: [] },
  };
  const batch = new Batch(context, known, now);
  const outcomes = drafts.map((named) => {
    const outcome = batch.apply(named);
    return outcome.outcome === 'created' || outcome.outcome === 'updated' ? outcome : undefined;
  });
  return { outcomes, changes: batch.changes, receipts: batch.receipts };
}

/** Usually none is left: V8 would enter each identifier that is looked up in a set in its table of strings. */
function allBut(left: readonly string[]): Done['has'] {
  if (left.length === 0) return () => true;
  const set = new Set(left);
  return (identifier) => !set.has(identifier);
}

interface Writes {
  readonly changes: readonly Change[];
  readonly receipts: readonly RecordReceipt[];
  readonly now: number;
}

async function write(session: Session, context: Context, writes: Writes): Promise<Done> {
  const { changes, receipts, now } = writes;
  const calls = callsToWrite(context, changes, now);
  try {
    const [[marked] = [], ...results] = await session.bundle([
      keepStanding(new Set(changes.map(({ record }) => record.account))),
      ...calls,
      ...callsToKeep(context, changes, receipts),
    ]);
    const left = results.slice(0, calls.length).flatMap(([row]) => row?.[0]?.split(',') ?? []);
    return { mark: Number(marked?.[0]), has: allBut(left) };
  } catch (error) {
    // Somebody else was writing the same, and this was taken back.
    if (isClash(error)) return { mark: 0, has: () => false };
    if (isStatementError(error)) throw error;
    const done = await whichWereDone(context, session, changes);
    if (done === undefined) throw new Unsure(error);
    if (done.size === 0) throw new Lost('the connection was lost before the commit was done');
    const [mark = 0] = done.values();
    return { mark, has: (identifier) => done.has(identifier) };
  }
}
