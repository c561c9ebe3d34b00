/**
 * A strict decoder of application/x-www-form-urlencoded, for bodies and query strings: what it
 * cannot read in exactly one way is a fault, and nothing is dropped or changed silently.
 */

import { Buffer, isUtf8 } from 'node:buffer';
import { bracketed } from '../../errors/names.ts';
import type { ErrorCode, Faults } from '../../errors.ts';
import {
  addFaultAt,
  dottedPath,
  MAX_MEMBERS,
  MAX_NESTING,
  memberPath,
  type PathStep,
} from '../path.ts';
import { invalidUtf8At } from '../text.ts';
import { type Json, type JsonObject, setMember } from '../values.ts';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;

/**
 * The fields of a form, put together as the brackets in their names say. Adds a fault for every field that cannot be
 * read or placed; one whose name can be read is there nevertheless, so that it is not taken for missing.
 */
export function parseForm(
  bytes: Uint8Array,
  faults: Faults,
  repetition: Repetition = () => 'once',
): FormGroup {
  const reader = createFormReader(bytes, faults, repetition);
  for (let start = 0; start < bytes.length; ) {
    let equals = -1;
    let end = start;
    for (; end < bytes.length && bytes[end] !== AMPERSAND; end += 1) {
      if (equals === -1 && bytes[end] === EQUALS) equals = end;
    }
    if (end > start) reader.readField(start, equals === -1 ? end : equals, end);
    start = end + 1;
  }
  return reader.form;
}

/** Says how a field that a form has more than once is to be sent: `undefined` if that is said elsewhere. */
export type Repetition = (
  steps: readonly string[],
) => 'once' | 'elements' | 'indices' | 'either' | undefined;

/** Whether a form has more fields than any record has members; what stands between two ampersands side by side is none. */
export function hasTooManyFields(bytes: Uint8Array): boolean {
  if (bytes.length <= MAX_MEMBERS) return false;
  let fields = 0;
  let last = AMPERSAND;
  for (const byte of bytes) {
    if (last === AMPERSAND && byte !== AMPERSAND) fields += 1;
    last = byte;
  }
  return fields > MAX_MEMBERS;
}

function createFormReader(bytes: Uint8Array, faults: Faults, repetition: Repetition) {
  const form = new FormGroup();
  const decode = createFormDecoder(bytes);
  /** The name of the last field with a value, as it was sent. */
  let before: string | undefined;

  /** Reads `name=value`, or a name alone, whose value is "". */
  function readField(start: number, equals: number, end: number): void {
    const name = readName(start, equals);
    if (name === undefined) return;
    noteRest(name, equals === end);
    const value = decode(Math.min(equals + 1, end), end);
    const group = place(name, value.text);
    if (value.fault === undefined) return;
    const steps =
      name.pushes && group !== undefined ? [...name.steps, group.pushed.length - 1] : name.steps;
    addTextFault(steps, value.fault, (field) => `the value of ${field}`);
  }

  /** Notes the rest of a value: in `cart_summary=Urn & flowers`, it looks like a field without a value. */
  function noteRest({ steps: [first = '', ...rest], pushes }: FormName, bare: boolean): void {
    if (before !== undefined && (bare || /^\s/.test(first))) {
      form.rests ??= new Map();
      form.rests.set(first, before);
    } else {
      const inside = rest.map((step) => `[${step}]`).join('');
      before = `${first}${inside}${pushes ? '[]' : ''}`;
    }
  }

  function readName(start: number, end: number): FormName | undefined {
    const { text, fault } = decode(start, end);
    if (fault !== undefined) {
      addTextFault([text], fault, () => 'the name of a field');
      return undefined;
    }
    return readFormName(text, faults);
  }

  /** Puts a value where its name says; returns its group, or `undefined` where there is no place. */
  function place(name: FormName, value: string): FormGroup | undefined {
    const { steps, pushes } = name;
    const groups = pushes ? steps.length : steps.length - 1;
    let group = form;
    for (const [index, step] of steps.entries()) {
      if (group.pushed.length > 0) return refuse(steps.slice(0, index), 'type_invalid', MIXED);
      const found = group.members.get(step);
      if (index === groups) {
        if (typeof found === 'string') return refuseRepeated(steps);
        if (found !== undefined) return refuseBoth(steps);
        group.members.set(step, value);
        return group;
      }
      if (typeof found === 'string') return refuseBoth(steps.slice(0, index + 1));
      const next = found ?? new FormGroup();
      if (found === undefined) group.members.set(step, next);
      group = next;
    }
    if (group.members.size > 0) return refuse(steps, 'type_invalid', MIXED);
    group.pushed.push(value);
    return group;
  }

  function refuseRepeated(steps: readonly string[]): undefined {
    const how = repetition(steps);
    if (how === undefined) return undefined;
    addFaultAt(
      faults,
      steps,
      'parameter_repeated',
      (field) => `${field} is sent more than once; ${REPEATED[how](bracketed(field))}`,
    );
  }

  /** The field is sent both as a text and with brackets. */
  function refuseBoth(steps: readonly string[]): undefined {
    const isArray = repetition(steps) === 'elements';
    refuse(steps, 'type_invalid', isArray ? TEXT_AND_ELEMENTS : TEXT_AND_GROUP);
  }

  function refuse(steps: readonly PathStep[], code: ErrorCode, rule: string): undefined {
    addFaultAt(faults, steps, code, (field) => `${field} ${rule}`);
  }

  function addTextFault(
    steps: readonly PathStep[],
    { code, offset }: FormTextFault,
    place: (field: string) => string,
  ): void {
    const message = (field: string) => `At byte ${offset}, ${place(field)} has ${FLAWS[code]}.`;
    if (code !== 'encoding_invalid') addFaultAt(faults, steps, code, message);
    else faults.add(undefined, code, () => message(dottedPath(steps) ?? ''));
  }

  return { form, readField };
}

