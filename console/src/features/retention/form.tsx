/** Makes a retention rule, or changes one: a sentence that is built from the choices. */

import { retention as says, page as texts } from 'messages';
import type { RetentionRule } from '../../../../client/src/generated/objects.d.ts';
import { toJson } from '../../../../client/src/json.ts';
import * as bounds from '../../generated/bounds.ts';
import { unitText } from '../../messages.ts';
import { accountField, type FieldsOf, firstAccount, question } from '../../parts/form.tsx';
import {
  aboveOf,
  type DescribedFilter,
  type DescribedResource,
  described,
  fieldOf,
  resourceNamed,
} from '../../records/description.ts';
import { api } from '../../service/api.ts';

const { form } = says;
const SINCES = ['event_datetime', 'inserted_at', 'updated_at'] as const;
const USUAL = 'event_check_in_record';
/** An exception that a program has made, which stays. */
const OTHER = 'other';
type Form = ReturnType<typeof newRule>;

const newRule = () => ({
  account: firstAccount(),
  resource: USUAL,
  count: '3',
  unit: 'years',
  since: SINCES[0] as string,
  unless: '',
  location: '',
  at_least_days: '',
  basis: '',
});

function begun(props: RetentionRule): Form {
  const { account, resource, after_days, since, unless, basis, ...rule } = props;
  const found = resourceNamed(resource);
  const isYears = inYears(after_days);
  return {
    account,
    resource,
    since,
    basis,
    location: rule.location ?? '',
    count: String(isYears ? after_days / YEAR : after_days),
    unit: isYears ? 'years' : 'days',
    unless: (found && exceptionIn(found, unless)?.param) ?? (unless === null ? '' : OTHER),
    at_least_days: rule.at_least_days === null ? '' : String(rule.at_least_days),
  };
}

/** `locations`: by their identifiers. `rule`: `undefined` where it is made. */
export function ruleForm(locations: ReadonlyMap<string, string>, rule?: RetentionRule) {
  const decidedOf = ({ resource, count, unit, since, unless }: Form) => {
    const found = resourceNamed(resource);
    const sinces = SINCES.filter((one) => one !== SINCES[0] || (found && isDated(found)));
    return {
      resource,
      sinces,
      since: sinces.find((one) => one === since) ?? SINCES[1],
      after_days: daysIn(Number(count) > 0 ? Math.trunc(Number(count)) : 0, unit as 'years'),
      unless: unless === OTHER ? (rule?.unless ?? null) : unlessOf(unless),
      exceptions: found === undefined ? [] : exceptionsOf(found),
    };
  };
  const fields = (typed: Form): FieldsOf<Form> => {
    const { sinces, exceptions } = decidedOf(typed);
    const isNew = rule === undefined;
    return {
      ...(isNew && {
        ...accountField(),
        resource: {
          label: texts.record.remove,
          of: ruled.map(({ name, plural }) => [name, plural]),
        },
      }),
      count: { label: form.after, of: 'number', needed: true },
      unit: { label: form.unit, of: Object.entries(form.units) },
      since: { label: form.since, of: sinces.map((one) => [one, says.sinces[one] ?? one]) },
      unless: {
        label: form.unless,
        of: [
          ['', form.noException],
          ...(typed.unless === OTHER ? [[OTHER, says.unlessOther] as const] : []),
          ...exceptions.map((one) => [one.param, exceptionText(one)] as const),
        ],
      },
      location: { label: form.where, of: [['', texts.allLocations], ...locations] },
      at_least_days: { label: form.least, hint: form.leastHint, of: 'number' },
      basis: {
        label: texts.why,
        hint: form.basisHint,
        placeholder: form.basisPlaceholder,
        needed: true,
      },
    };
  };
  return question({
    title: rule === undefined ? form.title : form.change,
    bounds: bounds.create_retention_rule,
    wide: true,
    sentence: (typed: Form) => {
      const decided = decidedOf(typed);
      if (decided.after_days === 0) return form.noAge;
      return `${sentenceOf(decided, locations.get(typed.location))}.`;
    },
    submit: rule === undefined ? form.submit : texts.change,
    foot: <span class="hint">{rule === undefined ? form.next : form.paused}</span>,
    begin: rule === undefined ? newRule() : begun(rule),
    fields,
    send: (typed) => {
      const { after_days, since, unless } = decidedOf(typed);
      const sent = {
        after_days,
        since,
        unless,
        basis: typed.basis,
        location: typed.location || null,
        at_least_days: typed.at_least_days === '' ? null : Number(typed.at_least_days),
      };
      if (rule !== undefined) return api.retention_rules.patch(rule.unique_identifier, sent);
      const { account, resource } = typed;
      return api.retention_rules.create({ ...sent, account, resource: resource as never });
    },
  });
}

type Decided = Pick<RetentionRule, 'resource' | 'after_days' | 'since' | 'unless'>;

const YEAR = 365;
/** What services are dated by. */
const DATED = 'event_datetime';

/** What rules are about: records at a location. */
const ruled: readonly DescribedResource[] = described.filter(
  ({ parent, anchor }) => parent !== undefined && anchor !== true,
);

/** Whether the age of its records can be counted from a service. */
function isDated(resource: DescribedResource): boolean {
  const above = aboveOf(resource).flatMap((name) => resourceNamed(name) ?? []);
  return [resource, ...above].some((one) => fieldOf(one, DATED) !== undefined);
}

/** Filters that can be an exception: records in which something is true. */
function exceptionsOf({ filters }: DescribedResource): readonly DescribedFilter[] {
  return filters.filter(({ by }) => by === 'true');
}

/** As it is sent, where inner names are in brackets: `{ cart: { is_abandoned: true } }`. */
function unlessOf(param: string): Decided['unless'] {
  const [first = '', inner] = param.split(/[[\]]/);
  if (param === '') return null;
  return { [first]: inner === undefined ? true : { [inner]: true } };
}

/** The filter that a rule spares by; `undefined` where it is none of those, or several. */
function exceptionIn(resource: DescribedResource, unless: Decided['unless']) {
  const sent = toJson(unless);
  return exceptionsOf(resource).find(({ param }) => toJson(unlessOf(param)) === sent);
}

function exceptionText({ param, label }: DescribedFilter): string {
  return says.exceptions[param.replace(/^(visitor|person)_/, '')] ?? says.exception(label);
}

/** `1095` is "3 years". */
function ageText(days: number): string {
  return days % YEAR === 0 ? unitText(days / YEAR, 'year') : unitText(days, 'day');
}

function inYears(days: number): boolean {
  return days % YEAR === 0;
}

function daysIn(count: number, unit: 'years' | 'days'): number {
  return unit === 'years' ? count * YEAR : count;
}

export function sentenceOf({ resource: name, after_days, since, unless }: Decided, where?: string) {
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
