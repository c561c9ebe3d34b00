/** Work that reads and writes in accounts while they are locked for others. Takes two round trips or more. */

import type { Taking } from '../../receipt-room.ts';
import type { Context } from '../context.ts';
import type { Access } from '../placement/placements.ts';
import { awaits, rollback } from '../statements/commits.ts';
import { Moved, Unsure } from '../wire/failure.ts';
import { type Call, call, type Session } from '../wire/session.ts';
import { sweepCommits } from './sweep.ts';
import { commitWith, untilDone, within } from './transaction.ts';
import { type Begun, callsToNumber, lockAccounts, newTurn, type Turn } from './turn.ts';
import { settle } from './unsure.ts';

/** The result of work in a turn. */
export interface TurnResult<T> {
  readonly result: T;
  /** The rows to write; `undefined` if there is nothing to commit. */
  readonly calls?: readonly Call<readonly unknown[]>[] | undefined;
  /** The space that it takes for receipts, once committed. */
  readonly taken?: readonly Taking[];
}

/**
 * Does work in a turn of these accounts. `read` is called at once, so that what it sends takes the same round trip;
 * then `write` with what it gave. Work that changes nothing is committed all the same where commits wait for a standby:
 * what it has seen may not be there yet.
 *
 * Throws `Lost` where nothing was done, and `Unsure` where that is unknown.
 */
export async function inTurn<Read, T>(
  context: Context,
  accounts: Iterable<string>,
  {
    read,
    write,
  }: {
    readonly read: (session: Session, turn: Turn) => Promise<Read>;
    readonly write: (
      session: Session,
      read: Read,
      turn: Turn & Begun,
    ) => Promise<TurnResult<T>> | TurnResult<T>;
  },
  access: Access = 'turns',
): Promise<T> {
  const inOrder = [...new Set(accounts)].sort();
  const attempt = async (session: Session): Promise<T> => {
    const turn = newTurn(inOrder, context.now(), access === 'shared');
    const { result, calls, taken, begun } = await within(session, async () => {
      const [begun, here, seen] = await Promise.all([
        lockAccounts(session, turn),
        session.place.hold(session),
        read(session, turn),
      ]);
      if (!here) throw new Moved();
      return { begun, ...(await write(session, seen, { ...turn, ...begun })) };
    });
    if (calls === undefined && !begun.awaited) {
      await session.run(call(rollback));
      return result;
    }
    const sent = [...callsToNumber(turn, begun.positions, session.place), ...(calls ?? [])];
    try {
      await commitWith(
        session,
        sent.map((one) => session.run(one)),
      );
    } catch (error) {
      if (!(error instanceof Unsure)) throw error;
      const lost = { ...turn, accounts: [...begun.positions.keys()] };
      await settle(context, lost, error);
    }
    context.rooms.take(taken ?? []);
    sweepCommits(context, begun.positions);
    return result;
  };
  return context.lanes.take(inOrder, async () =>
    context.placements.at(inOrder, access).use((session) => untilDone(() => attempt(session))),
  );
}

/**
 * Resolves when standbys have all that was seen in these accounts, where commits
 * wait for any: what a session that was ended has committed is seen before they have it.
 */
export async function confirm(context: Context, accounts: readonly string[]): Promise<void> {
  const waiting = await context.placements.each(accounts, async (session, own) => {
    const [[awaited] = []] = await session.rows(call(awaits));
    return awaited ? own : [];
  });
  const nothing = { read: async () => undefined, write: () => ({ result: undefined }) };
  for (const account of waiting.flat()) await inTurn(context, [account], nothing);
}
