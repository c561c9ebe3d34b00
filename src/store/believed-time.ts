/**
 * Whether the clock can be trusted for removing old data. A machine that starts with a wrong clock, and gets the right
 * time a minute later, would remove data that must be stored for a year. So the store saves the latest time that it has
 * seen, and nothing is removed while the clock is more than a day ahead of that, until it has been so for an hour.
 */
import type { Store } from './promises/store.ts';

const CHECK_EVERY_MS = 15_000;
const SAVE_EVERY_MS = 3_600_000;
export const AHEAD_MS = 86_400_000;
const PROVEN_MS = 3_600_000;
/** A clock that is behind by more than a correction of its drift. */
const BEHIND_MS = 3_600_000;
/** A jump of the clock after which it is looked at again at once. */
const JUMP_MS = 60_000;

/**
 * `now` is in milliseconds since 1970, `elapsed` in milliseconds unaffected by changes of the clock. Calls `doubted` once
 * when the clock is found ahead of the time that the store has seen, or more than an hour behind.
 */
export function createBelievedTime(
  store: Pick<Store, 'seenTime' | 'noteTime'>,
  { now, elapsed = () => performance.now() }: { now(): number; elapsed?(): number },
  doubted: (seen: number) => void,
) {
  let lookAt = Number.NEGATIVE_INFINITY;
  /** How far the clock was from `elapsed` when it was looked at. */
  let apart = 0;
  let noteAt = Number.NEGATIVE_INFINITY;
  let aheadSince: number | undefined;
  let wasBehind = false;
  let last: Promise<boolean> | undefined;

  async function look(at: number): Promise<boolean> {
    const time = now();
    const seen = (await store.seenTime()) ?? time;
    const isBehind = seen - time > BEHIND_MS;
    if (isBehind && !wasBehind) doubted(seen);
    wasBehind = isBehind;
    if (time - seen > AHEAD_MS) {
      if (aheadSince === undefined) doubted(seen);
      aheadSince ??= at;
      if (at - aheadSince < PROVEN_MS) return false;
    } else if (at < noteAt) {
      return true;
    }
    aheadSince = undefined;
    noteAt = at + SAVE_EVERY_MS;
    await store.noteTime(time);
    return true;
  }

  return {
    /** Whether anything may be removed for its age. */
    holds(): Promise<boolean> {
      const at = elapsed();
      const jump = Math.abs(now() - at - apart);
      if (last !== undefined && at < lookAt && jump < JUMP_MS) return last;
      lookAt = at + CHECK_EVERY_MS;
      apart = now() - at;
      last = look(at).catch((error: unknown) => {
        last = undefined;
        throw error;
      });
      return last;
    },
  };
}
