/** Finds the position at which a replay begins. */
import { ApiError, type Faults } from '../../core/errors.ts';
import { changeId, readChangeId } from '../../core/schema/change-id.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { ChangeLog, ChangeMark } from '../../store/promises/log.ts';

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

/** The position to continue from; `null`: from the first change that is retained. Throws if the change does not exist. */
export async function replayFrom(
  log: ChangeLog,
  account: string,
  { starting_after, since }: JsonObject,
): Promise<string | null> {
  if (typeof starting_after === 'string') {
    const param = 'starting_after';
    const after = readChangeId(account, starting_after);
    if (after === undefined) throw new ApiError('position_unknown', { param });
    const read = await log.read({ account, after, limit: 1, bytes: 1 });
    if (typeof read === 'string') {
      throw new ApiError(read === 'expired' ? 'changes_expired' : 'changes_rewound', { param });
    }
    return starting_after;
  }
  const before = await lastBefore(log, account, Date.parse(String(since)));
  return before === undefined ? null : changeId(account, before);
}

/** The last change before a time: a binary search, since commits are numbered in the order of time. */
async function lastBefore(log: ChangeLog, account: string, time: number) {
  let found: ChangeMark | undefined;
  let least = 1;
  let most = (await log.last(account))?.position ?? 0;
  while (least <= most) {
    const middle = Math.floor((least + most) / 2);
    const at = await log.lastUpTo(account, middle);
    if (at !== undefined && at.occurred_at >= time) most = at.position - 1;
    else {
      found = at ?? found;
      least = middle + 1;
    }
  }
  return found;
}
