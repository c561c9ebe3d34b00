/** Makes a retention rule, or changes one: a sentence that is built from the choices. */
import { retention as says, page as texts } from 'messages';
import type { RetentionRule } from '../../../../client/src/generated/objects.d.ts';
import * as bounds from '../../generated/bounds.ts';
import { accountField, type FieldsOf, firstAccount, question } from '../../parts/form.tsx';
import { resourceNamed } from '../../records/description.ts';
import { api } from '../../service/api.ts';
import * as of from './sentence.ts';

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
  const isYears = of.inYears(after_days);
  return {
    account,
    resource,
    since,
    basis,
    location: rule.location ?? '',
    count: String(isYears ? after_days / of.YEAR : after_days),
    unit: isYears ? 'years' : 'days',
    unless: (found && of.exceptionIn(found, unless)?.param) ?? (unless === null ? '' : OTHER),
    at_least_days: rule.at_least_days === null ? '' : String(rule.at_least_days),
  };
}

/** `locations`: by their identifiers. `rule`: `undefined` where it is made. */
export function ruleForm(locations: ReadonlyMap<string, string>, rule?: RetentionRule) {
  const decidedOf = ({ resource, count, unit, since, unless }: Form) => {
    const found = resourceNamed(resource);
    const sinces = SINCES.filter((one) => one !== SINCES[0] || (found && of.isDated(found)));
    return {
      resource,
      sinces,
      since: sinces.find((one) => one === since) ?? SINCES[1],
      after_days: of.daysIn(Number(count) > 0 ? Math.trunc(Number(count)) : 0, unit as 'years'),
      unless: unless === OTHER ? (rule?.unless ?? null) : of.unlessOf(unless),
      exceptions: found === undefined ? [] : of.exceptionsOf(found),
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
          of: of.ruled.map(({ name, plural }) => [name, plural]),
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
          ...exceptions.map((one) => [one.param, of.exceptionText(one)] as const),
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
      return `${of.sentenceOf(decided, locations.get(typed.location))}.`;
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
