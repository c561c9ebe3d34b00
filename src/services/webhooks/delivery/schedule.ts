/** The schedule of retries. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The delay before each try; the first is immediate. */
const DELAYS = [
  ...[0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR],
  ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
];
/** How many tries a delivery has. */
export const MAX_ATTEMPTS = DELAYS.length;
/** An endpoint is disabled after this long without a success. */
export const GIVE_UP_MS = 5 * DAY;

const FIRST_PROBE_MS = 5 * SECOND;
const LONGEST_PROBE_MS = 5 * MINUTE;

/** Up to a fifth longer, so that deliveries that failed together are not retried together. */
function jittered(ms: number, random: number): number {
  return Math.round(ms * (1 + random / 5));
}

/** Milliseconds until the next try, after this many; `undefined` after the last. */
export function delayAfter(attempts: number, retryAfterMs = 0): number | undefined {
  const delay = DELAYS[attempts];
  return delay === undefined
    ? undefined
    : Math.max(jittered(delay, Math.random()), Math.min(retryAfterMs, DAY));
}

/** Milliseconds until a failing endpoint is tried again, after this many probes; `random` is 0 to 1. */
export function probeAfter(failures: number, retryAfterMs: number, random: number): number {
  const delay = Math.min(FIRST_PROBE_MS * 2 ** Math.min(failures, 10), LONGEST_PROBE_MS);
  return Math.max(jittered(delay, random), Math.min(retryAfterMs, DAY));
}

/** `Retry-After`, seconds or a date, in milliseconds from now; 0 if it says nothing. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
