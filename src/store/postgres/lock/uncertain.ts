/** Settles whether a commit was done whose answer did not come. */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable, StoreUnsure } from '../../promises/store.ts';
import type { Context } from '../context.ts';
import { changedBy, find, lock } from '../statements/commits.ts';
import { Lost, Moved, Uncertain } from '../wire/failure.ts';
import { call, type Session } from '../wire/session.ts';
import { callsToNumber, type Locking, newLocking } from './lock.ts';
import { commitWith, within } from './transaction.ts';

/** How long it is tried: the caller has waited for the connection already. */
const PATIENCE_MS = 2_000;

/**
 * Looks under the lock of each account whether the commit with the token of `lost` was done, and what it changed there.
 * Throws `Lost` where it was not done and never will be, and `Uncertain` where that is unknown.
 *
 * A commit that is not visible proves nothing: it may still be on its way, through a socket or a pooler. So a look that
 * does not find its token commits that token itself, which then fails the late commit. And a visible one does not prove
 * that a standby has it: a look that finds it commits something behind it, which waits for the standby.
 */
export async function settle(context: Context, lost: Locking, cause: unknown) {
  const until = performance.now() + PATIENCE_MS;
  const patience = new AbortController();
  const over = pause(PATIENCE_MS, undefined, { signal: patience.signal }).then(() => {
    throw new Uncertain(cause);
  });
  // Another server may have taken the place of the one that did not answer.
  context.placements.doubt(lost.accounts);
  try {
    return await Promise.race([settleEach(context, lost, until), over]);
  } catch (error) {
    throw error instanceof StoreUnavailable ? new Uncertain(cause) : error;
  } finally {
    patience.abort();
    over.catch(() => undefined);
  }
}

/** One account after the other: a commit that fails in one of them is done in none. */
async function settleEach({ placements }: Context, lost: Locking, until: number) {
  const done = [];
  for (const account of lost.accounts) {
    const there = placements.at([account], 'locked');
    const found = await tryUntil(until, () =>
      there.use((session) => settleOn(session, account, lost)),
    );
    if (found !== undefined) done.push(found);
  }
  if (done.length === 0) throw new Lost('the connection was lost before the commit was done');
  return done;
}

async function tryUntil<T>(until: number, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      // Once a token may be there that was put in the commit's place, it proves nothing any more.
      const again = error instanceof StoreUnavailable && !(error instanceof StoreUnsure);
      if (!again || performance.now() >= until) throw error;
      await pause(50);
    }
  }
}

async function settleOn(session: Session, account: string, { token, now }: Locking) {
  const { done, sent } = await within(session, async () => {
    const [, [row], changed, here] = await Promise.all([
      session.rows(call(lock, account)),
      session.rows(call(find, account, token)),
      session.rows(call(changedBy, account, token)),
      session.place.hold(session),
    ]);
    if (!here) throw new Moved();
    if (row === undefined) return { done: undefined, sent: [] };
    const [position, last] = row;
    /** The unique identifiers of the records that it changed. */
    const records = new Set(changed.map(([record]) => record));
    const done = position === null ? undefined : { account, position, records };
    const own = { ...newLocking([account], now), ...(done === undefined ? { token } : {}) };
    const sent = callsToNumber(own, new Map([[account, last + 1]]), session.place);
    return { done, sent: sent.map((one) => session.run(one)) };
  });
  await commitWith(session, sent);
  return done;
}
