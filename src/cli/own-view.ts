/** Prints our own objects. */

import {
  type ObjectOf,
  type OwnField,
  type OwnFields,
  type OwnObject,
  present,
} from '../core/objects/own-object.ts';
import type { Json } from '../core/schema/values.ts';

/** The fields as rows, under their headings: one row for each text of a list, and none for what is `null`. */
export function ownRows<F extends OwnFields>(
  object: OwnObject<F>,
  value: ObjectOf<F>,
  now: number,
  wanted: (field: OwnField) => boolean = () => true,
): readonly (readonly string[])[] {
  const shown = present(object, value, 'cli', now);
  return object.views.cli
    .filter(({ field }) => wanted(field))
    .flatMap(({ name, field }) => {
      const { label = headingOf(name), words = String, absent } = field;
      const one = shown[name];
      if (one === null || one === undefined) return absent === undefined ? [] : [[label, absent]];
      const texts: readonly Json[] = Array.isArray(one) ? one : [one];
      return texts.map((text, index) => [index === 0 ? label : '', words(text as never)]);
    });
}

/** `requests_at_once`: Requests at once; `revoked_at`: Revoked. */
export function headingOf(name: string): string {
  if (name === 'unique_identifier') return 'ID';
  if (name === 'inserted_at') return 'Created';
  const words = name.replace(/_at$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
