/** For tests that look at "today" more than once. */
import { until } from './until.ts';

/** Longer than what looks at one day takes, on a machine that has much to do. */
const LONG_MS = 180_000;

/** Waits, shortly before midnight there, until the next day has begun: what follows is over within one day. */
export async function withinOneDay(zone = 'UTC', longest = LONG_MS): Promise<void> {
  const now = Temporal.Now.zonedDateTimeISO(zone);
  const left = now.startOfDay().add({ days: 1 }).epochMilliseconds - now.epochMilliseconds;
  if (left >= longest) return;
  const today = now.toPlainDate();
  await until(() => !Temporal.Now.plainDateISO(zone).equals(today), longest + LONG_MS);
}