const FLAWS = {
  form_invalid: 'a % that two hexadecimal digits do not follow; send a percent sign as %25',
  encoding_invalid: 'what is not valid UTF-8; percent-encode the bytes of the UTF-8 form',
  text_invalid: 'a NUL character, which cannot be stored; send it without',
} as const;
const MIXED =
  'is sent both with [] and with names or indices in its brackets; send one of the two.';
const TEXT_AND_GROUP = 'is sent both as a text and with brackets; send one of the two.';
const TEXT_AND_ELEMENTS = 'is sent with [] and without; end each name in [].';
const REPEATED = {
  once: () => 'send it once.',
  elements: (name: string) => `send each element as ${name}[]=….`,
  indices: () => 'give each element an index of its own, or end each name in [].',
  either: (name: string) => `send it once, or each element of an array as ${name}[]=….`,
} as const;

interface FormName {
  /** `person[full_name]` has the steps `person` and `full_name`, `image_urls[]` only the first. */
  readonly steps: readonly string[];
  readonly pushes: boolean;
}

/** The steps of a decoded name; `undefined` after a fault. Linear in the length of the name. */
function readFormName(name: string, faults: Faults): FormName | undefined {
  const malformed = (rule: string): undefined => {
    const message = `A field has a malformed name: ${rule}. Send a[b] for a member, a[] or a[0] for an element, a[0][b] for a member of an element.`;
    faults.add(dottedPath([name]), 'form_invalid', message);
  };
  const bracket = name.indexOf('[');
  const base = bracket === -1 ? name : name.slice(0, bracket);
  if (base === '') return malformed('a name is needed before the brackets and the equals sign');
  if (base.includes(']')) return malformed('a ] needs a [ before it');
  const steps = [base];
  if (bracket === -1) return { steps, pushes: false };

  for (let at = bracket; at < name.length; ) {
    if (name[at] !== '[') return malformed('nothing but another [ may follow a ]');
    const end = name.indexOf(']', at);
    if (end === -1) return malformed('a [ needs a ] after it');
    // The body is the first level, and every bracket makes one more.
    if (steps.length === MAX_NESTING) return refuseDepth(steps, faults);
    const step = name.slice(at + 1, end);
    if (step.includes('[')) return malformed('brackets cannot be nested');
    at = end + 1;
    if (step !== '') {
      steps.push(step);
    } else if (at === name.length) {
      return { steps, pushes: true };
    } else if (name[at] === '[') {
      return malformed('an element of an array cannot be addressed without its index');
    }
  }
  return { steps, pushes: false };
}

function refuseDepth(steps: readonly string[], faults: Faults): undefined {
  const message = `Objects and arrays may nest ${MAX_NESTING} levels deep, the body being the first; a field's name has more brackets than that. Send it flatter.`;
  faults.add(dottedPath(steps), 'nesting_too_deep', message);
}

interface FormTextFault {
  readonly code: 'form_invalid' | 'encoding_invalid' | 'text_invalid';
  /** Where the first byte is that is at fault. */
  readonly offset: number;
}

const PLUS = 0x2b;
const PERCENT = 0x25;
const SPACE = 0x20;

