/**
 * The ordinary commit of drafts: locks their accounts, reads the facts they depend on, judges each, and writes the
 * changes.
 */

import { receiptsFull } from '../../promises/refusals.ts';
import type { CommitOptions, Outcome, Receipt, Refused, Repeated } from '../../promises/store.ts';
import { receiptAmong } from '../../receipt-room.ts';
import { judgeEach, withheld } from '../../records/outcomes.ts';
import type { Context } from '../context.ts';
import type { Named } from '../names.ts';
import { inTurn, type TurnResult } from '../turn/in-turn.ts';
import type { Begun, Turn } from '../turn/turn.ts';
import type { Call, Session } from '../wire/session.ts';
import { Batch } from './batch.ts';
import { callsToWrite } from './changes.ts';
import { type Found, readKnown } from './known.ts';
import { keeping } from './receipts.ts';

export async function commitInTurn(
  context: Context,
  named: readonly Named[],
  options: CommitOptions,
): Promise<readonly Outcome[]> {
  const drafts = named.map(({ draft }) => draft);
  const accounts = drafts.map(({ account }) => account);
  return inTurn<Found, readonly Outcome[]>(
    context,
    accounts,
    {
      read: (session, now) => readKnown(session, context, drafts, options, now),
      write: (session, found, turn) => judge(session, context, { named, options, found, turn }),
    },
    'drafts',
  );
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
  const outcomes = judgeEach(named, options, (one) => batch.apply(one));
  if (options.atomic && outcomes.some(({ outcome }) => outcome === 'refused')) {
    return { result: outcomes.map(withheld) };
  }
  const drafts = named.map(({ draft }) => draft);
  const { calls, taken } = keeping(session.place, turn.token, {
    records: batch.receipts,
    batch: receipt && { receipt, drafts, outcomes },
    expired: found.receipts.expired,
  });
  const writes: readonly Call<readonly unknown[]>[] = callsToWrite(
    context,
    turn,
    batch,
    session.place,
  );
  const sent = [...writes, ...calls];
  return {
    result: outcomes,
    sent: sent.length === 0 ? undefined : sent.map((one) => session.run(one)),
    taken,
  };
}

/** Outcomes that the receipt of a batch decides in advance: it exists already, or there is no space for it. */
function repeatedOrFull(
  { rooms }: Context,
  { receipts }: Found,
  receipt: Receipt,
): Repeated | Refused | undefined {
  const kept = receiptAmong([...receipts.kept.values()], receipt.fingerprint);
  if (kept !== undefined) return { outcome: 'repeated', receipt: kept };
  return rooms.isFull(receipt.owner) ? { outcome: 'refused', error: receiptsFull() } : undefined;
}
