/** For tests that look at "today" more than once. */
import { setTimeout as pause } from 'node:timers/promises';

/** Longer than what looks at one day takes, on a machine that has much to do. */
const LONG_MS = 180_000;

/** Waits, shortly before midnight there, until the next day has begun: what follows is over within one day. */
export async function withinOneDay(zone = 'UTC', longest = LONG_MS): Promise<void> {
  const now = Temporal.Now.zonedDateTimeISO(zone);
  const left = now.startOfDay().add({ days: 1 }).epochMilliseconds - now.epochMilliseconds;
  // A timer may be a little early.
  if (left < longest) await pause(left + 50);
}
