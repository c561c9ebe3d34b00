/** Looks once a minute, in one process, whether what is expected of sources has come; learns once a day what to expect. */
import { setImmediate as giveWay } from 'node:timers/promises';
import { type EachAccounts, eachUnwatched } from '../../../core/each-account.ts';
import { readClosedDays, readHours } from '../../../core/schema/present/expected-hours.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { zonesOver } from '../../../records/query/zones.ts';
import type { Store } from '../../../store/promises/store.ts';
import { announcerOf } from '../../store.ts';
import { type Expectation, notifications, type Standing, type TimeSpan } from '../declares.ts';
import type { Watch } from '../store.ts';
import { type KnownSources, knownSources, learnAccount, nameOf } from './learning.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Two looks that are further apart: the service was down meanwhile. */
const OUTAGE_MS = 15 * MINUTE_MS;
/** Nothing is looked for further back. */
const MAX_DAYS = 60;
const MAX_OUTAGES = 100;
/** How far back is looked for what came while an account could not be looked at. */
const MAX_UNSEEN_MS = 7 * DAY_MS;
/** How far before the last look it is looked again: processes write late, or have a clock that is behind. */
const LATE_MS = HOUR_MS;
/** Times that have moved by less are not written. */
const NOTED_MS = 5 * MINUTE_MS;
const PAGE = 100;
const MAX_REFUSED = 1_000;

interface WatchParts {
  readonly store: Store;
  readonly anchor: RecordShape;
  readonly now: () => number;
  readonly each?: EachAccounts;
}

/** Returns whether it was the turn of this process. */
export function createWatch({ store, anchor, now: clock, each = eachUnwatched }: WatchParts) {
  const { expectations: book } = store;
  const zones = zonesOver(store);
  const announced = announcerOf(store);
  const [learning, looking] = [each('learning what to expect'), each('silent sources')];
  /** Accounts of which it was not learned when it was their turn. */
  const unlearned = new Set<string>();
  /** Accounts that were not looked at when it was their turn, with the time from which nothing was seen of them. */
  const unseen = new Map<string, number>();

  const move = async (before: Expectation, standing: Standing, sources: KnownSources) => {
    const refusal =
      standing.state === 'failing' ? await firstRefusal(store, sources, before, standing) : null;
    const after = { ...before, ...standing, refusal };
    const [was, is] = [before.silent_since !== null, after.silent_since !== null];
    const told = is ? 'silent' : 'back';
    await book.move(before, after, was === is ? [] : await announced(notifications, after, told));
  };

  return async () => {
    const now = clock();
    const before = await book.watch();
    if (before !== undefined && isSoon(before.looked_at, now, MINUTE_MS)) return false;
    const learns = before === undefined || !isSoon(before.learned_at, now, DAY_MS);
    const outages = outagesAt(before, now);
    const learned_at = learns ? now : before.learned_at;
    if (!(await book.look(before, { looked_at: now, outages, learned_at }))) return false;
    const accounts = (await store.accounts.list())
      .filter(({ closed_at }) => closed_at === null)
      .map(({ unique_identifier }) => unique_identifier);
    const sources = await knownSources(store, accounts);
    if (learns) for (const account of accounts) unlearned.add(account);
    await learning.through(
      accounts.filter((account) => unlearned.has(account)),
      (account) => account,
      async (account) => {
        await learnAccount(store, account, sources, now);
        unlearned.delete(account);
      },
    );
    const last = Math.min(before?.looked_at ?? now - DAY_MS, now);
    const scope = { accounts: new Set(accounts), anchors: undefined };
    for (const account of unseen.keys()) if (!scope.accounts.has(account)) unseen.delete(account);
    const from = Math.max(Math.min(last, ...unseen.values()), now - MAX_UNSEEN_MS);
    const seen = await seenSince(store, sources, from);
    for await (const page of book.pages(PAGE)) {
      // Nothing can come to a location that was removed, nor to an account that is closed.
      const locations = [...new Set(page.map(({ location }) => location))];
      const places = await store.findAll(anchor, locations, scope);
      const there = new Set(places.map(({ unique_identifier }) => unique_identifier));
      const zoneOf = await zones(page.map(placed));
      const byAccount = Map.groupBy(page, ({ account }) => account);
      for (const account of byAccount.keys()) unseen.getOrInsert(account, last);
      await looking.through(
        byAccount,
        ([account]) => account,
        async ([account, own]) => {
          const noted: Expectation[] = [];
          for (const one of own) {
            const found = seen(one);
            // Nothing but what comes ends silence.
            const isQuiet = found.last_at === null && found.refused_at === null;
            if (one.status === 'off' || !there.has(one.location)) continue;
            if (one.state === 'silent' && isQuiet) continue;
            const after = next(one, found, { now, zone: zoneOf(placed(one)), outages });
            if (after.state !== one.state) await move(one, after, sources);
            else if (hasMoved(one, after)) noted.push({ ...one, ...after });
          }
          await book.note(noted);
          unseen.delete(account);
        },
      );
      await giveWay();
    }
    return true;
  };
}

