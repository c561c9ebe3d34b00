/** Learns what to expect of each source at each location of an account, from the activity of the last six weeks. */
import { setImmediate as giveWay } from 'node:timers/promises';
import {
  type HourSpan,
  hoursText,
  type WeekHours,
} from '../../../core/schema/present/expected-hours.ts';
import { zonesOver } from '../../../records/query/zones.ts';
import type { Store } from '../../../store/promises/store.ts';
import { type Expectation, expectation } from '../declares.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How far back activity is looked at. */
const LEARNED_DAYS = 42;
const HOURS = (LEARNED_DAYS + 1) * 24;
/** Pairs of a source and a location of one account; of more, none is learned. */
const MAX_PAIRS = 20_000;
const PAGE = 1_000;
const MANY = 500;

/** How many hours or days without anything are too many, unless a person says otherwise. */
export const SILENT_AFTER = { hour: 3, day: 2 } as const;

interface Pair {
  readonly source: string;
  readonly location: string;
  /** Whether something came, by the hour. */
  readonly hours: Uint8Array;
  last_at: number;
}

export async function learnAccount(
  store: Store,
  account: string,
  sources: KnownSources,
  now: number,
): Promise<void> {
  const from = (Math.floor(now / DAY_MS) - LEARNED_DAYS) * DAY_MS;
  const pairs = await pairsOf(store, account, sources, from);
  const known = new Map<string, Expectation>();
  for await (const page of store.expectations.pages(PAGE, [account]))
    for (const one of page) known.set(nameOf(sources.current(one.source), one.location), one);
  const places = [...pairs.values()].map(({ location: anchor }) => ({ account, anchor }));
  const zoneOf = await zonesOver(store)(places);
  let done = 0;
  for (const [name, { source, location, hours, last_at }] of pairs) {
    done += 1;
    if (done % 20 === 0) await giveWay();
    const before = known.get(name);
    if (before !== undefined && !isLearning(before)) continue;
    const times = [...hours.keys()].flatMap((at) => (hours[at] ? [from + at * HOUR_MS] : []));
    const learned = learn(times, zoneOf({ account, anchor: location }), now);
    if (learned === undefined) {
      if (before !== undefined) await store.expectations.remove(before.unique_identifier);
      continue;
    }
    const { days: learned_days, kept: kept_days, every } = learned;
    await store.expectations.put({
      ...expectation.nulls,
      account,
      source,
      location,
      hours: learned.hours,
      every,
      silent_after: SILENT_AFTER[every],
      closed_days: '',
      status: 'learned',
      learned_days,
      kept_days,
      state: 'on_time',
      since: now,
      last_at,
      inserted_at: now,
      updated_at: now,
    });
  }
}

/** Decides whether an expectation may be learned: people's settings stay, and silence must not become the norm. */
function isLearning({ status, state }: Expectation): boolean {
  return status === 'learned' && (state === 'on_time' || state === 'back');
}

async function pairsOf(
  { expectations }: Store,
  account: string,
  sources: KnownSources,
  from: number,
): Promise<ReadonlyMap<string, Pair>> {
  const pairs = new Map<string, Pair>();
  const end = from + HOURS * HOUR_MS;
  for (let [begin, step] = [from, HOUR_MS]; begin < end; ) {
    const found = await expectations.hoursSeen(account, begin, Math.min(begin + step, end));
    begin += step;
    // Others wait for a read on SQLite: where an hour has many pairs, no more is read at a time.
    step = found.length > MANY ? HOUR_MS : Math.min(step * 4, DAY_MS);
    for (const seen of found) {
      const source = sources.ofKey(account, seen.key);
      if (source === undefined) continue;
      const name = nameOf(source, seen.anchor);
      let pair = pairs.get(name);
      if (pair === undefined) {
        if (pairs.size >= MAX_PAIRS) continue;
        pair = { source, location: seen.anchor, hours: new Uint8Array(HOURS), last_at: 0 };
        pairs.set(name, pair);
      }
      pair.hours[(seen.hour - from) / HOUR_MS] = 1;
      pair.last_at = Math.max(pair.last_at, seen.last_at);
    }
    await giveWay();
  }
  return pairs;
}

/** Names a source at a location. */
export function nameOf(source: string, location: string): string {
  return `${source} ${location}`;
}

export type KnownSources = Awaited<ReturnType<typeof knownSources>>;

export async function knownSources(
  { sources: book }: Pick<Store, 'sources'>,
  accounts: readonly string[],
) {
  const [sources, writers] = await Promise.all([book.list(accounts), book.writers(accounts)]);
  const byNumber = new Map(sources.map((one) => [one.number, one]));
  const currentOf = (number: number) =>
    byNumber.get(byNumber.get(number)?.merged_into ?? number)?.unique_identifier;
  const current = new Map(
    sources.map((one) => [one.unique_identifier, currentOf(one.number) ?? one.unique_identifier]),
  );
  const byWriter = new Map<string, string>();
  for (const { account, writer, source } of writers) {
    const found = currentOf(source);
    if (found === undefined) continue;
    byWriter.set(`${account} ${writer}`, found);
    byWriter.set(` ${writer}`, found);
  }
  return {
    /** The source of a key in an account; in any, where the account is `''`. */
    ofKey: (account: string, key: string) => byWriter.get(`${account} ${key}`),
    /** The source itself, or the one that it has become part of. */
    current: (source: string) => current.get(source) ?? source,
  };
}

/** Each weekday was seen twice. */
const LEAST_DAYS = 14;
/** The share of days, and of their hours, in which something must have come. */
const KEPT = 0.8;
/** Fewer hours in a row say nothing about every hour. */
const LEAST_HOURS = 3;
const DAY_HOURS = 24;

/** A day by the clock of the location: in which of its hours something came. */
interface Seen {
  readonly weekday: number;
  readonly hours: ReadonlySet<number>;
}

/**
 * Learns what to expect; `hours` are times in the hours in which something came. Only what was kept on nearly all days
 * is a rule, so that a source that sends now and then is never called silent; `undefined`: there is none.
 */
export function learn(hours: readonly number[], zone: string, now: number) {
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
    every: isHourly ? ('hour' as const) : ('day' as const),
    /** How many such days were looked at, and on how many of them something came. */
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
  for (; Temporal.PlainDate.compare(day, today) < 0; day = day.add({ days: 1 }))
    days.push({ weekday: day.dayOfWeek, hours: byDay.get(day.toString()) ?? new Set() });
  return days;
}

/** The longest run of hours in which something came on nearly all of the days. */
function everyHour(days: readonly Seen[]): HourSpan | undefined {
  let best: HourSpan | undefined;
  for (let from = 0, hour = 0; hour <= DAY_HOURS; hour += 1) {
    const came = days.filter((day) => day.hours.has(hour)).length;
    if (hour < DAY_HOURS && came >= days.length * KEPT) continue;
    if (hour - from > (best === undefined ? LEAST_HOURS - 1 : best.until - best.from))
      best = { from, until: hour };
    from = hour + 1;
  }
  return best;
}

/** From the earliest to the latest hour in which the first of a day came. */
function firstHours(days: readonly Seen[]): HourSpan {
  const firsts = days.map((day) => Math.min(...day.hours));
  return { from: Math.min(...firsts), until: Math.max(...firsts) + 1 };
}
