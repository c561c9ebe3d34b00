/** Learns what to expect of each source at each location of an account, from the activity of the last six weeks. */
import { setImmediate as giveWay } from 'node:timers/promises';
import { effectiveSettings } from '../../core/objects/location-settings.ts';
import { type Expectation, expectation } from '../../core/objects/requests/expectation.ts';
import type { Store } from '../../store/promises/store.ts';
import { LEARNED_DAYS, learn } from './learn.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
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

type Learning = Pick<Store, 'expectations' | 'requests' | 'locationSettings'>;

export async function learnAccount(
  store: Learning,
  account: string,
  sources: KnownSources,
  now: number,
): Promise<void> {
  const from = (Math.floor(now / DAY_MS) - LEARNED_DAYS) * DAY_MS;
  const pairs = await pairsOf(store, account, sources, from);
  const known = await knownOf(store, account, sources);
  const ids = [...new Set([...pairs.values()].map(({ location }) => location)), account];
  const settings = new Map(
    (await store.locationSettings.of(ids)).map((one) => [one.unique_identifier, one]),
  );
  let done = 0;
  for (const [name, { source, location, hours, last_at }] of pairs) {
    done += 1;
    if (done % 20 === 0) await giveWay();
    const before = known.get(name);
    if (before !== undefined && !isLearning(before)) continue;
    const of = { unique_identifier: location, account };
    const { time_zone } = effectiveSettings(of, (id) => settings.get(id));
    const times = [...hours.keys()].flatMap((at) => (hours[at] ? [from + at * HOUR_MS] : []));
    const learned = learn(times, time_zone, now);
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
  { requests }: Learning,
  account: string,
  sources: KnownSources,
  from: number,
): Promise<ReadonlyMap<string, Pair>> {
  const pairs = new Map<string, Pair>();
  const end = from + HOURS * HOUR_MS;
  for (let [begin, step] = [from, HOUR_MS]; begin < end; ) {
    const found = await requests.hoursSeen(account, begin, Math.min(begin + step, end));
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

async function knownOf({ expectations }: Learning, account: string, sources: KnownSources) {
  const known = new Map<string, Expectation>();
  for (let after: string | undefined; ; ) {
    const page = await expectations.list({ accounts: [account], after, limit: PAGE });
    for (const one of page) known.set(nameOf(sources.current(one.source), one.location), one);
    if (page.length < PAGE) return known;
    after = page.at(-1)?.unique_identifier;
  }
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
