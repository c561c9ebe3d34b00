/** Periods to choose from: today, the last week. */
import { page as texts } from 'messages';
import type { DescribedFilter } from '../../records/description.ts';
import { isNamedDays, type NamedDays } from '../../values/days.ts';
import { daysParam } from './query.ts';

const { presets } = texts.list;

const PAST = ['today', 'yesterday', 'last-7-days', 'last-30-days'] as const;
const COMING = ['today', 'tomorrow', 'next-7-days', 'from-today', 'last-7-days'] as const;

/** What is noted of a record lies behind; what it is about may lie ahead. */
export function presetsFor({ param }: DescribedFilter): readonly NamedDays[] {
  return param === 'inserted_at' || param === 'updated_at' ? PAST : COMING;
}

export function presetText(name: NamedDays): string {
  return presets[name];
}

export function presetOf({ param }: DescribedFilter, query: URLSearchParams): string | undefined {
  const name = query.get(daysParam(param));
  return isNamedDays(name) ? presetText(name) : undefined;
}
