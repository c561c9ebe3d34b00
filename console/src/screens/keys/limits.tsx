/** What a key is limited to beside records: addresses, how much at once, and until when. */
import type { JSX } from 'preact';
import type { Act } from '../../parts/act.ts';
import { Labelled } from '../../parts/labelled.tsx';
import { refusalText } from '../../refusals.ts';
import { withOffset } from '../../values/days.ts';
import { says } from './texts.ts';

/** As they are typed. */
export interface TypedLimits {
  readonly from: string;
  readonly rate: string;
  readonly per: 's' | 'm';
  readonly concurrent: string;
  readonly expires: string;
}

export const NO_LIMITS: TypedLimits = { from: '', rate: '', per: 's', concurrent: '', expires: '' };

/** As a new key is asked for with them. */
export function sentLimits({ from, rate, per, concurrent, expires }: TypedLimits): object {
  const networks = from.split(/[\s,]+/).filter((one) => one !== '');
  return {
    ...(networks.length === 0 ? {} : { from: networks }),
    ...(rate.trim() === '' ? {} : { rate: `${rate.trim()}/${per}` }),
    ...(concurrent.trim() === '' ? {} : { concurrent: Number(concurrent) }),
    // The key ends with its last day, where its maker is.
    ...(expires === '' ? {} : { expires_at: withOffset(dayAfter(expires)) }),
  };
}

function dayAfter(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + 1);
}

interface LimitsProps {
  readonly typed: TypedLimits;
  readonly faults: Act['faults'];
  readonly onType: (typed: TypedLimits) => void;
}

export function Limits({ typed, faults, onType }: LimitsProps): JSX.Element {
  const field =
    (name: keyof TypedLimits) =>
    ({ currentTarget: { value } }: { currentTarget: { value: string } }): void =>
      onType({ ...typed, [name]: value });
  // People know a limit by its label.
  const fault = (param: string, label: string): string | undefined =>
    faults[param] && refusalText(faults[param], label);
  return (
    <>
      <Labelled label={says.from} hint={says.fromHint} fault={fault('from', says.from)}>
        {(common) => (
          <input
            {...common}
            autocomplete="off"
            placeholder="203.0.113.0/24"
            value={typed.from}
            onInput={field('from')}
          />
        )}
      </Labelled>
      <Labelled label={says.rate} fault={fault('rate', says.rate)}>
        {(common) => (
          <span class="inline">
            <input {...common} inputMode="numeric" value={typed.rate} onInput={field('rate')} />
            <select aria-label={says.per} value={typed.per} onChange={field('per')}>
              <option value="s">{says.aSecond}</option>
              <option value="m">{says.aMinute}</option>
            </select>
          </span>
        )}
      </Labelled>
      <Labelled label={says.concurrent} fault={fault('concurrent', says.concurrent)}>
        {(common) => (
          <input
            {...common}
            inputMode="numeric"
            value={typed.concurrent}
            onInput={field('concurrent')}
          />
        )}
      </Labelled>
      <Labelled label={says.expires} fault={fault('expires_at', says.expires)}>
        {(common) => (
          <input {...common} type="date" value={typed.expires} onInput={field('expires')} />
        )}
      </Labelled>
    </>
  );
}
