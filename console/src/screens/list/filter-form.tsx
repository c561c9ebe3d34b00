/** Sets one filter: a value, or days. */

import texts from 'messages:page';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { PickRecord } from '../../parts/pick-record.tsx';
import { regions } from '../../places/homes.ts';
import { type DescribedFilter, resourceNamed } from '../../records/description.ts';
import { query } from '../../router.ts';
import { typedPhone } from '../../values/contact.ts';
import { between, midnight, momentIn, withOffset } from '../../values/days.ts';
import { presetsFor, presetText } from './presets.ts';
import { daysParam, valuesOf, zoneOfQuery } from './query.ts';

export interface FilterFormProps {
  readonly filter: DescribedFilter;
  readonly onApply: (values: Readonly<Record<string, string>>) => void;
}

export function FilterForm(props: FilterFormProps): JSX.Element {
  const { filter, onApply } = props;
  const above = filter.by === 'record' ? resourceNamed(filter.resource ?? '') : undefined;
  if (above !== undefined)
    return (
      <PickRecord
        resource={above}
        onPick={({ unique_identifier: id }) => onApply({ [filter.param]: id })}
      />
    );
  if (filter.kind === 'region') return <Regions {...props} />;
  return props.filter.by === 'range' ? <Days {...props} /> : <OneValue {...props} />;
}

function Regions({ filter, onApply }: FilterFormProps): JSX.Element {
  return (
    <ul>
      {regions.value.map((region) => (
        <li key={region}>
          <button
            type="button"
            class="plain item"
            onClick={() => onApply({ [filter.param]: region })}
          >
            {region}
          </button>
        </li>
      ))}
    </ul>
  );
}

function OneValue({ filter, onApply }: FilterFormProps): JSX.Element {
  const [typed, setTyped] = useState(query.value.get(filter.param) ?? '');
  const value = filter.kind.includes('phone') ? typedPhone(typed) : typed.trim();
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(value === '' ? {} : { [filter.param]: value });
      }}
    >
      <label>
        {filter.label}
        <input
          type="text"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <button type="submit">{texts.list.apply}</button>
    </form>
  );
}

function Days({ filter, onApply }: FilterFormProps): JSX.Element {
  const values = valuesOf(filter, query.value);
  const zone = zoneOfQuery(query.value);
  const [from, setFrom] = useState(dayOf(values[`${filter.param}[gte]`], 0, zone));
  const [until, setUntil] = useState(dayOf(values[`${filter.param}[lt]`], -1, zone));
  return (
    <>
      <ul>
        {presetsFor(filter).map((days) => (
          <li key={days}>
            <button
              type="button"
              class="plain item"
              onClick={() => onApply({ [daysParam(filter.param)]: days })}
            >
              {presetText(days)}
            </button>
          </li>
        ))}
      </ul>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          const [first, last] = [startOf(from, 0, zone), startOf(until, 1, zone)];
          onApply(between(filter.param, first, last, zone));
        }}
      >
        <label>
          {texts.list.from}
          <input
            type="date"
            value={from}
            onInput={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        </label>
        <label>
          {texts.list.until}
          <input
            type="date"
            value={until}
            onInput={({ currentTarget }) => setUntil(currentTarget.value)}
          />
        </label>
        <button type="submit">{texts.list.apply}</button>
      </form>
    </>
  );
}

/** The day of a moment, as a field of dates has it. */
function dayOf(moment: string | undefined, ms: number, zone: string): string {
  if (moment === undefined) return '';
  const time = new Date(new Date(moment).getTime() + ms);
  return Number.isNaN(time.getTime()) ? '' : withOffset(time, zone).slice(0, 10);
}

function startOf(day: string, later: number, zone: string): Date | undefined {
  return day === '' ? undefined : midnight(zone, momentIn(zone, day), later);
}