/** The anchor and the account by which its time zone is found. */
export function placed({ account, location }: Pick<Expectation, 'account' | 'location'>) {
  return { account, anchor: location };
}

/** A clock that was put back by more than that does not hold anything up. */
function isSoon(at: number, now: number, ms: number): boolean {
  return now < at + ms && now > at - ms;
}

function outagesAt(before: Watch | undefined, now: number): readonly TimeSpan[] {
  const from = before?.looked_at ?? 0;
  const known = before?.outages ?? [];
  const all = now - from > OUTAGE_MS ? [...known, { from, until: now }] : known;
  return all.filter(({ until }) => until > now - MAX_DAYS * DAY_MS).slice(-MAX_OUTAGES);
}

async function seenSince({ expectations }: Store, sources: KnownSources, since: number) {
  const hour = Math.floor((since - LATE_MS) / HOUR_MS) * HOUR_MS;
  const last = { written: new Map<string, number>(), refused: new Map<string, number>() };
  const note = (times: Map<string, number>, name: string, at: number): void => {
    times.set(name, Math.max(times.get(name) ?? 0, at));
  };
  for (const { account, key, anchor, refused, last_at } of await expectations.lastSeen(hour)) {
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

function hasMoved(one: Standing, other: Standing): boolean {
  const by = (name: 'last_at' | 'refused_at') =>
    Math.abs((other[name] ?? 0) - (one[name] ?? 0)) >= NOTED_MS;
  return by('last_at') || by('refused_at');
}

/** The code of the first refused request of the source since its last record. */
async function firstRefusal(
  { requests }: Store,
  sources: KnownSources,
  { account, source: named }: Expectation,
  { last_at }: Standing,
): Promise<string | null> {
  const source = sources.current(named);
  const query = { account, from: (last_at ?? 0) + 1, limit: MAX_REFUSED };
  const refused = await requests.refused({ ...query, by: 'keys' });
  const first = refused.findLast(({ key }) => key && sources.ofKey(account, key) === source);
  return first?.code ?? null;
}

/** Activity is written some seconds after it happened. */
const WRITTEN_MS = 2 * 60_000;
/** Hours without a record after which an hourly source is late: it need not send at the same minute of each hour. */
const LATE_HOURS = 1.5;
/** The time before its hours from which a delivery counts for them. */
const EARLY_MS = 6 * HOUR_MS;
/** How long a source that was silent is `back`, before it is `on_time`. */
const BACK_MS = DAY_MS;
/** How much of the hours of a day the service must have been up, for that day to count. */
const LEAST_UP = 0.5;

type Wanted = Pick<Expectation, 'hours' | 'every' | 'silent_after' | 'closed_days'>;

/** The deliveries since, as far as they are known. */
type Seen = Pick<Standing, 'last_at' | 'refused_at'>;

export interface Moment {
  readonly now: number;
  /** The time zone of the location. */
  readonly zone: string;
  /** When the service itself was down: what was missed then is no fault of the source. */
  readonly outages: readonly TimeSpan[];
}

/** Gives the state after a look at the activity of the source, without clock or store; nothing is missed before `updated_at`. */
export function next(
  expected: Wanted & Standing & Pick<Expectation, 'updated_at'>,
  seen: Seen,
  moment: Moment,
): Standing {
  const { now } = moment;
  const { updated_at: from, ...before } = expected;
  // A clock that was put back leaves times that are yet to come.
  const earlier = latest(now, before.last_at, null);
  const last_at = latest(now, earlier, seen.last_at);
  const hasCome = last_at !== null && last_at > (earlier ?? Number.NEGATIVE_INFINITY);
  const refused_at = latest(now, before.refused_at, seen.refused_at);
  const isRefused = refused_at !== null && refused_at > (last_at ?? 0);
  const silentSince = hasCome ? null : before.silent_since;
  const to = (state: Standing['state'], silent_since = silentSince): Standing => ({
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
  expected: Wanted,
  quiet: number,
  { now, zone, outages }: Moment,
): 'none' | 'late' | 'silent' {
  const until = now - WRITTEN_MS;
  const windows = [...windowsBetween(expected, zone, quiet, until)];
  const isHourly = expected.every === 'hour';
  const missed = isHourly
    ? windows.reduce((sum, window) => {
        const from = Math.max(window.from, quiet);
        return sum + upIn({ from, until: Math.min(window.until, until) }, outages);
      }, 0) / HOUR_MS
    : windows.filter((window, at) => {
        const before = windows[at - 1]?.until ?? Number.NEGATIVE_INFINITY;
        const isWhole = quiet <= Math.max(before, window.from - EARLY_MS) && window.until <= until;
        return isWhole && upIn(window, outages) > (window.until - window.from) * LEAST_UP;
      }).length;
  if (missed >= expected.silent_after) return 'silent';
  return missed >= (isHourly ? LATE_HOURS : 1) ? 'late' : 'none';
}

/** For how much of it the service was up. */
function upIn({ from, until }: TimeSpan, outages: readonly TimeSpan[]): number {
  const down = outages.map((one) =>
    Math.max(0, Math.min(until, one.until) - Math.max(from, one.from)),
  );
  return Math.max(
    0,
    down.reduce((up, ms) => up - ms, until - from),
  );
}

/** Windows that begin or end between the two times, from the day before the first on. */
function* windowsBetween(
  { hours, closed_days }: Wanted,
  zone: string,
  from: number,
  until: number,
): Generator<TimeSpan> {
  const week = readHours(hours) ?? [];
  const closed = readClosedDays(closed_days) ?? [];
  const dayOf = (time: number) =>
    Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).toPlainDate();
  const end = dayOf(until);
  let day = dayOf(Math.max(from, until - MAX_DAYS * DAY_MS)).subtract({ days: 1 });
  for (; Temporal.PlainDate.compare(day, end) <= 0; day = day.add({ days: 1 })) {
    const span = week[day.dayOfWeek - 1];
    const text = day.toString();
    if (span === undefined || closed.includes(text) || closed.includes(text.slice(-5))) continue;
    const window = { from: at(day, span.from, zone), until: at(day, span.until, zone) };
    // Clocks that are put forward may skip all of it.
    if (window.from < window.until) yield window;
  }
}

/** The moment of a whole hour of that day, by the clock there; 24 is midnight of the next. */
function at(day: Temporal.PlainDate, hour: number, zone: string): number {
  const date = hour === 24 ? day.add({ days: 1 }) : day;
  return date.toZonedDateTime({ timeZone: zone, plainTime: new Temporal.PlainTime(hour % 24) })
    .epochMilliseconds;
}
