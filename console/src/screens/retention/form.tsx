/** Makes a retention rule, or changes one: a sentence that is built from the choices. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RetentionRule } from '../../../../client/src/generated/objects.d.ts';
import { useAct } from '../../parts/act.ts';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Labelled } from '../../parts/labelled.tsx';
import { useLocationNames } from '../../places/locations.ts';
import { resourceNamed } from '../../records/description.ts';
import { refusalText } from '../../refusals.ts';
import { api } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import {
  daysIn,
  exceptionIn,
  exceptionsOf,
  exceptionText,
  inYears,
  isDated,
  ruled,
  sentenceOf,
  unlessOf,
} from './sentence.ts';
import { says } from './texts.ts';

const { form } = says;
const YEAR = 365;
const USUAL_YEARS = '3';
const UNITS = ['years', 'days'] as const;
const SINCES = ['event_datetime', 'inserted_at', 'updated_at'] as const;
const USUAL_RESOURCE = 'event_check_in_record';

interface RuleFormProps {
  /** `undefined`: it is made. */
  readonly rule: RetentionRule | undefined;
  readonly onClose: () => void;
  readonly onDone: (rule: RetentionRule) => void;
}

interface Typed {
  readonly account: string;
  readonly resource: string;
  readonly count: string;
  readonly unit: (typeof UNITS)[number];
  readonly since: string;
  /** The filter that it spares by; `''`: none. */
  readonly unless: string;
  readonly location: string;
  readonly least: string;
  readonly basis: string;
}

function begun(rule: RetentionRule | undefined): Typed {
  const first = ruled.find(({ name }) => name === USUAL_RESOURCE) ?? ruled[0];
  if (rule === undefined)
    return {
      account: session.value?.accounts[0]?.unique_identifier ?? '',
      ...{ resource: first?.name ?? '', count: USUAL_YEARS, unit: 'years' },
      ...{ since: SINCES[0], unless: '', location: '', least: '', basis: '' },
    };
  const {
    account,
    resource: name,
    after_days,
    since,
    unless,
    location,
    at_least_days,
    basis,
  } = rule;
  const resource = resourceNamed(name);
  const isYears = inYears(after_days);
  return {
    ...{ account, resource: name, since, basis, location: location ?? '' },
    count: String(isYears ? after_days / YEAR : after_days),
    unit: isYears ? 'years' : 'days',
    unless: (resource && exceptionIn(resource, unless)?.param) ?? (unless === null ? '' : OTHER),
    least: at_least_days === null ? '' : String(at_least_days),
  };
}

/** An exception that a program has made, which stays. */
const OTHER = 'other';

