/** Counts what a rule would remove, page by page, and changes nothing. */

import type { Resource } from '../../../core/schema/define.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { RetentionCount, RetentionPreview, StoredRetentionRule } from '../declares.ts';
import { Judge } from './judge.ts';
import { AgedWalk, START } from './walk.ts';

const DAY_MS = 86_400_000;
/** The time ahead for which removals are predicted. */
export const SOON_MS = 31 * DAY_MS;
const PAGE = 200;
/** Entries by year and location; more are counted by year alone, and those of more years together. */
const MOST_COUNTS = 1_000;

/** Until when a record must have been there to go at that time. */
export function cutoffOf(
  { after_days }: Pick<StoredRetentionRule, 'after_days'>,
  at: number,
): number {
  return at - after_days * DAY_MS;
}

/** Sums of the counts. */
export type Counted = Omit<RetentionPreview, 'status' | 'at'>;

export class Counting {
  readonly #judge: Judge;
  readonly #walk: AgedWalk;
  readonly #cutoff: number;
  #place = START;
  readonly #counts = new Map<string, Tally>();
  #below: Record<string, number> = {};
  #soon = 0;

  constructor(
    store: Store,
    resources: readonly Resource[],
    { rule, resource, at }: { rule: StoredRetentionRule; resource: Resource; at: number },
  ) {
    this.#judge = new Judge(store, resources, { rule, resource });
    this.#cutoff = cutoffOf(rule, at);
    this.#walk = new AgedWalk(store, resource, {
      rule,
      until: this.#cutoff + SOON_MS,
      limit: PAGE,
    });
  }

  /** Counts some more; returns the counts once it is through. */
  async piece(): Promise<Counted | undefined> {
    const { old, place, isAgain } = await this.#walk.page(this.#place);
    if (isAgain) {
      this.#counts.clear();
      [this.#below, this.#soon] = [{}, 0];
    }
    const verdicts = await this.#judge.verdicts(old.map(({ record }) => record));
    for (const [at, { record, since }] of old.entries()) {
      const verdict = verdicts[at] ?? 'goes';
      const isSoon = since > this.#cutoff;
      if (!isSoon) this.#tallyOf(since, record.anchor)[verdict] += 1;
      if (verdict === 'spared') continue;
      const isLater = isSoon || verdict === 'held';
      if (isLater) this.#soon += 1;
      for (const [name, count] of await this.#judge.countBelow(record.unique_identifier)) {
        if (isLater) this.#soon += count;
        else this.#below[name] = (this.#below[name] ?? 0) + count;
      }
    }
    if (place !== null) {
      this.#place = place;
      return undefined;
    }
    const counts = [...this.#counts.values()].sort(
      (one, other) =>
        one.year - other.year || ((one.location ?? '~') < (other.location ?? '~') ? -1 : 1),
    );
    const sum = (name: 'goes' | 'held' | 'spared') =>
      counts.reduce((total, one) => total + one[name], 0);
    const all = { goes: sum('goes'), held: sum('held'), spared: sum('spared') };
    return { ...all, below: this.#below, soon: this.#soon, counts };
  }

  #tallyOf(since: number, location: string | null): Tally {
    const year = new Date(since).getUTCFullYear();
    const named = [
      { year, location },
      { year, location: null },
      { year: 0, location: null },
    ].find((one, at) => {
      const name = nameOf(one);
      return this.#counts.has(name) || this.#counts.size < MOST_COUNTS * (at + 1) || at === 2;
    }) as Pick<RetentionCount, 'year' | 'location'>;
    return this.#counts.getOrInsertComputed(nameOf(named), () => {
      return { ...named, goes: 0, held: 0, spared: 0 };
    });
  }
}

type Tally = { -readonly [Name in keyof RetentionCount]: RetentionCount[Name] };

function nameOf({ year, location }: Pick<RetentionCount, 'year' | 'location'>): string {
  return `${year} ${location ?? ''}`;
}

/** All records that would go, with what belongs to them. */
export function allOf({ goes, below }: Pick<Counted, 'goes' | 'below'>): number {
  return Object.values(below).reduce((sum, count) => sum + count, goes);
}
