/** Settles whether a commit was done whose answer did not come. */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable, StoreUnsure } from '../../promises/store.ts';
import type { Context } from '../context.ts';
import { append, find, lock } from '../statements/commits.ts';
import { Unsure } from '../wire/failure.ts';
import { call, type Session } from '../wire/session.ts';
import { commitWith, within } from './transaction.ts';
import { newToken, type Turn } from './turn.ts';

/** How long it is tried: the caller has waited for the connection already. */
const PATIENCE_MS = 2_000;

/** Where a commit was done in an account, and how far the account has come since. */
export interface Place {
  readonly account: string;
  readonly position: number;
  readonly last: number;
}

/**
 * What `look` sees, in a turn of all the accounts, if the commit with the token of `lost` was done, in those where it
 * was; `undefined` where it was not done and never will be. Throws `Unsure` where that is unknown.
 *
 * A commit that is not visible proves nothing: it may still be on its way, through a socket or a pooler. So a look that
 * does not find its token commits that token itself, which then fails the late commit. And a visible one does not prove
 * that a standby has it: a look that finds it commits something behind it, which waits for the standby.
 */
export async function settle<T>(
  context: Context,
  lost: Turn,
  look: (session: Session, places: readonly Place[]) => Promise<T>,
  cause: unknown,
): Promise<T | undefined> {
  const until = performance.now() + PATIENCE_MS;
  const patience = new AbortController();
  const over = pause(PATIENCE_MS, undefined, { signal: patience.signal }).then(() => {
    throw new Unsure(cause);
  });
  try {
    return await Promise.race([tryToSettle(context, lost, look, until), over]);
  } catch (error) {
    throw error instanceof StoreUnavailable ? new Unsure(cause) : error;
  } finally {
    patience.abort();
    over.catch(() => undefined);
  }
}

async function tryToSettle<T>(
  { sessions }: Context,
  lost: Turn,
  look: (session: Session, places: readonly Place[]) => Promise<T>,
  until: number,
): Promise<T | undefined> {
  for (;;) {
    try {
      return await sessions.use((session) => settleOn(session, lost, look));
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
  { accounts, token, now }: Turn,
  look: (session: Session, places: readonly Place[]) => Promise<T>,
): Promise<T | undefined> {
  const { seen, sent } = await within(session, async () => {
    const found = accounts.map(async (account): Promise<readonly Place[]> => {
      const [, [row]] = await Promise.all([
        session.rows(call(lock, account)),
        session.rows(call(find, account, token)),
      ]);
      const [position, last = 0] = row ?? [null];
      return position === null ? [] : [{ account, position, last }];
    });
    const places = (await Promise.all(found)).flat();
    const done = places.length > 0;
    const seen = done ? await look(session, places) : undefined;
    const follow = done ? places.map(({ account }) => account) : accounts;
    const own = done ? newToken() : token;
    return { seen, sent: follow.map((account) => session.run(call(append, account, own, now))) };
  });
  await commitWith(session, sent);
  return seen;
}
