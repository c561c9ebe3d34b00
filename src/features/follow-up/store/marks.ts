/** Marks the phone numbers and email addresses of the person in a record. */
import { createHmac } from 'node:crypto';
import type { RecordShape } from '../../../core/schema/shape.ts';
import { isObject, type Json, type JsonObject } from '../../../core/schema/values.ts';

const PURPOSE = 'whom nobody is to contact';
const MARK_LENGTH = 22;

/** Makes marks of the phone numbers and email addresses in a document, by each key. `undefined`: there is no key. */
export function createMarks(keys: readonly Uint8Array[]) {
  if (keys.length === 0) return undefined;
  return ({ searched = [] }: RecordShape, document: JsonObject): readonly string[] =>
    searched.flatMap(({ path, as }) => {
      const value = as === 'words' ? undefined : at(document, path);
      if (typeof value !== 'string') return [];
      const text =
        as === 'digits' ? value.replace(/\D/g, '').slice(-10) : value.trim().toLowerCase();
      return keys.map((key) =>
        createHmac('sha256', key)
          .update(`${PURPOSE} ${as} ${text}`)
          .digest('base64url')
          .slice(0, MARK_LENGTH),
      );
    });
}

function at(document: JsonObject, path: readonly string[]): Json | undefined {
  let found: Json | undefined = document;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return found;
}
