/** Old commits go, some at a time, so that their table holds what is needed and no more. */
import type { Context } from '../context.ts';
import { sweep } from '../statements/commits.ts';
import { call } from '../wire/session.ts';

/**
 * The minimum time a commit is stored, unless it is the last of its account: a client that lost its answer asks within
 * seconds, and a message that a pooler still delays is gone after minutes.
 */
const KEPT_MS = 60 * 60 * 1000;
/** Every this many commits of an account one process sweeps, and more than these. */
const EVERY = 512;
const MAX_SWEPT = 2 * EVERY;

/** To be called with the positions of each commit, by account. It is not awaited; what fails is done the next time. */
export function sweepCommits(context: Context, positions: ReadonlyMap<string, number>): void {
  for (const [account, position] of positions) {
    if (position % EVERY === 0) sweepBelow(context, account, position).catch(() => undefined);
  }
}

/**
 * Goes on where the last sweep ended. What was removed before stays in the index while any snapshot is open, and is not
 * scanned again.
 */
async function sweepBelow(
  { placements, swept, now }: Context,
  account: string,
  position: number,
): Promise<void> {
  const from = swept.get(account) ?? 0;
  const before = now() - KEPT_MS;
  const there = placements.at([account], 'turns');
  const gone = await there.rows(call(sweep, account, position, before, MAX_SWEPT, from));
  const last = gone.reduce((most, [one]) => Math.max(most, Number(one)), from);
  if (last > from) swept.set(account, last);
}
