/** Transactions: all statements sent before the first answer arrives, `BEGIN` included, take one round trip. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Placements } from '../placement/placements.ts';
import { begin, commit, rollback } from '../statements/commits.ts';
import { asRefusal, isClash, isTaken, isUndone, Moved, Uncertain } from '../wire/failure.ts';
import { call, type Session } from '../wire/session.ts';
import type { Sessions } from '../wire/sessions.ts';

/** How often work starts over because another writer was in its way. */
const MAX_CLASHES = 10;

/** How often a value is found taken, where accounts are locked, before it is believed that nobody gives it back. */
const MAX_TAKEN = 3;

/**
 * Does work again that other writers were in the way of: nothing of it was committed then. Those who have locked what they
 * write (`alone`) meet others in receipts only, and see these the next time. Throws `StoreRefusal` where a value stays
 * taken for them.
 */
export async function untilDone<T>(work: () => Promise<T>, alone = false): Promise<T> {
  for (let clashes = 0; ; clashes++) {
    try {
      return await work();
    } catch (error) {
      if (!isClash(error)) throw error;
      if (alone && clashes >= MAX_TAKEN && isTaken(error)) throw asRefusal(error);
      if (clashes === MAX_CLASHES) throw error;
      await pause(Math.random() * clashes * 5);
    }
  }
}

/** Does the work in a transaction, as often as others are in its way. */
export function inTransaction<T>(
  sessions: Pick<Sessions, 'use'>,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return sessions.use((session) => untilDone(() => transact(session, () => work(session))));
}

/** Does the same at the server of an account, from which it does not move meanwhile. */
export function inAccount<T>(
  placements: Placements,
  account: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return inTransaction(placements.at([account], 'locked'), async (session) => {
    if (!(await session.place.hold(session))) throw new Moved();
    return work(session);
  });
}

/** Does the work and commits it, unless it throws. */
export async function transact<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const result = await within(session, work);
  await commitWith(session, []);
  return result;
}

/** Begins a transaction for the work to go on in; where it throws, nothing is left of either. */
export async function within<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const began = session.run(call(begin));
  try {
    const [, result] = await Promise.all([began, work()]);
    return result;
  } catch (error) {
    await takeBack(session);
    throw error;
  }
}

/**
 * Commits, together with the last statements, which were sent just before. Throws `Uncertain` where it is unknown whether
 * it was done, and otherwise nothing was done.
 */
export async function commitWith(session: Session, statements: readonly Promise<unknown>[]) {
  const committing = session.run(call(commit));
  const [done, ...others] = await Promise.allSettled([committing, ...statements]);
  if (done.status === 'fulfilled' && done.value.command === 'COMMIT') {
    session.assertWaited();
    return;
  }
  const failed = others.find((other) => other.status === 'rejected');
  if (done.status === 'fulfilled') {
    throw failed?.reason ?? new TypeError('A commit was refused without a reason.');
  }
  if (isUndone(failed?.reason)) {
    await takeBack(session);
    throw failed?.reason;
  }
  if (isUndone(done.reason)) throw done.reason;
  throw new Uncertain(done.reason);
}

/** Where the connection is gone the server does it by itself. */
async function takeBack(session: Session): Promise<void> {
  if (session.usable) await session.run(call(rollback)).catch(() => undefined);
}
