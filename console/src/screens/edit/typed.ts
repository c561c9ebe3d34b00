/** The contents of a form made from a record, and the changes to the record made from a form. */
import type { DescribedField, DescribedResource } from '../../records/description.ts';
import { type Json, type Shown, valueIn } from '../../records/records.ts';
import { phoneText, typedPhone } from '../../values/contact.ts';
import { momentIn, withOffset } from '../../values/days.ts';
import { isPhone } from '../../values/value.tsx';
import {
  contentPatch,
  contentText,
  type FieldFault,
  faultIn,
  isContent,
  isList,
  listSent,
  listText,
} from './structured.ts';

/** The text of every field, by its parameter. */
export type Typed = Readonly<Record<string, string>>;

/** `zone` is that of the location: what is typed as a time is read by its clock. */
export function typedOf(resource: DescribedResource, record: Shown, zone: string): Typed {
  return Object.fromEntries(
    resource.fields.map((field) => [
      field.param,
      textIn(valueIn(resource, record, field), field, zone),
    ]),
  );
}

/** A value in a form. */
function textIn(value: Json | undefined, field: DescribedField, zone: string): string {
  if (isContent(field)) return contentText(value);
  if (isList(field)) return listText(value);
  const { kind } = field;
  if (value === undefined || value === null) return '';
  if (isPhone(field)) return phoneText(String(value));
  if (kind === 'date and time' && typeof value === 'string')
    return withOffset(new Date(value), zone).slice(0, 16);
  return String(value);
}

/** What is sent for a text that was typed. */
export function sentFor(text: string, field: DescribedField, zone: string): Json {
  if (text.trim() === '') return null;
  if (isList(field)) return listSent(text);
  if (field.kind === 'boolean') return text === 'true';
  if (field.kind === 'only `true`') return text === 'true' ? true : null;
  if (field.kind === 'whole number') return /^-?\d+$/.test(text.trim()) ? Number(text) : text;
  if (field.kind === 'date and time') return withOffset(momentIn(zone, text), zone);
  return isPhone(field) ? typedPhone(text) : text;
}

/** Whether the field is to get another value, however it was typed. */
export function isOther(field: DescribedField, one: Typed, other: Typed): boolean {
  // By whichever clock, the same text is the same time.
  const sent = ({ [field.param]: text = '' }: Typed): string =>
    JSON.stringify(sentFor(text, field, 'UTC'));
  return sent(one) !== sent(other);
}

/** Only the fields whose text has changed, as nested objects. */
export function patchOf(
  resource: DescribedResource,
  before: Typed,
  after: Typed,
  zone: string,
): Readonly<Record<string, Json>> {
  const patch: Record<string, Json> = {};
  for (const field of resource.fields) {
    const text = after[field.param] ?? '';
    const old = before[field.param] ?? '';
    if (!isOther(field, before, after)) continue;
    const sent = isContent(field) ? contentPatch(old, text) : sentFor(text, field, zone);
    put(patch, field.param.split('.'), sent);
  }
  return patch;
}

/** By the parameter of the field: what cannot be sent as it was typed. */
export function faultsIn(
  resource: DescribedResource,
  typed: Typed,
): Readonly<Record<string, FieldFault>> {
  return Object.fromEntries(
    resource.fields.flatMap((field) => {
      const fault = faultIn(typed[field.param] ?? '', field);
      return fault === undefined ? [] : [[field.param, fault]];
    }),
  );
}

function put(
  into: Record<string, Json>,
  [name = '', ...inside]: readonly string[],
  value: Json,
): void {
  if (inside.length === 0) {
    into[name] = value;
    return;
  }
  const below = (into[name] ?? {}) as Record<string, Json>;
  into[name] = below;
  put(below, inside, value);
}
