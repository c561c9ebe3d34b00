/** The stretches of time in which something is expected, by the clock of a location: across changes of clocks and closed days. */
import type { WeekHours } from '../../core/schema/present/expected-hours.ts';
import type { TimeSpan } from '../../store/promises/requests.ts';

export interface Schedule {
  readonly week: WeekHours;
  readonly closed: readonly string[];
  readonly zone: string;
}

/** Nothing needs to be looked for further back. */
const MAX_DAYS = 60;
const DAY_MS = 86_400_000;

/** Windows that begin or end between the two times, from the day before the first on. */
export function* windowsBetween(
  { week, closed, zone }: Schedule,
  from: number,
  until: number,
): Generator<TimeSpan> {
  const first = Math.max(from, until - MAX_DAYS * DAY_MS);
  const end = dayOf(until, zone);
  for (
    let day = dayOf(first, zone).subtract({ days: 1 });
    Temporal.PlainDate.compare(day, end) <= 0;
    day = day.add({ days: 1 })
  ) {
    const span = week[day.dayOfWeek - 1];
    if (span === undefined || isClosed(day, closed)) continue;
    const window = { from: at(day, span.from, zone), until: at(day, span.until, zone) };
    // Clocks that are put forward may skip all of it.
    if (window.from < window.until) yield window;
  }
}

function dayOf(time: number, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).toPlainDate();
}

function isClosed(day: Temporal.PlainDate, closed: readonly string[]): boolean {
  const text = day.toString();
  return closed.includes(text) || closed.includes(text.slice(-5));
}

/** The moment of a whole hour of that day, by the clock there; 24 is midnight of the next. */
function at(day: Temporal.PlainDate, hour: number, zone: string): number {
  const date = hour === 24 ? day.add({ days: 1 }) : day;
  return date.toZonedDateTime({
    timeZone: zone,
    plainTime: new Temporal.PlainTime(hour % 24),
  }).epochMilliseconds;
}
