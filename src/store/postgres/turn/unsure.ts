/** Settles whether a commit was done whose answer did not come. */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable, StoreUnsure } from '../../promises/store.ts';
import type { Context } from '../context.ts';
import { changedBy, find, lock } from '../statements/commits.ts';
import { Lost, Moved, Unsure } from '../wire/failure.ts';
import { call, type Session } from '../wire/session.ts';
import { commitWith, within } from './transaction.ts';
import { callsToNumber, newTurn, type Turn } from './turn.ts';

/** How long it is tried: the caller has waited for the connection already. */
const PATIENCE_MS = 2_000;

/** A commit of which it is known by now that it was done. */
export interface Settled {
  readonly account: string;
  readonly position: number;
  /** The unique identifiers of the records that it changed. */
  readonly records: ReadonlySet<string>;
}

/**
 * Looks in a turn of each of the accounts whether the commit with the token of `lost` was done, and what it changed there.
 * Throws `Lost` where it was not done and never will be, and `Unsure` where that is unknown.
 *
 * A commit that is not visible proves nothing: it may still be on its way, through a socket or a pooler. So a look that
 * does not find its token commits that token itself, which then fails the late commit. And a visible one does not prove
 * that a standby has it: a look that finds it commits something behind it, which waits for the standby.
 */
export async function settle(
  context: Context,
  lost: Turn,
  cause: unknown,
): Promise<readonly Settled[]> {
  const until = performance.now() + PATIENCE_MS;
  const patience = new AbortController();
  const over = pause(PATIENCE_MS, undefined, { signal: patience.signal }).then(() => {
    throw new Unsure(cause);
  });
  // Another server may have taken the place of the one that did not answer.
  context.placements.doubt(lost.accounts);
  try {
    return await Promise.race([settleEach(context, lost, until), over]);
  } catch (error) {
    throw error instanceof StoreUnavailable ? new Unsure(cause) : error;
  } finally {
    patience.abort();
    over.catch(() => undefined);
  }
}

/** One account after the other: a commit that fails in one of them is done in none. */
async function settleEach(
  context: Context,
  lost: Turn,
  until: number,
): Promise<readonly Settled[]> {
  const done: Settled[] = [];
  for (const account of lost.accounts) {
    const found = await tryToSettle(context, { ...lost, account }, until);
    if (found !== undefined) done.push(found);
  }
  if (done.length === 0) throw new Lost('the connection was lost before the commit was done');
  return done;
}

type LostIn = Turn & Pick<Settled, 'account'>;

async function tryToSettle(
  { placements }: Context,
  lost: LostIn,
  until: number,
): Promise<Settled | undefined> {
  for (;;) {
    try {
      const there = placements.at([lost.account], 'turns');
      return await there.use((session) => settleOn(session, lost));
    } catch (error) {
      // Once a token may be there that was put in the commit's place, it proves nothing any more.
      const again = error instanceof StoreUnavailable && !(error instanceof StoreUnsure);
      if (!again || performance.now() >= until) throw error;
      await pause(50);
    }
  }
}

async function settleOn(
  session: Session,
  { account, token, now }: LostIn,
): Promise<Settled | undefined> {
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
    const records = new Set(changed.map(([record]) => record));
    const done = position === null ? undefined : { account, position, records };
    const own = { ...newTurn([account], now), ...(done === undefined ? { token } : {}) };
    const sent = callsToNumber(own, new Map([[account, last + 1]]), session.place);
    return { done, sent: sent.map((one) => session.run(one)) };
  });
  await commitWith(session, sent);
  return done;
}
