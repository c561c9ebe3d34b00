/** Reads the members of a body, or of a documented object in it, by their declarations. */
import { FormGroup, type Repetition } from '../form/form.ts';
import { memberPath } from '../path.ts';
import { distance } from '../search/spelling.ts';
import { isObject, isRawNumber, type Json, type JsonObject, setMember } from '../values.ts';
import type { BodyReading, Field, InputValue } from './kind.ts';
import { isBlank } from './kinds/text.ts';

export type Members = Readonly<Record<string, Field>>;

/** The members, of which those with these names may be left out. */
export function omittable(members: Members, names: readonly (string | undefined)[]): Members {
  return mapFields(members, (field, name) =>
    names.includes(name) ? { ...field, omittable: true } : field,
  );
}

/** The members as a PATCH takes them: any may be left out, at any depth, as what is stored stays. */
export function patched(members: Members): Members {
  return mapFields(members, (field) => ({
    ...field,
    kind: field.kind.patched ?? field.kind,
    omittable: true,
  }));
}

function mapFields(members: Members, map: (field: Field, name: string) => Field): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, field]) => [name, map(field, name)]),
  );
}

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
  const read = () => readEach(members, sent, prefix, reading);
  return reading.encoding === 'form' ? reading.faults.inForm(read) : read();
}

