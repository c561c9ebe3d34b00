/** Work that reads and writes in accounts while they are locked for others. Takes two round trips or more. */
import type { Taking } from '../../receipt-room.ts';
import type { Context } from '../context.ts';
import type { Access } from '../placement/placements.ts';
import { awaits, rollback } from '../statements/commits.ts';
import { Moved, Uncertain } from '../wire/failure.ts';
import { type Call, call, type Session } from '../wire/session.ts';
import {
  callsToNumber,
  type Locked,
  type Locking,
  lockAccounts,
  newLocking,
  sweepCommits,
} from './lock.ts';
import { commitWith, untilDone, within } from './transaction.ts';
import { settle } from './uncertain.ts';

/** The result of work under lock. */
export interface LockedResult<T> {
  readonly result: T;
  /** The rows to write; `undefined` if there is nothing to commit. */
  readonly calls?: readonly Call<readonly unknown[]>[] | undefined;
  /** The space that it takes for receipts, once committed. */
  readonly taken?: readonly Taking[];
}

/**
 * Does work while these accounts are locked. `read` is called at once, so that what it sends takes the same round trip;
 * then `write` with what it gave. Work that changes nothing is committed all the same where commits wait for a standby:
 * what it has seen may not be there yet.
 *
 * Throws `Lost` where nothing was done, and `Uncertain` where that is unknown.
 */
export async function underLock<Read, T>(
  context: Context,
  accounts: Iterable<string>,
  {
    read,
    write,
  }: {
    readonly read: (session: Session, locking: Locking) => Promise<Read>;
    readonly write: (
      session: Session,
      read: Read,
      locked: Locked,
    ) => Promise<LockedResult<T>> | LockedResult<T>;
  },
  access: Access = 'locked',
): Promise<T> {
  const sorted = [...new Set(accounts)].sort();
  const attempt = async (session: Session): Promise<T> => {
    const locking = newLocking(sorted, context.machine(), access === 'shared');
    const { result, calls, taken, locked } = await within(session, async () => {
      const [locked, here, seen] = await Promise.all([
        lockAccounts(session, locking),
        session.place.hold(session),
        read(session, locking),
      ]);
      if (!here) throw new Moved();
      return { locked, ...(await write(session, seen, locked)) };
    });
    if (calls === undefined && !locked.awaited) {
      await session.run(call(rollback));
      return result;
    }
    const numbering = callsToNumber(locking, locked.positions, session.place);
    const sent = [...numbering, ...(calls ?? [])].map((one) => session.run(one));
    try {
      await commitWith(session, sent);
    } catch (error) {
      if (!(error instanceof Uncertain)) throw error;
      await settle(context, { ...locking, accounts: [...locked.positions.keys()] }, error);
    }
    context.rooms.take(taken ?? []);
    sweepCommits(context, locked.positions);
    return result;
  };
  return context.accountQueues.run(sorted, async () =>
    context.placements.at(sorted, access).use((session) => untilDone(() => attempt(session), true)),
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
  for (const account of waiting.flat()) await underLock(context, [account], nothing);
}
