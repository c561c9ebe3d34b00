/** When a delivery that failed is tried again. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Before each try: the first comes at once. */
const DELAYS = [
  ...[0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR],
  ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
];
/** So many tries a delivery has. */
export const MAX_ATTEMPTS = DELAYS.length;
/** An endpoint without a success for so long is disabled. */
export const GIVE_UP_MS = 5 * DAY;

const FIRST_PROBE_MS = 5 * SECOND;
const LONGEST_PROBE_MS = 5 * MINUTE;

/** Up to a fifth more: those that failed together are not tried together again. */
function jittered(ms: number): number {
  return Math.round(ms * (1 + Math.random() / 5));
}

/** Milliseconds until the next try, after so many; `undefined` where there is none. */
export function delayAfter(attempts: number, retryAfterMs = 0): number | undefined {
  const delay = DELAYS[attempts];
  return delay === undefined ? undefined : Math.max(jittered(delay), Math.min(retryAfterMs, DAY));
}

/** Milliseconds until an endpoint that fails is tried again, after so many tries that failed. */
export function probeAfter(failures: number, retryAfterMs = 0): number {
  const delay = Math.min(FIRST_PROBE_MS * 2 ** Math.min(failures, 10), LONGEST_PROBE_MS);
  return Math.max(jittered(delay), Math.min(retryAfterMs, DAY));
}

/** What `Retry-After` says, in milliseconds from now: seconds, or a date; 0 where it says nothing. */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  const at = Date.parse(header);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
