/** Sets one filter: a value, or days. */
import { page as texts } from 'messages';
import { Button } from '../../parts/button.tsx';
import { Form } from '../../parts/form.tsx';
import { PickRecord } from '../../parts/pick-record.tsx';
import type { Option } from '../../parts/select.tsx';
import { regions } from '../../places/zones.ts';
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
  if (filter.kind === 'region')
    return (
      <Items
        of={regions.value.map((region) => [region, region])}
        onChoose={(region) => onApply({ [filter.param]: region })}
      />
    );
  return filter.by === 'range' ? <Days {...props} /> : <OneValue {...props} />;
}

function OneValue({ filter, onApply }: FilterFormProps): JSX.Element {
  return (
    <Form
      isSmall
      submit={texts.list.apply}
      begin={{ value: query.value.get(filter.param) ?? '' }}
      fields={{ value: { label: filter.label } }}
      send={async ({ value }) =>
        filter.kind.includes('phone') ? typedPhone(value, zoneOfQuery(query.value)) : value
      }
      onDone={(value) => onApply(value === '' ? {} : { [filter.param]: value })}
    />
  );
}

function Days({ filter: { param }, filter, onApply }: FilterFormProps): JSX.Element {
  const values = valuesOf(filter, query.value);
  const zone = zoneOfQuery(query.value);
  return (
    <>
      <Items
        of={presetsFor(filter).map((days) => [days, presetText(days)])}
        onChoose={(days) => onApply({ [daysParam(param)]: days })}
      />
      <Form
        isSmall
        submit={texts.list.apply}
        begin={{
          from: dayOf(values[`${param}[gte]`], 0, zone),
          until: dayOf(values[`${param}[lt]`], -1, zone),
        }}
        fields={{
          from: { label: texts.list.from, of: 'date' },
          until: { label: texts.list.until, of: 'date' },
        }}
        send={async ({ from, until }) =>
          between(param, startOf(from, 0, zone), startOf(until, 1, zone), zone)
        }
        onDone={onApply}
      />
    </>
  );
}

interface ItemsProps {
  readonly of: readonly Option[];
  readonly onChoose: (value: string) => void;
}

/** Values that are applied at once. */
function Items({ of, onChoose }: ItemsProps): JSX.Element {
  return (
    <ul>
      {of.map(([value, words]) => (
        <li key={value}>
          <Button class="plain item" label={words} onClick={() => onChoose(value)} />
        </li>
      ))}
    </ul>
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
