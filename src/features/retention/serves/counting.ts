/** Counts what a rule would remove, page by page, and changes nothing. */

import type { Resource } from '../../../core/schema/define.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { RetentionCount, RetentionPreview, StoredRetentionRule } from '../declares.ts';
import { type AgeVerdict, createJudge } from './judge.ts';
import { agedPages } from './walk.ts';

const DAY_MS = 86_400_000;
/** The time ahead for which removals are predicted. */
export const SOON_MS = 31 * DAY_MS;
const PAGE = 200;
/** Entries by year and location; more are counted by year alone, and those of more years together. */
const MOST_COUNTS = 1_000;

/** Until when a record must have been there to go at that time. */
export function cutoffOf({ after_days }: StoredRetentionRule, at: number): number {
  return at - after_days * DAY_MS;
}

export type Counted = Omit<RetentionPreview, 'status' | 'at'>;

export async function* counting(
  store: Store,
  resources: readonly Resource[],
  { rule, resource, at }: { rule: StoredRetentionRule; resource: Resource; at: number },
): AsyncGenerator<number, Counted> {
  const judge = createJudge(store, resources, { rule, resource });
  const cutoff = cutoffOf(rule, at);
  const walk = { store, resource, rule, until: cutoff + SOON_MS, limit: PAGE };
  const tallies = new Map<string, Tally>();
  const below: Record<string, number> = {};
  let soon = 0;
  for await (const { old } of agedPages(walk, null)) {
    const verdicts = await judge.verdicts(old.map(({ record }) => record));
    for (const [at, { record, since }] of old.entries()) {
      const verdict = verdicts[at] ?? 'goes';
      const isSoon = since > cutoff;
      if (!isSoon) tallyOf(tallies, since, record.anchor)[verdict] += 1;
      if (verdict === 'spared') continue;
      const isLater = isSoon || verdict === 'held';
      if (isLater) soon += 1;
      for (const [name, count] of await judge.countBelow(record.unique_identifier)) {
        if (isLater) soon += count;
        else below[name] = (below[name] ?? 0) + count;
      }
    }
    yield 1;
  }
  const counts = [...tallies.values()].sort(
    (one, other) =>
      one.year - other.year || ((one.location ?? '~') < (other.location ?? '~') ? -1 : 1),
  );
  const sum = (name: AgeVerdict) => counts.reduce((total, one) => total + one[name], 0);
  return { goes: sum('goes'), held: sum('held'), spared: sum('spared'), below, soon, counts };
}

function tallyOf(tallies: Map<string, Tally>, since: number, location: string | null): Tally {
  const year = new Date(since).getUTCFullYear();
  const named = [
    { year, location },
    { year, location: null },
    { year: 0, location: null },
  ].find((one, at) => {
    return tallies.has(nameOf(one)) || tallies.size < MOST_COUNTS * (at + 1) || at === 2;
  }) as Pick<RetentionCount, 'year' | 'location'>;
  return tallies.getOrInsertComputed(nameOf(named), () => {
    return { ...named, goes: 0, held: 0, spared: 0 };
  });
}

type Tally = { -readonly [Name in keyof RetentionCount]: RetentionCount[Name] };

function nameOf({ year, location }: Pick<RetentionCount, 'year' | 'location'>): string {
  return `${year} ${location ?? ''}`;
}

/** All records that would go, with what belongs to them. */
export function allOf({ goes, below }: Pick<Counted, 'goes' | 'below'>): number {
  return Object.values(below).reduce((sum, count) => sum + count, goes);
}