/** Returns a function that decodes the bytes from `start` up to `end`; where there is a fault, as near as it gets. */
function createFormDecoder(bytes: Uint8Array) {
  /** Takes the decoded bytes of one text at a time: decoding never makes it longer. */
  const decoded = Buffer.allocUnsafe(bytes.length);
  return (
    start: number,
    end: number,
  ): { readonly text: string; readonly fault?: FormTextFault } => {
    let length = 0;
    let allBits = 0;
    let malformedAt = -1;
    let nulAt = -1;
    for (let at = start; at < end; at += 1) {
      let byte = bytes[at] as number;
      if (byte === PLUS) {
        byte = SPACE;
      } else if (byte === PERCENT) {
        const escaped = at + 2 < end ? hexByte(bytes[at + 1], bytes[at + 2]) : -1;
        if (escaped !== -1) {
          byte = escaped;
          at += 2;
        } else if (malformedAt === -1) {
          malformedAt = at;
        }
      }
      if (byte === 0) nulAt = at;
      decoded[length] = byte;
      length += 1;
      allBits |= byte;
    }
    const ascii = allBits < 0x80;
    const text = decoded.toString(ascii ? 'latin1' : 'utf8', 0, length);
    if (malformedAt !== -1) return { text, fault: { code: 'form_invalid', offset: malformedAt } };
    if (!ascii && !isUtf8(decoded.subarray(0, length))) {
      const offset = offsetOf(bytes, invalidUtf8At(decoded.subarray(0, length)), start);
      return { text, fault: { code: 'encoding_invalid', offset } };
    }
    return nulAt === -1 ? { text } : { text, fault: { code: 'text_invalid', offset: nulAt } };
  };
}

/** Where the decoded byte number `index` of a well-formed text begins that starts at `start`. */
function offsetOf(bytes: Uint8Array, index: number, start: number): number {
  let at = start;
  for (let passed = 0; passed < index; passed += 1) at += bytes[at] === PERCENT ? 3 : 1;
  return at;
}

function hexByte(high: number | undefined, low: number | undefined): number {
  const first = hexDigit(high);
  const second = hexDigit(low);
  return first === -1 || second === -1 ? -1 : first * 16 + second;
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

export type FormNode = string | FormGroup;

/** An object or an array of a form; which of the two, the declaration of the field says. */
export class FormGroup {
  /** By name or index, as it stood between the brackets: `person[full_name]`, `image_urls[0]`. */
  readonly members = new Map<string, FormNode>();
  /** Elements that were sent without an index: `image_urls[]`. Never together with members. */
  readonly pushed: FormNode[] = [];
  /**
   * Names that are likely to be the rest of a value with a raw `&` in it, each with the name of the
   * field before it. Only the outermost group has them.
   */
  rests: Map<string, string> | undefined;
}

/**
 * The elements of a declared array: what was pushed, or the members in the order of their
 * indices, which must run from 0 without gaps. Otherwise adds `type_invalid`.
 */
export function formElements(
  group: FormGroup,
  path: string,
  faults: Faults,
): readonly FormNode[] | undefined {
  if (group.members.size === 0) return group.pushed;
  if (!hasOnlyIndices(group)) {
    const said = () =>
      `${path} must be an array, but an object was sent: end its names in [] or in [0], [1] and so on.`;
    faults.add(path, 'type_invalid', said);
    return undefined;
  }
  const elements = indexed(group);
  if (elements === undefined) addGap(path, faults);
  return elements;
}

/**
 * The value of a free-form object. Brackets directly at the field are keys; below, a group that
 * was pushed to, or has only indices (dense from 0, else `type_invalid`), is an array.
 */
export function formContent(group: FormGroup, path: string, faults: Faults): JsonObject {
  if (group.pushed.length > 0) {
    const said = () =>
      `${path} must be an object, but an array was sent: name each member between the brackets, not [].`;
    faults.add(path, 'type_invalid', said);
    return {};
  }
  return objectOf(group, path, faults);
}

function objectOf(group: FormGroup, path: string, faults: Faults): JsonObject {
  const object: JsonObject = {};
  for (const [name, node] of group.members) {
    setMember(object, name, jsonOf(node, memberPath(path, name), faults));
  }
  return object;
}

function jsonOf(group: FormNode, path: string, faults: Faults): Json {
  if (typeof group === 'string') return group;
  if (group.members.size > 0 && !hasOnlyIndices(group)) return objectOf(group, path, faults);
  const elements = group.members.size === 0 ? group.pushed : indexed(group);
  if (elements === undefined) {
    addGap(path, faults);
    return [];
  }
  return elements.map((node, index) => jsonOf(node, memberPath(path, index), faults));
}

function addGap(path: string, faults: Faults): void {
  const said = () => `${path}: the indices of an array must run from 0 without gaps.`;
  faults.add(path, 'type_invalid', said);
}

function hasOnlyIndices(group: FormGroup): boolean {
  return group.members.keys().every((name) => INDEX.test(name));
}

/** The members in the order of their indices; `undefined` where the indices leave a gap. */
function indexed(group: FormGroup): FormNode[] | undefined {
  const { size } = group.members;
  const elements = new Array<FormNode>(size);
  for (const [name, node] of group.members) {
    const index = Number(name);
    // All indices are different and below the number of elements, so none is missing.
    if (index >= size) return undefined;
    elements[index] = node;
  }
  return elements;
}

/** Canonical, so that no two names are one index. */
const INDEX = /^(?:0|[1-9]\d*)$/;
