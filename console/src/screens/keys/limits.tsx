/** The limits of a key apart from records: addresses, rates, and until when. */
import type { JSX } from 'preact';
import type { Act } from '../../parts/act.ts';
import { Labelled } from '../../parts/labelled.tsx';
import { refusalText } from '../../refusals.ts';
import { midnight, momentIn, withOffset } from '../../values/days.ts';
import { readersZone } from '../../values/format.ts';
import { says } from './texts.ts';

/** As they are typed. */
export interface TypedLimits {
  readonly from: string;
  readonly requests: string;
  readonly per: 's' | 'm';
  readonly atOnce: string;
  readonly expires: string;
}

export const NO_LIMITS: TypedLimits = { from: '', requests: '', per: 's', atOnce: '', expires: '' };

/** As they are sent for a new key. */
export function sentLimits({ from, requests, per, atOnce, expires }: TypedLimits): object {
  const networks = from.split(/[\s,]+/).filter((one) => one !== '');
  return {
    ...(networks.length === 0 ? {} : { from: networks }),
    ...(requests.trim() === ''
      ? {}
      : { requests_a_second: numberIn(requests, per === 'm' ? 60 : 1) }),
    ...(atOnce.trim() === '' ? {} : { requests_at_once: numberIn(atOnce) }),
    // The key ends with its last day, where its maker is.
    ...(expires === ''
      ? {}
      : {
          expires_at: withOffset(
            midnight(readersZone, momentIn(readersZone, expires), 1),
            readersZone,
          ),
        }),
  };
}

/** Anything but a number is sent as it is: the service says what it must be. */
function numberIn(text: string, of = 1): number | string {
  const number = Number(text) / of;
  return Number.isFinite(number) ? number : text;
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
      <Labelled label={says.rate} fault={fault('requests_a_second', says.rate)}>
        {(common) => (
          <span class="inline">
            <input
              {...common}
              inputMode="numeric"
              value={typed.requests}
              onInput={field('requests')}
            />
            <select aria-label={says.per} value={typed.per} onChange={field('per')}>
              <option value="s">{says.aSecond}</option>
              <option value="m">{says.aMinute}</option>
            </select>
          </span>
        )}
      </Labelled>
      <Labelled label={says.concurrent} fault={fault('requests_at_once', says.concurrent)}>
        {(common) => (
          <input {...common} inputMode="numeric" value={typed.atOnce} onInput={field('atOnce')} />
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
