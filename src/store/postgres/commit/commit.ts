/**
 * The ordinary commit of drafts: locks their accounts, reads the facts they depend on, judges each, and writes the
 * changes.
 */

import { receiptsFull } from '../../promises/refusals.ts';
import type { CommitOptions, Outcome, Receipt, Refused, Repeated } from '../../promises/store.ts';
import { receiptAmong } from '../../receipt-room.ts';
import { judgeEach, withheld } from '../../records/judge.ts';
import type { Context } from '../context.ts';
import type { Named } from '../names.ts';
import { inTurn, type TurnResult } from '../turn/in-turn.ts';
import type { Begun, Turn } from '../turn/turn.ts';
import type { Session } from '../wire/session.ts';
import { Batch } from './batch.ts';
import { callsToWrite } from './changes.ts';
import { type Known, readKnown } from './known.ts';
import { type FoundReceipts, keeping, receiptsOfBatch } from './receipts.ts';

/** `undefined` for drafts that are left, since a `shared` commit leaves out accounts that are closed or that others have locked. */
export async function commitInTurn(
  context: Context,
  named: readonly Named[],
  options: CommitOptions,
  doing: 'drafts' | 'shared' = 'drafts',
): Promise<readonly (Outcome | undefined)[]> {
  const accounts = named.map(({ draft }) => draft.account);
  return inTurn<Omit<Known, 'erased'>, readonly (Outcome | undefined)[]>(
    context,
    accounts,
    {
      read: (session, turn) => readKnown(session, context, named, options, turn),
      async write(session, found, turn) {
        const isOwn = ({ draft }: Named) => !turn.shared || turn.positions.has(draft.account);
        const own = named.filter(isOwn);
        const marked = own.flatMap(({ draft }) => (turn.marked.has(draft.account) ? draft : []));
        const known = { ...found, erased: await context.erased.among(session, marked) };
        const { result, ...writes } = judge(session, context, { named: own, options, known, turn });
        const outcomes = result.values();
        return {
          ...writes,
          result: named.map((one) => (isOwn(one) ? outcomes.next().value : undefined)),
        };
      },
    },
    doing,
  );
}

interface Whole {
  readonly named: readonly Named[];
  readonly options: CommitOptions;
  readonly known: Known;
  readonly turn: Turn & Begun;
}

function judge(
  { place }: Session,
  context: Context,
  { named, options, known, turn }: Whole,
): TurnResult<readonly Outcome[]> {
  const { receipt } = options;
  const early = receipt && repeatedOrFull(context, known.receipts, receipt);
  if (early !== undefined) return { result: named.map(() => early) };
  const batch = new Batch(context, known, turn);
  const outcomes = judgeEach(named, options, (one) => batch.apply(one));
  if (options.atomic && outcomes.some(({ outcome }) => outcome === 'refused')) {
    return { result: outcomes.map(withheld) };
  }
  const drafts = named.map(({ draft }) => draft);
  const ofAll = receipt === undefined ? [] : receiptsOfBatch(receipt, drafts, outcomes);
  const kept = keeping(place, [...batch.receipts, ...ofAll], known.receipts.expired);
  const calls = [...callsToWrite(context, turn, batch, place), ...kept.calls];
  return { result: outcomes, calls: calls.length === 0 ? undefined : calls, taken: kept.taken };
}

/** Outcomes that the receipt of a batch decides in advance: it exists already, or there is no space for it. */
function repeatedOrFull(
  { rooms }: Context,
  { kept }: FoundReceipts,
  receipt: Receipt,
): Repeated | Refused | undefined {
  const found = receiptAmong([...kept.values()], receipt.fingerprint);
  if (found !== undefined) return { outcome: 'repeated', receipt: found };
  return rooms.isFull(receipt.owner) ? { outcome: 'refused', error: receiptsFull() } : undefined;
}
