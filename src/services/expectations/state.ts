/** Whether what is expected of a source comes: `next`, without clock or store, gives the state after a look at its activity. */
import type { ExpectationState, Standing } from '../../core/objects/requests/expectation.ts';
import type { WeekHours } from '../../core/schema/present/expected-hours.ts';
import type { TimeSpan } from '../../store/promises/requests.ts';

interface Schedule {
  readonly week: WeekHours;
  readonly closed: readonly string[];
  readonly zone: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_DAYS = 60;

/** Activity is written some seconds after it happened. */
const WRITTEN_MS = 2 * 60_000;
/** Hours without a record after which an hourly source is late: it need not send at the same minute of each hour. */
const LATE_HOURS = 1.5;
/** The time before its hours from which a delivery counts for them. */
const EARLY_MS = 6 * HOUR_MS;
/** How long a source that was silent is `back`, before it is `on_time`. */
const BACK_MS = DAY_MS;

/** The expectation. */
export interface Expected extends Schedule {
  readonly every: 'hour' | 'day';
  /** Hours or days without anything, of those in which it is expected. */
  readonly silent_after: number;
}

/** The deliveries since, as far as they are known. */
export type Seen = Pick<Standing, 'last_at' | 'refused_at'>;

export interface Moment {
  readonly now: number;
  /** When it was set: nothing is missed before. */
  readonly from: number;
  /** When the service itself was down: what was missed then is no fault of the source. */
  readonly outages: readonly TimeSpan[];
}

/** How much of the hours of a day the service may have been down, for that day to count. */
const MOST_DOWN = 0.5;

export function next(expected: Expected, before: Standing, seen: Seen, moment: Moment): Standing {
  const { now, from } = moment;
  // A clock that was put back leaves times that are yet to come.
  const earlier = latest(now, before.last_at, null);
  const last_at = latest(now, earlier, seen.last_at);
  const hasCome = last_at !== null && last_at > (earlier ?? Number.NEGATIVE_INFINITY);
  const refused_at = latest(now, before.refused_at, seen.refused_at);
  const isRefused = refused_at !== null && refused_at > (last_at ?? 0);
  const silentSince = hasCome ? null : before.silent_since;
  const to = (state: ExpectationState, silent_since = silentSince): Standing => ({
    state,
    silent_since,
    last_at,
    refused_at,
    since: state === before.state ? Math.min(before.since, now) : now,
  });

  if (last_at === null) return to(isRefused ? 'failing' : 'new');
  const missed = missedSince(expected, Math.max(last_at, from), moment);
  const isLate = missed !== 'none' || (!hasCome && isOff(before.state));
  const tries = isRefused && missedSince(expected, Math.max(refused_at, from), moment) !== 'silent';
  if (isLate && tries) return to('failing');
  if (missed === 'silent' || silentSince !== null) return to('silent', silentSince ?? now);
  if (isLate) return to('late');
  const wasSilent = hasCome && before.silent_since !== null;
  const isBack = before.state === 'back' && now - before.since < BACK_MS;
  return to(wasSilent || isBack ? 'back' : 'on_time');
}

/** Only what comes ends these. */
function isOff(state: ExpectationState): boolean {
  return state === 'late' || state === 'failing' || state === 'silent';
}

function latest(now: number, one: number | null, other: number | null): number | null {
  if (one === null && other === null) return null;
  return Math.min(now, Math.max(one ?? 0, other ?? 0));
}

/** Finds what is missing by now, if nothing has come since `quiet`. */
function missedSince(
  { every, silent_after, ...schedule }: Expected,
  quiet: number,
  { now, outages }: Moment,
): 'none' | 'late' | 'silent' {
  const until = now - WRITTEN_MS;
  const open = Math.max(quiet, 0);
  const windows = [...windowsBetween(schedule, open, until)];
  const missed =
    every === 'hour'
      ? hoursIn(windows, open, until, outages)
      : daysIn(windows, open, until, outages);
  if (missed >= silent_after) return 'silent';
  return missed >= (every === 'hour' ? LATE_HOURS : 1) ? 'late' : 'none';
}

/** The hours of the windows that have passed while the service was up. */
function hoursIn(
  windows: readonly TimeSpan[],
  quiet: number,
  until: number,
  outages: readonly TimeSpan[],
): number {
  const passed = windows.map((window) => ({
    from: Math.max(window.from, quiet),
    until: Math.min(window.until, until),
  }));
  return (
    sum(passed.map((part) => Math.max(0, part.until - part.from - downIn(part, outages)))) / HOUR_MS
  );
}

/** The windows that have passed as a whole, each with some time before it. */
function daysIn(
  windows: readonly TimeSpan[],
  quiet: number,
  until: number,
  outages: readonly TimeSpan[],
): number {
  const missed = windows.filter((window, at) => {
    const before = windows[at - 1]?.until ?? Number.NEGATIVE_INFINITY;
    const isWhole = quiet <= Math.max(before, window.from - EARLY_MS) && window.until <= until;
    return isWhole && downIn(window, outages) < (window.until - window.from) * MOST_DOWN;
  });
  return missed.length;
}

function downIn({ from, until }: TimeSpan, outages: readonly TimeSpan[]): number {
  return sum(
    outages.map((outage) =>
      Math.max(0, Math.min(until, outage.until) - Math.max(from, outage.from)),
    ),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}

/** Windows that begin or end between the two times, from the day before the first on. */
function* windowsBetween({ week, closed, zone }: Schedule, from: number, until: number) {
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
  return date.toZonedDateTime({ timeZone: zone, plainTime: new Temporal.PlainTime(hour % 24) })
    .epochMilliseconds;
}
