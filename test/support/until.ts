/** Waiting for a condition, and never for ever. */
import { setTimeout as pause } from 'node:timers/promises';

/** Far more than anything takes, also on a busy machine. */
export const LONG_MS = 60_000;

/** Waits until it is so, and looks less often the longer that takes. */
export async function until(is: () => boolean | Promise<boolean>, ms = LONG_MS): Promise<void> {
  let wait = 10;
  for (const end = Date.now() + ms; !(await is()); await pause(wait)) {
    wait = Math.min(wait * 1.1, 200);
    if (Date.now() > end) throw new Error(`It is not so after ${ms} ms: ${is}`);
  }
}
