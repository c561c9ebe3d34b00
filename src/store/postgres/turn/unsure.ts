/** Settles whether a commit was done whose answer did not come. */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable, StoreUnsure } from '../../promises/store.ts';
import type { Context } from '../context.ts';
import { find, lock } from '../statements/commits.ts';
import { Moved, Unsure } from '../wire/failure.ts';
import { call, type Session } from '../wire/session.ts';
import { commitWith, within } from './transaction.ts';
import { callsToNumber, newTurn, type Turn } from './turn.ts';

/** How long it is tried: the caller has waited for the connection already. */
const PATIENCE_MS = 2_000;

/** Where a commit was done in an account, and how far the account has come since. */
export interface Place {
  readonly account: string;
  readonly position: number;
  readonly last: number;
}

type Look<T> = (session: Session, place: Place) => Promise<T>;

/**
 * Looks in a turn of each of the accounts whether the commit with the token of `lost` was done, and returns the result
 * of `look` where it was; nothing where it was not done and never will be. Throws `Unsure` where that is unknown.
 *
 * A commit that is not visible proves nothing: it may still be on its way, through a socket or a pooler. So a look that
 * does not find its token commits that token itself, which then fails the late commit. And a visible one does not prove
 * that a standby has it: a look that finds it commits something behind it, which waits for the standby.
 */
export async function settle<T>(
  context: Context,
  lost: Turn,
  look: Look<T>,
  cause: unknown,
): Promise<readonly T[]> {
  const until = performance.now() + PATIENCE_MS;
  const patience = new AbortController();
  const over = pause(PATIENCE_MS, undefined, { signal: patience.signal }).then(() => {
    throw new Unsure(cause);
  });
  // Another server may have taken the place of the one that did not answer.
  context.placements.doubt(lost.accounts);
  try {
    return await Promise.race([settleEach(context, lost, look, until), over]);
  } catch (error) {
    throw error instanceof StoreUnavailable ? new Unsure(cause) : error;
  } finally {
    patience.abort();
    over.catch(() => undefined);
  }
}

/** One account after the other: a commit that fails in one of them is done in none. */
async function settleEach<T>(
  context: Context,
  lost: Turn,
  look: Look<T>,
  until: number,
): Promise<readonly T[]> {
  const seen: T[] = [];
  for (const account of lost.accounts) {
    seen.push(...(await tryToSettle(context, { ...lost, account }, look, until)));
  }
  return seen;
}

type LostIn = Turn & Pick<Place, 'account'>;

async function tryToSettle<T>(
  { placements }: Context,
  lost: LostIn,
  look: Look<T>,
  until: number,
): Promise<readonly T[]> {
  for (;;) {
    try {
      const there = placements.at([lost.account], 'turns');
      return await there.use((session) => settleOn(session, lost, look));
    } catch (error) {
      // Once a token may be there that was put in the commit's place, it proves nothing any more.
      const again = error instanceof StoreUnavailable && !(error instanceof StoreUnsure);
      if (!again || performance.now() >= until) throw error;
      await pause(50);
    }
  }
}

async function settleOn<T>(
  session: Session,
  { account, token, now }: LostIn,
  look: Look<T>,
): Promise<readonly T[]> {
  const { seen, sent } = await within(session, async () => {
    const [, [row], here] = await Promise.all([
      session.rows(call(lock, account)),
      session.rows(call(find, account, token)),
      session.place.hold(session),
    ]);
    if (!here) throw new Moved();
    if (row === undefined) return { seen: [], sent: [] };
    const [position, last] = row;
    const done = position !== null;
    const seen = done ? [await look(session, { account, position, last })] : [];
    const own = { ...newTurn([account], now), ...(done ? {} : { token }) };
    const sent = callsToNumber(own, new Map([[account, last + 1]]), session.place);
    return { seen, sent: sent.map((one) => session.run(one)) };
  });
  await commitWith(session, sent);
  return seen;
}
