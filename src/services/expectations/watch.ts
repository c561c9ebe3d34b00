/** Looks once a minute, in one process, whether what is expected of sources has come; learns once a day what to expect. */
import { setImmediate as giveWay } from 'node:timers/promises';
import { effectiveSettings } from '../../core/objects/location-settings.ts';
import type {
  Expectation,
  ExpectationState,
  NOTIFIED,
  Standing,
} from '../../core/objects/requests/expectation.ts';
import {
  readClosedDays,
  readHours,
  type WeekHours,
} from '../../core/schema/present/expected-hours.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import type { BookWrite } from '../../store/books/tables.ts';
import type { TimeSpan, Watch } from '../../store/promises/requests.ts';
import type { Store } from '../../store/promises/store.ts';
import { type KnownSources, knownSources, learnAccount, nameOf } from './learning.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Two looks that are further apart: the service was down meanwhile. */
const OUTAGE_MS = 15 * MINUTE_MS;
/** Nothing is looked for further back. */
const OUTAGES_KEPT_MS = 60 * DAY_MS;
const MAX_OUTAGES = 100;
/** Times that have moved by less are not written. */
const NOTED_MS = 5 * MINUTE_MS;
const PAGE = 100;
const MAX_REFUSED = 1_000;

/** The writes of what is sent when a source falls silent, or is back. */
type Announce = (
  expectation: Expectation,
  state: (typeof NOTIFIED)[number],
) => Promise<readonly BookWrite[]>;

interface WatchParts {
  readonly store: Store;
  readonly anchor: RecordShape;
  readonly announce: Announce;
  readonly now: () => number;
}

/** Returns whether it was the turn of this process. */
export function createWatch({ store, anchor, announce, now: clock }: WatchParts) {
  const { expectations: book } = store;
  return async () => {
    const now = clock();
    const before = await book.watch();
    if (before !== undefined && isSoon(before.looked_at, now, MINUTE_MS)) return false;
    const learns = before === undefined || !isSoon(before.learned_at, now, DAY_MS);
    const outages = outagesAt(before, now);
    const looked = { looked_at: now, outages };
    const learned_at = learns ? now : before.learned_at;
    if (!(await book.look(before, { ...looked, learned_at }))) return false;
    const accounts = (await store.accounts.list())
      .filter(({ closed_at }) => closed_at === null)
      .map(({ unique_identifier }) => unique_identifier);
    const sources = await knownSources(store, accounts);
    if (learns) for (const account of accounts) await learnAccount(store, account, sources, now);
    const since = Math.min(before?.looked_at ?? now - DAY_MS, now);
    const seen = await seenSince(store, sources, since);
    const open = new Set(accounts);
    await judgeAll({ store, anchor, announce, now, sources, seen, outages, accounts: open });
    return true;
  };
}

/** A clock that was put back by more than that does not hold anything up. */
function isSoon(at: number, now: number, ms: number): boolean {
  return now < at + ms && now > at - ms;
}

function outagesAt(before: Watch | undefined, now: number): readonly TimeSpan[] {
  const from = before?.looked_at ?? 0;
  const known = before?.outages ?? [];
  const all = now - from > OUTAGE_MS ? [...known, { from, until: now }] : known;
  return all.filter(({ until }) => until > now - OUTAGES_KEPT_MS).slice(-MAX_OUTAGES);
}

async function seenSince({ requests }: Store, sources: KnownSources, since: number) {
  const hour = Math.floor((since - NOTED_MS) / HOUR_MS) * HOUR_MS;
  const last = { written: new Map<string, number>(), refused: new Map<string, number>() };
  const note = (times: Map<string, number>, name: string, at: number): void => {
    times.set(name, Math.max(times.get(name) ?? 0, at));
  };
  for (const { account, key, anchor, refused, last_at } of await requests.lastSeen(hour)) {
    const source = sources.ofKey(account, key);
    if (source === undefined) continue;
    const times = refused ? last.refused : last.written;
    note(times, nameOf(source, anchor), last_at);
    // All that a source has written, wherever.
    if (!refused) note(times, nameOf(source, ''), last_at);
  }
  return ({ source: named, location }: Expectation): Seen => {
    const source = sources.current(named);
    const last_at = last.written.get(nameOf(source, location)) ?? null;
    const here = last.refused.get(nameOf(source, location)) ?? 0;
    // What was refused before its location was read counts where nothing of the source is taken.
    const anywhere = last.refused.get(nameOf(source, '')) ?? 0;
    const taken = last.written.get(nameOf(source, '')) ?? 0;
    const refused_at = Math.max(here, anywhere > taken ? anywhere : 0);
    return { last_at, refused_at: refused_at === 0 ? null : refused_at };
  };
}

