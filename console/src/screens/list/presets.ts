/** Days that people ask for: today, the last week. */
import type { DescribedFilter } from '../../description.ts';
import { texts } from '../../texts.ts';
import { midnight, withOffset } from '../../values/days.ts';

const { presets } = texts.list;

/** From the first day on, until before the last, counted from today. */
const PAST = [
  [presets.today, 0, 1],
  [presets.yesterday, -1, 0],
  [presets.week, -6, 1],
  [presets.month, -29, 1],
] as const;
const COMING = [
  [presets.today, 0, 1],
  [presets.tomorrow, 1, 2],
  [presets.coming, 0, 7],
  [presets.week, -6, 1],
] as const;

export interface Preset {
  readonly label: string;
  readonly values: Readonly<Record<string, string>>;
}

/** What is noted of a record lies behind; what it is about may lie ahead. */
export function presetsFor({ param }: DescribedFilter): readonly Preset[] {
  const days = param === 'inserted_at' || param === 'updated_at' ? PAST : COMING;
  return days.map(([label, from, until]) => ({
    label,
    values: between(param, midnight(new Date(), from), midnight(new Date(), until)),
  }));
}

/** All of the days from one to the other. */
export function between(
  param: string,
  from: Date | undefined,
  until: Date | undefined,
): Readonly<Record<string, string>> {
  return {
    ...(from === undefined ? {} : { [`${param}[gte]`]: withOffset(from) }),
    ...(until === undefined ? {} : { [`${param}[lt]`]: withOffset(until) }),
  };
}

export function presetOf(filter: DescribedFilter, query: URLSearchParams): string | undefined {
  return presetsFor(filter).find(({ values }) =>
    Object.entries(values).every(([name, value]) => query.get(name) === value),
  )?.label;
}
