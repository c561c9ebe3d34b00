/** Where a record has what is shown of it, and its title. */
import type { Resource } from '../define.ts';
import { type JsonObject, valueAt } from '../values.ts';

/** The members that lead to the field of that path in a record. */
export function placeOf(resource: Resource, path: string): readonly string[] {
  const steps = path.split('.');
  return Object.hasOwn(resource.fields, steps[0] ?? '') ? steps : ['public_data', ...steps];
}

/** The title of a record with this document; `undefined` where it has none. */
export function titleOf(resource: Resource, document: JsonObject): string | undefined {
  const parts = resource.display.title.flatMap((path) => {
    const value = valueAt(document, placeOf(resource, path));
    return typeof value === 'string' ? [value] : [];
  });
  return parts[0];
}
