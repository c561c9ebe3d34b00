/** Old commits go, some at a time, so that their table holds what is needed and no more. */
import type { Context } from '../context.ts';
import { sweep } from '../statements/commits.ts';
import { call } from '../wire/session.ts';

/**
 * How long a commit is kept at least, unless it is the last of its account:
 * whoever lost the answer to it asks within seconds, and a message that a pooler
 * still holds back is gone after minutes.
 */
const KEPT_MS = 60 * 60 * 1000;
/** After each so many commits of an account somebody sweeps, and more than these. */
const EVERY = 512;
const MAX_SWEPT = 2 * EVERY;

/** To be told of the positions of each commit, by account. Nobody waits for it; what fails is done the next time. */
export function sweepCommits(context: Context, positions: ReadonlyMap<string, number>): void {
  for (const [account, position] of positions) {
    if (position % EVERY === 0) sweepBelow(context, account, position).catch(() => undefined);
  }
}

/**
 * Goes on where the last sweep ended. What was removed before stays in the index
 * while anybody holds a snapshot, and is not passed by again.
 */
async function sweepBelow(
  { sessions, swept, now }: Context,
  account: string,
  position: number,
): Promise<void> {
  const from = swept.get(account) ?? 0;
  const before = now() - KEPT_MS;
  const gone = await sessions.rows(call(sweep, account, position, before, MAX_SWEPT, from));
  const last = gone.reduce((most, [one]) => Math.max(most, Number(one)), from);
  if (last > from) swept.set(account, last);
}