function readEach(
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
  const isThere = (name: string) => ![undefined, null, ''].includes(memberOf(sent, name) as string);
  // What is there already is not what was meant, where another is as like.
  const candidates = [...known.filter((name) => !isThere(name)), ...known.filter(isThere)];
  const { faults } = reading;
  for (const name of sent instanceof FormGroup ? sent.members.keys() : Object.keys(sent)) {
    if (Object.hasOwn(members, name)) continue;
    const at = prefix + memberPath(undefined, name);
    // A name with dots is no path, though it looks like one.
    const called = /[.[]/.test(name) ? `"${at}"` : at;
    const said = () => {
      const field = sent instanceof FormGroup ? sent.rests?.get(name) : undefined;
      if (field !== undefined)
        return `"${at}" is not a parameter here. If it belongs to the value of ${field}, send the & before it as %26.`;
      const no = `${called} is not a parameter here`;
      const path = pathIn(members, name);
      const elsewhere = path === undefined ? reading.elsewhere?.(at) : undefined;
      if (elsewhere !== undefined) return `${no}: ${elsewhere}`;
      const inside = path ?? flattened(members, name);
      if (inside !== undefined)
        return saysPath(no, `${prefix}${inside.join('.')}`, isIn(sent, inside), reading);
      if (known.length === 0) return `${no}: there are none. Leave it out.`;
      const value = memberOf(sent, name);
      const held = namesIn(value);
      if (held.length > 0 && held.every((one) => Object.hasOwn(members, one)))
        return `${no}, and holds parameters: send these by themselves.`;
      const like = nearestName(
        name,
        candidates.filter((one) => mayBe(members[one] as Field, value)),
      );
      if (like === undefined) {
        const all = known.map((one) => faults.spelt(prefix + one));
        return `${no}. Known ones are ${all.join(', ')}.`;
      }
      const nearest = faults.spelt(prefix + like);
      if (isThere(like)) return `${no}, and ${nearest} ${IS_THERE}`;
      const rival = prefix === '' ? reading.rivalOf?.(like) : undefined;
      if (rival !== undefined)
        return `${no}, and ${nearest} cannot be sent together with ${rival}: send that alone.`;
      return { message: `${no}. Did you mean ${nearest}?`, values: { nearest } };
    };
    faults.add(at, 'parameter_unknown', said, called);
  }
}

/** The names in a value that is an object. */
function namesIn(value: InputValue | undefined): readonly string[] {
  if (value instanceof FormGroup) return [...value.members.keys()];
  return isObject(value) ? Object.keys(value) : [];
}

/** Whether the value has the form of the parameter's: what is an object is no text that was meant. */
function mayBe({ kind: { schema } }: Field, value: InputValue | undefined): boolean {
  const { type } = schema;
  // A filter is a value or holds comparisons.
  if (value === null || value === '' || typeof type !== 'string') return true;
  if (typeof value !== 'object' || isRawNumber(value)) return type !== 'object' && type !== 'array';
  if (value instanceof FormGroup) return type === 'object' || type === 'array';
  return type === (Array.isArray(value) ? 'array' : 'object');
}

const IS_THERE = 'is sent as well: send that alone.';

/** The path that a name with dots or brackets in it means, such as `person.full_name`, each of its steps nearly right. */
function pathIn(members: Members, name: string): readonly string[] | undefined {
  const steps = name.length > 200 ? [] : name.split(/[.[\]]+/).filter((step) => step !== '');
  if (steps.length < 2) return undefined;
  const path: string[] = [];
  let within = members;
  for (const [index, step] of steps.entries()) {
    const known = Object.keys(within);
    const like = known.includes(step) ? step : nearestName(step, known);
    if (like === undefined) return undefined;
    path.push(like);
    const { kind } = within[like] as Field;
    const rest = steps.slice(index + 1);
    if (rest.length === 0) return path;
    if (kind.members === undefined)
      return takesMembers(kind, rest) ? [...path, ...rest] : undefined;
    within = kind.members;
  }
  return undefined;
}

/** The path of a member of an object that some programs send by one name: `person_full_name`, `personFullName`. */
function flattened(members: Members, name: string): readonly string[] | undefined {
  if (name.length > 200) return undefined;
  const plain = name.replaceAll(/[_-]/g, '').toLowerCase();
  for (const [above, { kind }] of Object.entries(members))
    for (const one of Object.keys(kind.members ?? {}))
      if (`${above}${one}`.replaceAll('_', '') === plain) return [above, one];
  return undefined;
}

function takesMembers({ schema: { type } }: Field['kind'], rest: readonly string[]): boolean {
  return (
    type === 'object' || (type === 'array' && rest.length === 1 && /^\d+$/.test(rest[0] ?? ''))
  );
}

/** Whether something stands at that path already. */
function isIn(sent: InputObject, [first = '', ...rest]: readonly string[]): boolean {
  const value = memberOf(sent, first);
  if (value === undefined || rest.length === 0) return value !== undefined;
  if (value instanceof FormGroup) return value.pushed.length > 0 || isIn(value, rest);
  return !isObject(value) || isIn(value, rest);
}

/** The message for a name that is the path of a member: how that is sent. */
function saysPath(no: string, path: string, isThere: boolean, { encoding, faults }: BodyReading) {
  const nearest = faults.spelt(path);
  if (isThere) return `${no}, and ${nearest} ${IS_THERE}`;
  if (encoding === 'form')
    return { message: `${no}. Did you mean ${nearest}?`, values: { nearest } };
  const inside = path
    .split('.')
    .reduceRight(
      (value, step) => (/^\d+$/.test(step) ? `[${value}]` : `{${JSON.stringify(step)}:${value}}`),
      '…',
    );
  return { message: `${no}: objects hold their members, so send ${inside}.`, values: { nearest } };
}

/** How a repeated name of a form is to be sent instead; `undefined` where nothing has that name, which is said elsewhere. */
export function repetitionIn(members: Members, unknown: BodyReading['unknown']): Repetition {
  return (steps) => {
    let within: Members | undefined = members;
    for (const [index, step] of steps.entries()) {
      const field: Field | undefined = Object.hasOwn(within, step) ? within[step] : undefined;
      if (field === undefined) return unknown === 'refuse' ? undefined : 'once';
      const rest = steps.length - index - 1;
      const { type } = field.kind.schema;
      if (type === 'array') return rest === 0 ? 'elements' : 'indices';
      if (field.kind.members === undefined)
        return type === 'object' && rest > 0 ? 'either' : 'once';
      within = field.kind.members;
    }
    return 'once';
  };
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
