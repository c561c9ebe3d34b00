/** Reads the members of a body, or of a documented object in it, by their declarations. */
import { FormGroup } from '../form/form.ts';
import { memberPath } from '../path.ts';
import { distance } from '../search/spelling.ts';
import { type Json, type JsonObject, setMember } from '../values.ts';
import type { BodyReading, Field, InputValue } from './kind.ts';
import { isBlank } from './kinds/text.ts';

export type Members = Readonly<Record<string, Field>>;

/** The members as a list: walked for every request, many times faster than the record. */
const lists = new WeakMap<Members, readonly (readonly [name: string, field: Field])[]>();

/** An object as the caller sent it, in either encoding. */
export type InputObject = JsonObject | FormGroup;

/**
 * The patch that was sent: a stored value for each member, `null` for one that
 * is to be removed, nothing for one that was left out or has a fault.
 */
export function readMembers(
  members: Members,
  sent: InputObject,
  prefix: string,
  reading: BodyReading,
): JsonObject {
  const patch: JsonObject = {};
  let known = 0;
  for (const [name, field] of lists.getOrInsertComputed(members, Object.entries<Field>)) {
    const value = memberOf(sent, name);
    if (value === undefined) {
      if (field.required && field.omittable !== true)
        missing(prefix + name, 'missing', field, reading);
      continue;
    }
    known += 1;
    const read = readField(field, value, prefix + name, reading);
    if (read !== undefined) setMember(patch, name, read);
  }
  const count = sent instanceof FormGroup ? sent.members.size : Object.keys(sent).length;
  if (known < count) refuseUnknown(members, sent, prefix, reading);
  return patch;
}

/** A stored value, `null` to remove it, or `undefined` after a fault. */
function readField(
  field: Field,
  sent: InputValue,
  at: string,
  reading: BodyReading,
): Json | undefined {
  const emptied = isEmptied(field, sent, reading);
  if (!field.required) return emptied ? null : field.kind.read(sent, at, reading);
  if (emptied || (typeof sent === 'string' && field.kind.scalar && isBlank(sent)))
    return missing(at, 'empty', field, reading);
  return field.kind.read(sent, at, reading);
}

/** Whether the sent value removes the member, or would if it could be removed. */
export function isEmptied({ kind }: Field, sent: InputValue, { encoding }: BodyReading): boolean {
  return sent === null || (sent === '' && (kind.scalar || encoding === 'form'));
}

function missing(
  at: string,
  is: 'missing' | 'empty',
  field: Field,
  reading: BodyReading,
): undefined {
  reading.faults.add(at, 'parameter_missing', () => {
    if (field.omittable === true) return `${at} is empty: give it a value or leave it out.`;
    const inside = at.lastIndexOf('.');
    const when =
      inside < 0
        ? (reading.always ?? 'in every upsert')
        : `whenever ${at.slice(0, inside)} is sent`;
    return `${at} is ${is}, and it is required ${when} (${lowerFirst(field.says)}).`;
  });
  return undefined;
}

function refuseUnknown(
  members: Members,
  sent: InputObject,
  prefix: string,
  reading: BodyReading,
): void {
  if (reading.unknown === 'ignore') return;
  const known = Object.keys(members);
  for (const name of sent instanceof FormGroup ? sent.members.keys() : Object.keys(sent)) {
    if (Object.hasOwn(members, name)) continue;
    const at = prefix + memberPath(undefined, name);
    reading.faults.add(at, 'parameter_unknown', () => {
      const field = sent instanceof FormGroup ? sent.rests?.get(name) : undefined;
      if (field !== undefined)
        return `"${at}" is not a parameter here. If it belongs to the value of ${field}, send the & before it as %26.`;
      const elsewhere = reading.elsewhere?.(at);
      if (elsewhere !== undefined) return `${at} is not a parameter here: ${elsewhere}`;
      if (known.length === 0) return `${at} is not a parameter here: there are none. Leave it out.`;
      const like = nearestName(name, known);
      if (like === undefined)
        return `${at} is not a parameter here. Known ones are ${known.join(', ')}.`;
      const nearest = prefix + like;
      const message = `${at} is not a parameter here. Did you mean ${nearest}?`;
      return { message, values: { nearest } };
    });
  }
}

/** The known name most like the one that was sent, if one is like it at all. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined;
  let nearest: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 2)) + 1;
  const small = name.toLowerCase();
  for (const candidate of known) {
    const steps = distance(small, candidate, least - 1);
    if (steps < least) {
      least = steps;
      nearest = candidate;
    }
  }
  return nearest ?? nameWithin(small.replace(/s$/, ''), known);
}

/** The shortest known name that a word is a part of: `check_in` is one of `event_check_in_records`. */
function nameWithin(word: string, known: readonly string[]): string | undefined {
  if (word.length < 4) return undefined;
  const holding = known.filter((name) => name.includes(word));
  return holding.sort((one, other) => one.length - other.length)[0];
}

/** The value that was sent by that name, if any. */
export function memberOf(sent: InputObject, name: string): InputValue | undefined {
  if (sent instanceof FormGroup) return sent.members.get(name);
  const value = sent[name];
  return value === undefined || Object.hasOwn(sent, name) ? value : undefined;
}

/** A phrase within a sentence; a word of capitals, such as URL, stays. */
function lowerFirst(text: string): string {
  return /^\p{Lu}{2}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
