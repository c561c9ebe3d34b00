/** One value of a record as people read it, by the kind of its field. */

import { page as texts } from 'messages';
import { toJson } from '../../../client/src/json.ts';
import { Fact } from '../parts/fact.tsx';
import { zoneOfRecord } from '../places/homes.ts';
import { usualZone } from '../places/zones.ts';
import { type DescribedField, type DescribedResource, fieldOf } from '../records/description.ts';
import {
  isMembers,
  isNested,
  type Json,
  type OfRecord,
  type Shown,
  valueIn,
} from '../records/records.ts';
import { emailLink, phoneLink, phoneText } from './contact.ts';
import {
  dateText,
  fullTimeText,
  labelled,
  momentText,
  moneyText,
  paperTimeText,
  timeText,
  unturned,
} from './format.ts';

/** `within`: in a sentence. `listed`: where the head of the screen says whose clock it is. */
export function Time(props: {
  readonly at: string;
  readonly within?: boolean;
  readonly listed?: boolean;
  readonly zone?: string;
}): JSX.Element {
  const { at, within = false, listed = false, zone = usualZone.value } = props;
  return (
    <time dateTime={at} title={fullTimeText(at, zone)} data-paper={paperTimeText(at, zone)}>
      {within ? momentText(at, zone) : timeText(at, zone, listed)}
    </time>
  );
}

/** `zone`: that of the home of whom the number is read for. */
export function Phone(props: { readonly number: string; readonly zone?: string }): JSX.Element {
  const { number, zone } = props;
  return (
    <a class="number" href={phoneLink(number)}>
      {phoneText(number, zone)}
    </a>
  );
}

interface ValueProps extends OfRecord {
  readonly field: DescribedField;
  /** In a table, where a line is all there is. */
  readonly short?: boolean;
}

/** What a value is read by: the currency of an amount, the time zone of a time. */
interface Beside {
  readonly currency?: string | undefined;
  readonly zone?: string;
}

/** `null` where the record has none. */
export function Value({ resource, record, field, short = false }: ValueProps): JSX.Element | null {
  const value = valueIn(resource, record, field);
  if (value === undefined || value === null || value === '') return null;
  const beside = { currency: currencyBeside(resource, record, field), zone: zoneOfRecord(record) };
  return <>{shown(value, field, beside, short)}</>;
}

/** As text alone: in forms, histories and copies. */
export function textOfValue(
  value: Json | undefined,
  field: DescribedField | undefined,
  zone?: string,
): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'number' && field !== undefined && isMoney(field)) return moneyText(value);
  if (isNested(value)) return toJson(value);
  if (typeof value === 'string' && field !== undefined) {
    if (field.kind === 'date and time') return timeText(value, zone);
    if (field.kind === 'date') return dateText(value);
    if (isPhone(field)) return phoneText(value, zone);
  }
  return unturned(String(value));
}

/** Says several values, and amounts too, in words. */
export function wordsOf(
  value: Json | undefined,
  field: DescribedField | undefined,
  { currency, zone }: Beside = {},
): string {
  if (typeof value === 'number' && field !== undefined && isMoney(field))
    return moneyText(value, currency);
  if (!isNested(value)) return textOfValue(value, field, zone);
  const isList = Array.isArray(value);
  return Object.entries(value)
    .map(([name, one]) => {
      const words = wordsOf(one, undefined);
      return isList ? words : labelled(name.replaceAll('_', ' '), words);
    })
    .join(', ');
}

export function isPhone({ kind }: DescribedField): boolean {
  return kind === 'E.164 phone number' || kind === 'US phone number';
}

/** Whether it is an amount in cents, which people read and write with its currency. */
export function isMoney({ currency }: DescribedField): boolean {
  return currency !== undefined;
}

export function isEmail({ kind }: DescribedField): boolean {
  return kind === 'email address';
}

function shown(value: Json, field: DescribedField, { currency, zone }: Beside, short: boolean) {
  if (typeof value === 'number' && isMoney(field)) return moneyText(value, currency);
  if (typeof value === 'string') {
    if (field.kind === 'date and time')
      return <Time at={value} listed={short} {...(zone === undefined ? {} : { zone })} />;
    if (isPhone(field)) return <Phone number={value} {...(zone === undefined ? {} : { zone })} />;
    if (isEmail(field) && !short) return <a href={emailLink(value)}>{value}</a>;
    if (!short && value.includes('\n')) return <span class="lines">{unturned(value)}</span>;
  }
  if (typeof value === 'boolean' && short)
    return value ? <span class="tag">{texts.yes}</span> : null;
  if (isNested(value)) return short ? wordsOf(value, undefined) : <Details value={value} />;
  return textOfValue(value, field);
}

function Details({ value }: { readonly value: Json }): JSX.Element {
  if (!isNested(value)) return <>{textOfValue(value, undefined)}</>;
  if (!isMembers(value)) {
    const all = value;
    if (!all.some(isNested)) return <>{all.join(', ')}</>;
    return (
      <ul class="details">
        {all.map((one, index) => (
          <li key={index}>
            <Details value={one} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <dl class="details">
      {Object.entries(value).map(([name, one]) => (
        <Fact key={name} label={name.replaceAll('_', ' ')}>
          <Details value={one} />
        </Fact>
      ))}
    </dl>
  );
}

/** The currency of an amount, which stands next to it. */
export function currencyBeside(
  resource: DescribedResource,
  record: Shown,
  { currency }: DescribedField,
): string | undefined {
  const field = currency === undefined ? undefined : fieldOf(resource, currency);
  const value = field && valueIn(resource, record, field);
  return typeof value === 'string' ? value.toUpperCase() : undefined;
}
