/** The JSON values that records are made of. */

/**
 * A number that no double represents exactly, stored by its canonical spelling (see `number.ts`): what
 * `JSON.rawJSON(spelling)` gives, a frozen object.
 */
export interface RawNumber {
  readonly rawJSON: string;
}

export type Json = null | boolean | number | string | RawNumber | Json[] | JsonObject;

/** Own members only, any name: read with `Object.hasOwn`, write with `setMember`. */
export interface JsonObject {
  [member: string]: Json;
}

export function isRawNumber(value: unknown): value is RawNumber {
  return JSON.isRawJSON(value);
}

/** An object with members: neither `null`, an array nor a raw number. */
export function isObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
  );
}

/** The value at that path in a document; `undefined` where there is none. */
export function valueAt(document: Json | undefined, path: readonly string[]): Json | undefined {
  let at = document;
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

/** Sets an own member, also where the name is `__proto__`, which plain assignment would lose. */
export function setMember(object: JsonObject, name: string, value: Json): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    object[name] = value;
  }
}
