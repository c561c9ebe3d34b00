/** Loads the activity of each system: hourly counts of the last week; and refused requests. */

import type { Activity, RefusedRequest } from '../../../../client/src/generated/objects.d.ts';
import { now } from '../../clock.ts';
import { api } from '../../service/api.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How far back to look, to know what is usual. */
const DAYS = 7;
const HOURS = 24;
const PAGE = 1000;
/** Counted hours; what is beyond is older. */
const MAX_COUNTED = 5 * PAGE;

export type Feed = ReturnType<typeof feedOf>;
export type RefusalGroup = ReturnType<typeof refusalsOf>[number];

const WRITTEN = new Set(['created', 'updated', 'unchanged']);

export async function loadFeeds(signal: AbortSignal): Promise<readonly Feed[]> {
  const at = now();
  return feedsOf(await activitySince(new Date(at - DAYS * DAY_MS), signal), at);
}

export async function loadRefusals(signal: AbortSignal) {
  const time = { gte: wholeSecond(now() - DAY_MS) };
  const refused = await api.requests.list({ by: 'keys', time, limit: PAGE }, { signal }).page();
  return { groups: refusalsOf(refused.data), more: refused.has_more };
}

async function activitySince(from: Date, signal: AbortSignal): Promise<readonly Activity[]> {
  const entries: Activity[] = [];
  const query = { hour: { gte: wholeSecond(from.getTime()) }, limit: PAGE };
  for await (const entry of api.activity.list(query, { signal })) {
    entries.push(entry);
    if (entries.length === MAX_COUNTED) break;
  }
  return entries;
}

function wholeSecond(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Only what keys have sent, and files that came of a source today: people are not feeds. */
function feedsOf(entries: readonly Activity[], now: number): readonly Feed[] {
  const today = wholeSecond(now - DAY_MS);
  const isFeed = ({ key, last_at }: Activity) =>
    key?.startsWith('key_') || (isImport(key) && last_at > today);
  const sent = entries.filter(
    (one) => isFeed(one) && (WRITTEN.has(one.outcome) || one.outcome === 'refused'),
  );
  const groups = Map.groupBy(sent, ({ key, location }) => `${key} ${location ?? ''}`);
  return [...groups.values()]
    .map((group) => feedOf(group, now))
    .sort((one, other) => (other.last ?? '').localeCompare(one.last ?? ''));
}

/** Whether it is a file that was imported as a source of its own, and no key. */
export function isImport(key: string | undefined): boolean {
  return key?.startsWith('imp_') === true;
}

/** Counts the records of the last 24 hours: by hour, the last one at the end, and by outcome. `last`: when one came last. */
function feedOf(entries: readonly Activity[], now: number) {
  const [{ key = '', location } = {} as Activity] = entries;
  const written = entries.filter(({ outcome }) => WRITTEN.has(outcome));
  const last = written
    .map(({ last_at }) => last_at)
    .toSorted()
    .at(-1);
  const hours = Array.from({ length: HOURS }, () => 0);
  const counts: Record<string, number> = {};
  for (const { hour, outcome, count } of entries) {
    const ago = Math.floor(now / HOUR_MS) - Math.floor(Date.parse(hour) / HOUR_MS);
    if (ago < 0 || ago >= HOURS) continue;
    counts[outcome] = (counts[outcome] ?? 0) + count;
    if (WRITTEN.has(outcome)) hours[HOURS - 1 - ago] = (hours[HOURS - 1 - ago] ?? 0) + count;
  }
  return { key, location, last, hours, counts };
}

function refusalsOf(requests: readonly RefusedRequest[]) {
  const all = requests.flatMap(({ time, code, errors }) =>
    (errors.length === 0 ? [{ code, count: 1 }] : errors).map((fault) => ({
      code: fault.code,
      param: 'param' in fault ? fault.param : undefined,
      count: fault.count,
      time,
    })),
  );
  return [...Map.groupBy(all, ({ code, param }) => `${code} ${param ?? ''}`).values()]
    .map((group) => {
      const times = group.map(({ time }) => time).sort();
      const [{ code, param }] = group as [(typeof all)[number]];
      return {
        code,
        param,
        count: group.reduce((sum, { count }) => sum + count, 0),
        first: times[0] ?? '',
        last: times.at(-1) ?? '',
      };
    })
    .sort((one, other) => other.count - one.count);
}

export function sourceNames(): Promise<ReadonlyMap<string, string>> {
  asked ??= askSourceNames().finally(() => {
    asked = undefined;
  });
  return asked;
}

/** Parts of one screen ask at once: a browser has few connections. */
let asked: ReturnType<typeof askSourceNames> | undefined;

async function askSourceNames(): Promise<ReadonlyMap<string, string>> {
  const { data } = await api.sources.list({ limit: PAGE }).page();
  return new Map(data.map((one) => [one.unique_identifier, one.name]));
}
