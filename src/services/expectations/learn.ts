/**
 * Learns from the hours in which a source sent what to expect of it. A pure function: it expects only what was kept on
 * nearly all days, so that a source that sends now and then is never called silent.
 */
import {
  type HourSpan,
  hoursText,
  type WeekHours,
} from '../../core/schema/present/expected-hours.ts';

const HOUR_MS = 3_600_000;
/** How far back activity is looked at. */
export const LEARNED_DAYS = 42;
/** Each weekday was seen twice. */
const LEAST_DAYS = 14;
/** The share of days, and of their hours, in which something must have come. */
const KEPT = 0.8;
/** Fewer hours in a row say nothing about every hour. */
const LEAST_HOURS = 3;
const HOURS = 24;

export interface Learned {
  readonly hours: string;
  readonly every: 'hour' | 'day';
  /** How many such days were looked at, and on how many of them something came. */
  readonly days: number;
  readonly kept: number;
}

/** A day by the clock of the location: in which of its hours something came. */
interface Seen {
  readonly weekday: number;
  readonly hours: ReadonlySet<number>;
}

/** `hours` are times in the hours in which something came; `undefined`: there is no rule in them. */
export function learn(hours: readonly number[], zone: string, now: number): Learned | undefined {
  const days = daysOf(hours, zone, now);
  if (days.length < LEAST_DAYS) return undefined;
  const byWeekday = Array.from({ length: 7 }, (_, at) =>
    days.filter(({ weekday }) => weekday === at + 1),
  );
  const regular = byWeekday.map((some) => {
    const active = some.filter((day) => day.hours.size > 0);
    return active.length > 0 && active.length >= some.length * KEPT ? active : undefined;
  });
  const daily = regular.map((some) => some && firstHours(some));
  const hourly = regular.map((some) => some && everyHour(some));
  const count = (week: WeekHours): number => week.filter((span) => span !== undefined).length;
  if (count(daily) === 0) return undefined;
  // Days on which something comes only once do not fit a rule of hours, and are left out of it.
  const isHourly = count(hourly) * 2 > count(daily);
  const week = isHourly ? hourly : daily;
  const looked = byWeekday.filter((_, at) => week[at] !== undefined).flat();
  return {
    hours: hoursText(week),
    every: isHourly ? 'hour' : 'day',
    days: looked.length,
    kept: looked.filter((day) => day.hours.size > 0).length,
  };
}

/** The whole days since the first activity, today excluded. */
function daysOf(hours: readonly number[], zone: string, now: number): readonly Seen[] {
  const local = (time: number) =>
    Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
  const byDay = new Map<string, Set<number>>();
  const today = local(now).toPlainDate();
  let first = today;
  for (const time of new Set(hours.map((at) => Math.floor(at / HOUR_MS) * HOUR_MS))) {
    const at = local(time);
    const day = at.toPlainDate();
    byDay.getOrInsertComputed(day.toString(), () => new Set()).add(at.hour);
    if (Temporal.PlainDate.compare(day, first) < 0) first = day;
  }
  const earliest = today.subtract({ days: LEARNED_DAYS });
  // The first day of all may have begun before the source did.
  let day = Temporal.PlainDate.compare(first, earliest) < 0 ? earliest : first.add({ days: 1 });
  const days: Seen[] = [];
  for (; Temporal.PlainDate.compare(day, today) < 0; day = day.add({ days: 1 })) {
    days.push({ weekday: day.dayOfWeek, hours: byDay.get(day.toString()) ?? new Set() });
  }
  return days;
}

/** The longest run of hours in which something came on nearly all of the days. */
function everyHour(days: readonly Seen[]): HourSpan | undefined {
  let best: HourSpan | undefined;
  for (let from = 0, hour = 0; hour <= HOURS; hour += 1) {
    const came = days.filter((day) => day.hours.has(hour)).length;
    if (hour < HOURS && came >= days.length * KEPT) continue;
    if (hour - from > (best === undefined ? LEAST_HOURS - 1 : best.until - best.from)) {
      best = { from, until: hour };
    }
    from = hour + 1;
  }
  return best;
}

/** From the earliest to the latest hour in which the first of a day came. */
function firstHours(days: readonly Seen[]): HourSpan {
  const firsts = days.map((day) => Math.min(...day.hours));
  return { from: Math.min(...firsts), until: Math.max(...firsts) + 1 };
}
