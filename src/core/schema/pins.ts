/**
 * The pins of a record: members that staff corrected. They stand first in the stored document, so that they go wherever it
 * goes, and one comparison tells whether there are any; no answer shows them as part of the record.
 */
import { equalJson, parseStored, stringify } from './json/json.ts';
import { merge } from './merge/merge.ts';
import type { ObjectShape } from './shape.ts';
import { isObject, type Json, type JsonObject, setMember, valueAt } from './values.ts';

/** The member of a document that holds them: no field has such a name. */
export const PINS = '$pins';
const BEGINNING = `{"${PINS}":`;

/** One value, or none: JSON has nothing that stands for a member that is missing. */
export type FoundValue = readonly [] | readonly [Json];

/** A member that a person corrected. */
export interface Pin {
  readonly path: readonly string[];
  /** The unique identifier of the person, or of the key. */
  readonly by: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Values that sources supplied and a person overruled, the latest last. */
  readonly said: readonly FoundValue[];
  /** The value that a source supplied since, for a person to decide. */
  readonly proposal?: Proposal;
}

export interface Proposal {
  readonly unique_identifier: string;
  /** Who sent it: the unique identifier of a key or an import. */
  readonly by: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: FoundValue;
}

export function isPinned(document: string): boolean {
  return document.startsWith(BEGINNING);
}

/** The text of a document without its pins. */
export function textWithoutPins(document: string): string {
  if (!isPinned(document)) return document;
  return stringify(withoutPins(parseStored(document) as JsonObject));
}

export function withoutPins(document: JsonObject): JsonObject {
  const { [PINS]: _, ...rest } = document;
  return rest;
}

export function pinsIn(document: JsonObject): readonly Pin[] {
  const pins = document[PINS];
  return isObject(pins) && Array.isArray(pins.of) ? (pins.of as unknown as readonly Pin[]) : [];
}

/** `open` is what records with a proposal are found by. */
export function withPins(document: JsonObject, pins: readonly Pin[]): JsonObject {
  if (pins.length === 0) return document;
  const open = pins.some(({ proposal }) => proposal !== undefined);
  return { [PINS]: { open, of: pins as unknown as Json }, ...document };
}

/** Whether people's changes of an account's records are pinned; takes the account's document. */
export function isPinning(account: JsonObject): boolean {
  return !Object.hasOwn(account, PINS);
}

export function withPinning(account: JsonObject, isOn: boolean): JsonObject {
  const rest = withoutPins(account);
  return isOn ? rest : { [PINS]: { off: true }, ...rest };
}

/** Moves a document's pins to their place, which a merge may have changed. */
export function withPinsFirst(document: JsonObject): JsonObject {
  return Object.hasOwn(document, PINS)
    ? { [PINS]: document[PINS] as Json, ...withoutPins(document) }
    : document;
}

/** The name of the member as callers send it, with dots. */
export function memberOf({ path }: Pick<Pin, 'path'>): string {
  return (path[0] === 'public_data' ? path.slice(1) : path).join('.');
}

export function foundAt(document: JsonObject, path: readonly string[]): FoundValue {
  const at = valueAt(document, path);
  return at === undefined ? [] : [at];
}

export function isSame([one]: FoundValue, [other]: FoundValue): boolean {
  if (one === undefined || other === undefined) return one === other;
  return equalJson(one, other);
}

/** The document with that member set or removed; objects above it are made where they are missing. */
export function withMember(
  document: JsonObject,
  [name = '', ...inside]: readonly string[],
  found: FoundValue,
): JsonObject {
  const result = { ...document };
  const before = Object.hasOwn(document, name) ? document[name] : undefined;
  if (inside.length > 0) {
    if (found.length === 0 && !isObject(before)) return document;
    setMember(result, name, withMember(isObject(before) ? before : {}, inside, found));
  } else if (found.length === 0) delete result[name];
  else setMember(result, name, found[0]);
  return result;
}

/** Whether a patch says anything of that member. */
export function touches(patch: JsonObject, path: readonly string[]): boolean {
  let at: Json | undefined = patch;
  for (const name of path) {
    if (!isObject(at)) return true;
    if (!Object.hasOwn(at, name)) return false;
    at = at[name];
  }
  return true;
}

/** The members in which two documents differ: objects by member, anything else whole. */
export function differences(one: JsonObject, other: JsonObject): readonly (readonly string[])[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) => {
    if (isSame(foundAt(one, [name]), foundAt(other, [name]))) return [];
    const [before, after] = [membersAt(one, name), membersAt(other, name)];
    if (before === undefined || after === undefined) return [[name]];
    return differences(before, after).map((path) => [name, ...path]);
  });
}

/** The members of an object, none where it is missing; `undefined` for any other value. */
function membersAt(document: JsonObject, name: string): JsonObject | undefined {
  const [value] = foundAt(document, [name]);
  if (value === undefined) return {};
  return isObject(value) ? value : undefined;
}

/**
 * The members of a patch that are pinned, and so were kept as they are stored: by the record as it is answered, which
 * `patch` is given without its pins.
 */
export function keptOf(
  shape: ObjectShape,
  document: string,
  patch: (stored: JsonObject) => JsonObject,
): readonly string[] {
  if (!isPinned(document)) return [];
  const answered = parseStored(document) as JsonObject;
  const stored = withoutPins(answered);
  const sent = patch(stored);
  const { document: merged } = merge(shape, stored, sent);
  if (merged === undefined) return [];
  return pinsIn(answered)
    .filter(({ path }) => touches(sent, path))
    .filter(({ path }) => !isSame(foundAt(merged, path), foundAt(stored, path)))
    .map(memberOf);
}
