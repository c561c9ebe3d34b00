/** The contents of a form made from a record, and the changes to the record made from a form: texts, and rows of texts, which may be invalid while a person types. */

import { record as history, edit as says } from 'messages';
import { parseJson, toJson } from '../../../../client/src/json.ts';
import { type DescribedField, type DescribedResource, fieldOf } from '../../records/description.ts';
import {
  isMembers,
  type Json,
  type JsonMembers,
  type Shown,
  valueIn,
} from '../../records/records.ts';
import { phoneText, typedPhone } from '../../values/contact.ts';
import { momentIn, withOffset } from '../../values/days.ts';
import { centsTyped, labelled, typedAmount } from '../../values/format.ts';
import { isMoney, isPhone, textOfValue } from '../../values/value.tsx';
import { isYearShort } from '../../values/years.ts';

export interface FieldFault {
  readonly says: string;
  /** The row of a list or of content; `undefined`: all of it is meant. */
  readonly row?: number;
}

/** What shows a list or content as rows. */
export interface RowsProps {
  readonly field: DescribedField;
  readonly value: string;
  readonly describedBy: string | undefined;
  readonly fault: FieldFault | undefined;
  readonly onType: (value: string) => void;
}

export interface ContentRow {
  readonly name: string;
  readonly text: string;
  /** Whether the text is JSON: a number, a list, an object, yes or no. */
  readonly json: boolean;
}

export function isContent({ kind }: DescribedField): boolean {
  return kind === 'free-form object' || kind === 'object of texts';
}

/** Whether every value is a text. */
export function isOfTexts({ kind }: DescribedField): boolean {
  return kind === 'object of texts';
}

export function isList({ kind }: DescribedField): boolean {
  return kind.startsWith('array of ');
}

function contentText(value: Json | undefined): string {
  return textOfRows(
    Object.entries(isMembers(value) ? value : {}).map(([name, one]) =>
      typeof one === 'string'
        ? { name, text: one, json: false }
        : { name, text: toJson(one, 1).replace(/\n */g, ' '), json: true },
    ),
  );
}

export function textOfRows(rows: readonly (ContentRow | string)[]): string {
  return rows.length === 0 ? '' : toJson(rows);
}

export function rowsIn(text: string): readonly ContentRow[] {
  return text === '' ? [] : (parseJson(text) as readonly ContentRow[]);
}

export function entriesIn(text: string): readonly string[] {
  return text === '' ? [] : (parseJson(text) as readonly string[]);
}

/** As people read it among others. */
export function shownAs(text: string | undefined, field: DescribedField, zone: string): string {
  const typed = text ?? '';
  const rows = isContent(field)
    ? rowsIn(typed).map(({ name, text: value }) => labelled(name, value))
    : [textOfValue(sentFor(typed, field, zone), field, zone)];
  return (isList(field) ? entriesIn(typed) : rows).join('\n') || history.empty;
}

/** An amount for examples, in cents. */
const AMOUNT = 210_000;

/** Faults of what was typed, which cannot be sent to the service. */
function faultIn(text: string, field: DescribedField): FieldFault | undefined {
  if (isMoney(field) && text.trim() !== '' && centsTyped(text) === undefined)
    return { says: says.noMoney({ label: field.label, example: typedAmount(AMOUNT) }) };
  if (field.kind.startsWith('date') && isYearShort(text))
    return { says: says.yearShort(field.label) };
  if (!isContent(field)) return undefined;
  const names = new Set<string>();
  for (const [row, { name, text: value, json }] of rowsIn(text).entries()) {
    if (name === '' && value === '') continue;
    if (name === '') return { row, says: says.unnamed(value) };
    if (names.has(name)) return { row, says: says.twice(name) };
    names.add(name);
    if (json && parsed(value) === undefined) return { row, says: says.noJson(name) };
  }
  return undefined;
}

/** Whether the fault of a field is about that row of it. */
export function isAbout(fault: FieldFault | undefined, row: number): boolean {
  return fault !== undefined && (fault.row ?? row) === row;
}

/** What is sent so that the content becomes the other one: absent members stay, `null` removes. */
function contentPatch(before: string, after: string): Json {
  const next = contentIn(after);
  return Object.keys(next).length === 0 ? null : mergePatch(contentIn(before), next);
}

function contentIn(text: string): JsonMembers {
  // An empty row does not count.
  const rows = rowsIn(text).filter(({ name, text: value }) => name !== '' || value !== '');
  return Object.fromEntries(
    rows.map(({ name, text: value, json }) => [name, json ? (parsed(value) ?? null) : value]),
  );
}

