/** The place in the log of changes from which an endpoint is sent them again. */
import { ApiError, type Faults } from '../../../core/errors.ts';
import { changeId, readChangeId } from '../../../core/schema/id.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import type { ChangeCursor, ChangeLog } from '../../../store/promises/log.ts';

/** Exactly one of the two must be given. */
export function checkReplay({ starting_after, since }: JsonObject, faults: Faults): void {
  const given = [starting_after, since].filter((one) => one !== undefined && one !== null);
  if (given.length === 1) return;
  faults.add(
    undefined,
    given.length === 0 ? 'parameter_missing' : 'parameters_conflict',
    'Send either starting_after, the change after which all are sent again, or since, a time.',
  );
}

/** Does a read when it is the turn of who asks for it. */
export type Slot = <Read>(read: () => Promise<Read>) => Promise<Read>;

/** The position to continue from; `null`: from the first change that is retained. Throws if the change does not exist. */
export async function replayFrom(
  log: ChangeLog,
  account: string,
  { starting_after, since }: JsonObject,
  slot: Slot,
) {
  if (typeof starting_after === 'string') {
    const param = 'starting_after';
    const after = readChangeId(account, starting_after);
    if (after === undefined) throw new ApiError('position_unknown', { param });
    const next = await log.next(account, after);
    if (typeof next === 'string')
      throw new ApiError(next === 'expired' ? 'changes_expired' : 'changes_rewound', { param });
    return starting_after;
  }
  const before = await lastBefore(log, account, Date.parse(String(since)), slot);
  return before === undefined ? null : changeId(account, before);
}

/** How many commits are looked at before others have their turn: some milliseconds. */
const LOOKED_AT = 5_000;

/**
 * The last change before the first one of that time or later, in the order of the log. Times are no order: of what was
 * done while a clock was behind, all that follows comes, too.
 */
async function lastBefore(
  log: ChangeLog,
  account: string,
  time: number,
  slot: Slot,
): Promise<ChangeCursor | undefined> {
  for (let after = 0; ; ) {
    const from = after;
    const query = { account, after: from, time, limit: LOOKED_AT };
    const { found, upTo } = await slot(() => log.doneSince(query));
    if (found !== undefined) return log.lastUpTo(account, found - 1);
    if (upTo === undefined) return log.lastUpTo(account, from);
    after = upTo;
  }
}
