/** A JSON body as the fields of a form, in the bracket convention. */
import type { Json, JsonObject } from '../../../src/core/schema/values.ts';

/** Names and values, not yet encoded: `['person[full_name]', '…']`, `['image_urls[]', '…']`. */
export function formFields(body: JsonObject): [name: string, value: string][] {
  return Object.entries(body).flatMap(([name, value]) => fieldsOf(name, value));
}

function fieldsOf(name: string, value: Json): [string, string][] {
  if (typeof value !== 'object' || value === null) {
    return [[name, value === null ? '' : String(value)]];
  }
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, member]) => fieldsOf(`${name}[${key}]`, member));
  }
  const plain = value.every((element) => typeof element !== 'object' || element === null);
  return value.flatMap((element, index) => fieldsOf(`${name}[${plain ? '' : index}]`, element));
}
