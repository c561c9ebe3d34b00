/** Records as they are shown: their members, and their names. */

import { page as texts } from 'messages';
import { type ExactNumber, isExact } from '../../../client/src/json.ts';
import { isUnseen } from '../../../src/core/schema/search/seen.ts';
import { unturned } from '../values/format.ts';
import { type DescribedField, type DescribedResource, fieldOf } from './description.ts';

export type Json = null | boolean | number | ExactNumber | string | readonly Json[] | JsonMembers;

export type JsonMembers = { readonly [member: string]: Json };

/** Whether it has values within: an array or an object, and no number. */
export function isNested(value: Json | undefined): value is readonly Json[] | JsonMembers {
  return typeof value === 'object' && value !== null && !isExact(value);
}

export function isMembers(value: Json | undefined): value is JsonMembers {
  return isNested(value) && !Array.isArray(value);
}

export interface Shown {
  readonly unique_identifier: string;
  readonly external_identifier?: string;
  readonly inserted_at?: string;
  readonly updated_at?: string;
  readonly [member: string]: Json | undefined;
}

export interface OfRecord {
  readonly resource: DescribedResource;
  readonly record: Shown;
}

/** A record that may not be there, by its identifier. */
export interface ById extends Pick<OfRecord, 'resource'> {
  readonly id: string;
}

/** The value of the record; entries of lists may call it by another name. */
export function valueIn(resource: DescribedResource, record: Shown, field: DescribedField) {
  const found = at(record, field.at);
  if (found !== undefined) return found;
  const [first = ''] = field.at;
  const other = Object.entries(resource.entry ?? {}).find(([, member]) => member === first)?.[0];
  return other === undefined ? undefined : at(record, [other, ...field.at.slice(1)]);
}

export function at(record: Shown, path: readonly string[]): Json | undefined {
  let value: Json | undefined = record as Json;
  for (const member of path) {
    if (!isMembers(value)) return undefined;
    value = value[member];
  }
  return value;
}

/** What the record belongs to, if it was requested with it. */
export function parentOf(record: Shown, name: string): Shown | undefined {
  const above = record[name];
  return typeof above === 'object' && above !== null ? (above as unknown as Shown) : undefined;
}

/** By what people speak of it, such as a case number; what the console has made up is none. */
export function caseOf({ identifier }: DescribedResource, record: Shown): string | undefined {
  const own = record.external_identifier;
  const isOwn = identifier !== undefined && typeof own === 'string' && !own.startsWith(MADE_UP);
  return isOwn ? own : undefined;
}

/** How identifiers begin that the console makes. */
export const MADE_UP = 'staff-';

/** What people call the record. */
export function titleOf(resource: DescribedResource, record: Shown): string {
  const [first] = partsOfTitle(resource, record);
  // While there is only an image, the name on it has not been read yet.
  if (first === undefined && resource.images !== undefined) return texts.record.unread;
  return first ?? String(record.external_identifier ?? record.unique_identifier);
}

/** What stands behind the title, where it has more than one part: "Memorial service for Jane Doe" without her name. */
export function subtitleOf(resource: DescribedResource, record: Shown): string | undefined {
  const [title = '', ...others] = partsOfTitle(resource, record);
  return others.map((part) => withoutName(part, title)).join(' · ') || undefined;
}

function withoutName(text: string, name: string): string {
  if (!text.endsWith(name)) return text;
  return (
    text
      .slice(0, -name.length)
      .replace(/[\s,:–-]*(\b(in (memory|honou?r) )?(for|of)\b)?\s*$/iu, '') || text
  );
}

function partsOfTitle(resource: DescribedResource, record: Shown): readonly string[] {
  return resource.title.flatMap((param) => {
    const field = fieldOf(resource, param);
    const value = field === undefined ? undefined : valueIn(resource, record, field);
    // What nobody sees is no name.
    return typeof value === 'string' && !isUnseen(value) ? [unturned(value)] : [];
  });
}
