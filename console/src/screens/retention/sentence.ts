/** A rule in a sentence, built from what was chosen. */
import { retention as says } from 'messages';
import type { RetentionRule } from '../../../../client/src/generated/objects.d.ts';
import {
  aboveOf,
  type DescribedFilter,
  type DescribedResource,
  described,
  fieldOf,
  resourceNamed,
} from '../../records/description.ts';
import { unitText } from '../../values/unit.ts';

export type Decided = Pick<RetentionRule, 'resource' | 'after_days' | 'since' | 'unless'>;

export const YEAR = 365;
/** What services are dated by. */
const DATED = 'event_datetime';

/** What rules are about: records at a location. */
export const ruled: readonly DescribedResource[] = described.filter(
  ({ parent, anchor }) => parent !== undefined && anchor !== true,
);

/** Whether the age of its records can be counted from a service. */
export function isDated(resource: DescribedResource): boolean {
  const above = aboveOf(resource).flatMap((name) => resourceNamed(name) ?? []);
  return [resource, ...above].some((one) => fieldOf(one, DATED) !== undefined);
}

/** Filters that can be an exception: records in which something is true. */
export function exceptionsOf({ filters }: DescribedResource): readonly DescribedFilter[] {
  return filters.filter(({ by }) => by === 'true');
}

/** As it is sent, where inner names are in brackets: `{ cart: { is_abandoned: true } }`. */
export function unlessOf(param: string): Decided['unless'] {
  const [first = '', inner] = param.split(/[[\]]/);
  if (param === '') return null;
  return { [first]: inner === undefined ? true : { [inner]: true } };
}

/** The filter that a rule spares by; `undefined` where it is none of those, or several. */
export function exceptionIn(
  resource: DescribedResource,
  unless: Decided['unless'],
): DescribedFilter | undefined {
  const sent = JSON.stringify(unless);
  return exceptionsOf(resource).find(({ param }) => JSON.stringify(unlessOf(param)) === sent);
}

export function exceptionText({ param, label }: DescribedFilter): string {
  return says.exceptions[param.replace(/^(visitor|person)_/, '')] ?? says.exception(label);
}

/** `1095` is "3 years". */
function ageText(days: number): string {
  return days % YEAR === 0 ? unitText(days / YEAR, 'year') : unitText(days, 'day');
}

export function inYears(days: number): boolean {
  return days % YEAR === 0;
}

export function daysIn(count: number, unit: 'years' | 'days'): number {
  return unit === 'years' ? count * YEAR : count;
}

export function sentenceOf(
  { resource: name, after_days, since, unless }: Decided,
  where?: string,
): string {
  const resource = resourceNamed(name);
  const plural = resource?.plural ?? name;
  const called = plural.charAt(0).toLocaleLowerCase() + plural.slice(1);
  const what = where === undefined ? called : `${called} ${says.at(where)}`;
  const sentence = says.sentence({
    what,
    after: ageText(after_days),
    since: says.sinces[since] ?? since,
  });
  if (unless === null) return sentence;
  const exception = resource && exceptionIn(resource, unless);
  return `${sentence}, ${exception === undefined ? says.unlessOther : says.unless(exceptionText(exception))}`;
}