export function RuleForm({ rule, onClose, onDone }: RuleFormProps): JSX.Element {
  const [typed, setTyped] = useState(() => begun(rule));
  const [isTouched, setTouched] = useState(false);
  const locations = useLocationNames();
  const act = useAct();
  const accounts = session.value?.accounts ?? [];
  const resource = resourceNamed(typed.resource);
  const sinces = SINCES.filter((one) => one !== SINCES[0] || (resource && isDated(resource)));
  const since = sinces.find((one) => one === typed.since) ?? sinces[0] ?? typed.since;
  const count = Number(typed.count);
  const isCount = Number.isInteger(count) && count > 0;
  const kept = typed.unless === OTHER ? (rule?.unless ?? null) : undefined;
  const decided = {
    after_days: daysIn(isCount ? count : 0, typed.unit),
    ...{ since, unless: kept ?? unlessOf(typed.unless === OTHER ? '' : typed.unless) },
  };
  const where = typed.location === '' ? undefined : locations.get(typed.location);
  const put = (changes: Partial<Typed>): void => {
    setTouched(true);
    setTyped({ ...typed, ...changes });
  };
  const save = async (): Promise<void> => {
    const sent = {
      ...{ ...decided, since: since as (typeof SINCES)[number], basis: typed.basis.trim() },
      location: typed.location === '' ? null : typed.location,
      at_least_days: typed.least.trim() === '' ? null : Number(typed.least),
    };
    const done = await act.run(() => {
      if (rule !== undefined) return api.retention_rules.patch(rule.unique_identifier, sent);
      const { account, resource: name } = typed;
      return api.retention_rules.create({ ...sent, account, resource: name as never });
    });
    if (done !== undefined) onDone(done);
  };
  const fault = (param: string, label: string): string | undefined =>
    act.faults[param] && refusalText(act.faults[param], label);
  const own = [
    fault('after_days', form.after),
    fault('at_least_days', form.least),
    fault('basis', form.basis),
  ];
  return (
    <Dialog
      title={rule === undefined ? form.title : form.change}
      onClose={onClose}
      wide
      filled={isTouched}
    >
      <form
        class="fields rule-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <p class="sentence" aria-live="polite">
          {isCount ? `${sentenceOf({ ...decided, resource: typed.resource }, where)}.` : form.noAge}
        </p>
        {own.every((one) => one === undefined) && <Fault says={act.fault} />}
        {accounts.length > 1 && rule === undefined && (
          <Labelled label={form.account} fault={undefined}>
            {(common) => (
              <select
                {...common}
                value={typed.account}
                onChange={({ currentTarget }) =>
                  put({ account: currentTarget.value, location: '' })
                }
              >
                {accounts.map(({ unique_identifier: id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        )}
        {rule === undefined && (
          <Labelled label={form.what} fault={fault('resource', form.what)}>
            {(common) => (
              <select
                {...common}
                value={typed.resource}
                onChange={({ currentTarget }) => put({ resource: currentTarget.value, unless: '' })}
              >
                {ruled.map(({ name, plural }) => (
                  <option key={name} value={name}>
                    {plural}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        )}
        <Labelled label={form.after} fault={own[0]}>
          {(common) => (
            <span class="inline">
              <input
                {...common}
                inputMode="numeric"
                value={typed.count}
                onInput={({ currentTarget }) => put({ count: currentTarget.value })}
              />
              <select
                aria-label={form.unit}
                value={typed.unit}
                onChange={({ currentTarget }) => put({ unit: currentTarget.value as 'years' })}
              >
                {UNITS.map((unit) => (
                  <option key={unit} value={unit}>
                    {form.units[unit]}
                  </option>
                ))}
              </select>
            </span>
          )}
        </Labelled>
        <Labelled label={form.since} fault={fault('since', form.since)}>
          {(common) => (
            <select
              {...common}
              value={since}
              onChange={({ currentTarget }) => put({ since: currentTarget.value })}
            >
              {sinces.map((one) => (
                <option key={one} value={one}>
                  {says.sinces[one]}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <Labelled label={form.unless} fault={fault('unless', form.unless)}>
          {(common) => (
            <select
              {...common}
              value={typed.unless}
              onChange={({ currentTarget }) => put({ unless: currentTarget.value })}
            >
              <option value="">{form.noException}</option>
              {typed.unless === OTHER && <option value={OTHER}>{says.unlessOther}</option>}
              {resource &&
                exceptionsOf(resource).map((filter) => (
                  <option key={filter.param} value={filter.param}>
                    {exceptionText(filter)}
                  </option>
                ))}
            </select>
          )}
        </Labelled>
        <Labelled label={form.where} fault={fault('location', form.where)}>
          {(common) => (
            <select
              {...common}
              value={typed.location}
              onChange={({ currentTarget }) => put({ location: currentTarget.value })}
            >
              <option value="">{form.everywhere}</option>
              {[...locations].map(([id, called]) => (
                <option key={id} value={id}>
                  {called}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <Labelled label={form.least} hint={form.leastHint} fault={own[1]}>
          {(common) => (
            <input
              {...common}
              inputMode="numeric"
              autocomplete="off"
              value={typed.least}
              onInput={({ currentTarget }) => put({ least: currentTarget.value })}
            />
          )}
        </Labelled>
        <Labelled label={form.basis} hint={form.basisHint} fault={own[2]}>
          {(common) => (
            <input
              {...common}
              maxLength={500}
              autocomplete="off"
              placeholder={form.basisPlaceholder}
              value={typed.basis}
              onInput={({ currentTarget }) => put({ basis: currentTarget.value })}
            />
          )}
        </Labelled>
        <footer>
          <span class="hint">{rule === undefined ? form.next : form.paused}</span>
          <Cancel />
          <button
            type="submit"
            class="main"
            disabled={act.busy || !isCount || typed.basis.trim() === ''}
          >
            {rule === undefined ? form.submit : says.change}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