function mergePatch(before: JsonMembers, after: JsonMembers): JsonMembers {
  const patch: Record<string, Json> = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (old !== undefined && toJson(old) === toJson(value)) continue;
    patch[name] =
      isMembers(old) && isMembers(value) && Object.keys(value).length > 0
        ? mergePatch(old, value)
        : value;
  }
  return patch;
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text) as Json;
  } catch {
    return undefined;
  }
}

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

function textIn(value: Json | undefined, field: DescribedField, zone: string): string {
  if (isContent(field)) return contentText(value);
  if (isList(field)) return textOfRows(Array.isArray(value) ? value.map(String) : []);
  const { kind } = field;
  if (value === undefined || value === null) return '';
  if (isPhone(field)) return phoneText(String(value), zone);
  if (isMoney(field) && typeof value === 'number') return typedAmount(value);
  if (kind === 'date and time' && typeof value === 'string')
    return withOffset(new Date(value), zone).slice(0, 16);
  return String(value);
}

export function sentFor(text: string, field: DescribedField, zone: string): Json {
  if (text.trim() === '') return null;
  if (isList(field)) {
    const entries = entriesIn(text).filter((one) => one.trim() !== '');
    return entries.length === 0 ? null : entries;
  }
  if (field.kind === 'boolean') return text === 'true';
  if (field.kind === 'only `true`') return text === 'true' ? true : null;
  if (isMoney(field)) return centsTyped(text) ?? text;
  if (field.kind === 'whole number') return /^-?\d+$/.test(text.trim()) ? Number(text) : text;
  if (field.kind === 'date and time') return withOffset(momentIn(zone, text), zone);
  return isPhone(field) ? typedPhone(text, zone) : text;
}

/** Whether the field is to get another value, however it was typed. */
export function isOther(field: DescribedField, one: Typed, other: Typed, zone: string): boolean {
  // By whichever clock, the same text is the same time.
  const sent = ({ [field.param]: text = '' }: Typed): string =>
    toJson(sentFor(text, field, isPhone(field) ? zone : 'UTC'));
  return sent(one) !== sent(other);
}

/** Only the fields whose text has changed, as nested objects. */
export function patchOf(resource: DescribedResource, before: Typed, after: Typed, zone: string) {
  const patch: Record<string, Json> = {};
  for (const field of resource.fields) {
    const text = after[field.param] ?? '';
    const old = before[field.param] ?? '';
    if (!isOther(field, before, after, zone)) continue;
    const sent = isContent(field) ? contentPatch(old, text) : sentFor(text, field, zone);
    put(patch, field.param.split('.'), sent);
  }
  return patch;
}

/** By the parameter of the field: what every such record has, and what the objects and values need that it is to have. */
export function missingIn({ fields }: DescribedResource, typed: Typed) {
  const isFilled = (param: string): boolean => (typed[param] ?? '').trim() !== '';
  const isNeeded = ({ required, required_within: within, needed_by: value }: DescribedField) =>
    required === true ||
    (value !== undefined && isFilled(value)) ||
    (within !== undefined &&
      fields.some(({ param }) => param.startsWith(`${within}.`) && isFilled(param)));
  return Object.fromEntries(
    fields
      .filter((field) => !isFilled(field.param) && isNeeded(field))
      .map(({ param, label }) => [param, { says: says.needed(label) }]),
  );
}

/** What was typed, with the currency of a new amount where there is only one. */
export function withCurrency(resource: DescribedResource, typed: Typed, param: string): Typed {
  const currency = fieldOf(resource, fieldOf(resource, param)?.currency ?? '');
  const [only, ...others] = currency?.choices ?? [];
  if (currency === undefined || only === undefined || others.length > 0) return typed;
  const isNew = (typed[param] ?? '').trim() !== '' && (typed[currency.param] ?? '') === '';
  return isNew ? { ...typed, [currency.param]: String(only) } : typed;
}

/** By the parameter of the field: what cannot be sent as it was typed over what was there before. */
export function faultsIn(resource: DescribedResource, typed: Typed, before: Typed = {}) {
  return Object.fromEntries(
    resource.fields.flatMap((field) => {
      // What a system has sent stays as it is where nobody types over it.
      if (field.kind.startsWith('date') && typed[field.param] === before[field.param]) return [];
      const fault = faultIn(typed[field.param] ?? '', field);
      return fault === undefined ? [] : [[field.param, fault]];
    }),
  );
}

function put(into: Record<string, Json>, [name = '', ...inside]: readonly string[], value: Json) {
  if (inside.length === 0) {
    into[name] = value;
    return;
  }
  const below = (into[name] ?? {}) as Record<string, Json>;
  into[name] = below;
  put(below, inside, value);
}
