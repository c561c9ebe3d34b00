/** What a form holds of a record, and what a form says that the record is to become. */
import type { DescribedField, DescribedResource } from '../../description.ts';
import { type Json, type Shown, valueIn } from '../../records.ts';
import { typedPhone, withOffset } from '../../values/format.ts';
import { isPhone } from '../../values/value.tsx';

/** The text of every field, by its parameter. */
export type Typed = Readonly<Record<string, string>>;

/** Free-form content and lists belong to the system that sends them. */
const NOT_TYPED = new Set(['free-form object', 'object of texts', 'array of JPG URL']);

export function typedFieldsOf(resource: DescribedResource): readonly DescribedField[] {
  return resource.fields.filter(({ kind }) => !NOT_TYPED.has(kind));
}

export function typedOf(resource: DescribedResource, record: Shown): Typed {
  return Object.fromEntries(
    typedFieldsOf(resource).map((field) => [
      field.param,
      textIn(valueIn(resource, record, field), field),
    ]),
  );
}

/** A value as a form holds it. */
function textIn(value: Json | undefined, { kind }: DescribedField): string {
  if (value === undefined || value === null) return '';
  if (kind === 'date and time' && typeof value === 'string')
    return withOffset(new Date(value)).slice(0, 16);
  return String(value);
}

/** What is sent for a text that was typed. */
export function sentFor(text: string, field: DescribedField): Json {
  if (text.trim() === '') return null;
  if (field.kind === 'boolean') return text === 'true';
  if (field.kind === 'only `true`') return text === 'true' ? true : null;
  if (field.kind === 'whole number') return /^-?\d+$/.test(text.trim()) ? Number(text) : text;
  if (field.kind === 'date and time') return withOffset(new Date(text));
  return isPhone(field) ? typedPhone(text) : text;
}

/** Only the fields whose text is another than before, as nested objects. */
export function patchOf(
  resource: DescribedResource,
  before: Typed,
  after: Typed,
): Readonly<Record<string, Json>> {
  const patch: Record<string, Json> = {};
  for (const field of typedFieldsOf(resource)) {
    const text = after[field.param] ?? '';
    if (text === (before[field.param] ?? '')) continue;
    put(patch, field.param.split('.'), sentFor(text, field));
  }
  return patch;
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