interface Judging extends Omit<WatchParts, 'now'> {
  readonly now: number;
  readonly sources: KnownSources;
  readonly seen: Awaited<ReturnType<typeof seenSince>>;
  readonly outages: readonly TimeSpan[];
  /** Accounts that are open. */
  readonly accounts: ReadonlySet<string>;
}

async function judgeAll(judging: Judging): Promise<void> {
  const { anchor, accounts, store } = judging;
  const { expectations: book, locationSettings } = store;
  for (let after: string | undefined; ; ) {
    const page = await book.list({ after, limit: PAGE });
    const ids = page.flatMap(({ account, location }) => [account, location]);
    const settings = await locationSettings.of([...new Set(ids)]);
    const byId = new Map(settings.map((one) => [one.unique_identifier, one]));
    // Nothing can come to a location that was removed, nor to an account that is closed.
    const places = await store.findAll(anchor, [...new Set(page.map(({ location }) => location))], {
      accounts,
      anchors: undefined,
    });
    const there = new Set(places.map(({ unique_identifier }) => unique_identifier));
    const noted: Expectation[] = [];
    for (const one of page) {
      if (one.status === 'off' || !there.has(one.location)) continue;
      const of = { unique_identifier: one.location, account: one.account };
      const { time_zone } = effectiveSettings(of, (id) => byId.get(id));
      const after = standingOf(one, time_zone, judging);
      if (after.state !== one.state) await move(one, after, judging);
      else if (hasMoved(one, after)) noted.push({ ...one, ...after });
    }
    await book.note(noted);
    if (page.length < PAGE) return;
    after = page.at(-1)?.unique_identifier;
    await giveWay();
  }
}

function standingOf(one: Expectation, zone: string, { seen, now, outages }: Judging): Standing {
  const found = seen(one);
  // Nothing but what comes ends silence.
  if (one.state === 'silent' && found.last_at === null && found.refused_at === null) return one;
  const expected = {
    week: readHours(one.hours) ?? [],
    closed: readClosedDays(one.closed_days) ?? [],
    zone,
    every: one.every,
    silent_after: one.silent_after,
  };
  return next(expected, one, found, { now, from: one.updated_at, outages });
}

function hasMoved(one: Standing, other: Standing): boolean {
  const by = (name: 'last_at' | 'refused_at') =>
    Math.abs((other[name] ?? 0) - (one[name] ?? 0)) >= NOTED_MS;
  return by('last_at') || by('refused_at');
}

async function move(before: Expectation, after: Standing, judging: Judging): Promise<void> {
  const { store, announce } = judging;
  const refusal = after.state === 'failing' ? await firstRefusal(before, after, judging) : null;
  const [was, is] = [before.silent_since !== null, after.silent_since !== null];
  const notified =
    was === is ? [] : await announce({ ...before, ...after, refusal }, is ? 'silent' : 'back');
  await store.expectations.move(before, { ...after, refusal }, notified);
}

/** The code of the first refused request of the source since its last record. */
async function firstRefusal(
  { account, source: named }: Expectation,
  { last_at }: Standing,
  { store, sources }: Judging,
): Promise<string | null> {
  const source = sources.current(named);
  const query = { account, from: (last_at ?? 0) + 1, limit: MAX_REFUSED };
  const refused = await store.requests.refused({ ...query, by: 'keys' });
  const first = refused.findLast(({ key }) => key && sources.ofKey(account, key) === source);
  return first?.code ?? null;
}

interface Schedule {
  readonly week: WeekHours;
  readonly closed: readonly string[];
  readonly zone: string;
}

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
type Seen = Pick<Standing, 'last_at' | 'refused_at'>;

export interface Moment {
  readonly now: number;
  /** When it was set: nothing is missed before. */
  readonly from: number;
  /** When the service itself was down: what was missed then is no fault of the source. */
  readonly outages: readonly TimeSpan[];
}

/** How much of the hours of a day the service may have been down, for that day to count. */
const MOST_DOWN = 0.5;

/** Gives the state after a look at the activity of the source, without clock or store. */
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
  // Only what comes ends these.
  const isOff = ['late', 'failing', 'silent'].includes(before.state);
  const isLate = missed !== 'none' || (!hasCome && isOff);
  const tries = isRefused && missedSince(expected, Math.max(refused_at, from), moment) !== 'silent';
  if (isLate && tries) return to('failing');
  if (missed === 'silent' || silentSince !== null) return to('silent', silentSince ?? now);
  if (isLate) return to('late');
  const wasSilent = hasCome && before.silent_since !== null;
  const isBack = before.state === 'back' && now - before.since < BACK_MS;
  return to(wasSilent || isBack ? 'back' : 'on_time');
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
