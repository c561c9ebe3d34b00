/**
 * A strict decoder of application/x-www-form-urlencoded, for bodies and query strings: what it
 * cannot read in exactly one way is a fault, and nothing is dropped or changed silently.
 */

import type { ErrorCode, Faults } from '../../errors.ts';
import { addFaultAt, dottedPath, type PathStep } from '../path.ts';
import { FormDecoder, type FormTextFault } from './decoder.ts';
import { FormGroup } from './group.ts';
import { type FormName, readFormName } from './name.ts';

export { formContent, formElements } from './content.ts';
export { FormGroup, type FormNode } from './group.ts';

const AMPERSAND = 0x26;
const EQUALS = 0x3d;

/**
 * The fields of a form, put together as the brackets in their names say. Adds a fault for every
 * field that cannot be read or placed; one whose name can be read is there nevertheless, so that
 * it is not taken for missing.
 */
export function parseForm(bytes: Uint8Array, faults: Faults): FormGroup {
  const reader = new FormReader(bytes, faults);
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

class FormReader {
  readonly form = new FormGroup();
  /** The name of the last field with a value, as it was sent. */
  #before: string | undefined;
  readonly #decoder: FormDecoder;
  readonly #faults: Faults;

  constructor(bytes: Uint8Array, faults: Faults) {
    this.#decoder = new FormDecoder(bytes);
    this.#faults = faults;
  }

  /** Reads `name=value`, or a name alone, whose value is "". */
  readField(start: number, equals: number, end: number): void {
    const name = this.#readName(start, equals);
    if (name === undefined) return;
    this.#noteRest(name, equals === end);
    const value = this.#decoder.decode(Math.min(equals + 1, end), end);
    const group = this.#place(name, value.text);
    if (value.fault === undefined) return;
    const steps =
      name.pushes && group !== undefined ? [...name.steps, group.pushed.length - 1] : name.steps;
    this.#addTextFault(steps, value.fault, (field) => `the value of ${field}`);
  }

  /** Notes the rest of a value: in `cart_summary=Urn & flowers`, it looks like a field without a value. */
  #noteRest({ steps: [first = '', ...rest], pushes }: FormName, bare: boolean): void {
    if (this.#before !== undefined && (bare || /^\s/.test(first))) {
      this.form.rests ??= new Map();
      this.form.rests.set(first, this.#before);
    } else {
      const inside = rest.map((step) => `[${step}]`).join('');
      this.#before = `${first}${inside}${pushes ? '[]' : ''}`;
    }
  }

  #readName(start: number, end: number): FormName | undefined {
    const { text, fault } = this.#decoder.decode(start, end);
    if (fault !== undefined) {
      this.#addTextFault([text], fault, () => 'the name of a field');
      return undefined;
    }
    const name = readFormName(text);
    if (!('code' in name)) return name;
    this.#faults.add(name.param, name.code, name.message);
    return undefined;
  }

  /** Puts a value where its name says; returns its group, or `undefined` where there is no place. */
  #place(name: FormName, value: string): FormGroup | undefined {
    const { steps, pushes } = name;
    const groups = pushes ? steps.length : steps.length - 1;
    let group = this.form;
    for (const [index, step] of steps.entries()) {
      if (group.pushed.length > 0)
        return this.#refuse(steps.slice(0, index), 'type_invalid', MIXED);
      const found = group.members.get(step);
      if (index === groups) {
        if (typeof found === 'string') return this.#refuse(steps, 'parameter_repeated', REPEATED);
        if (found !== undefined) return this.#refuse(steps, 'type_invalid', TEXT_AND_GROUP);
        group.members.set(step, value);
        return group;
      }
      if (typeof found === 'string') {
        return this.#refuse(steps.slice(0, index + 1), 'type_invalid', TEXT_AND_GROUP);
      }
      const next = found ?? new FormGroup();
      if (found === undefined) group.members.set(step, next);
      group = next;
    }
    if (group.members.size > 0) return this.#refuse(steps, 'type_invalid', MIXED);
    group.pushed.push(value);
    return group;
  }

  #refuse(steps: readonly PathStep[], code: ErrorCode, rule: string): undefined {
    addFaultAt(this.#faults, steps, code, (field) => `${field} ${rule}`);
  }

  #addTextFault(
    steps: readonly PathStep[],
    { code, offset }: FormTextFault,
    place: (field: string) => string,
  ): void {
    const message = (field: string) => `At byte ${offset}, ${place(field)} has ${FLAWS[code]}.`;
    if (code !== 'encoding_invalid') addFaultAt(this.#faults, steps, code, message);
    else this.#faults.add(undefined, code, () => message(dottedPath(steps) ?? ''));
  }
}

const FLAWS = {
  form_invalid: 'a % that two hexadecimal digits do not follow; send a percent sign as %25',
  encoding_invalid: 'what is not valid UTF-8; percent-encode the bytes of the UTF-8 form',
  text_invalid: 'a NUL character, which cannot be stored; send it without',
} as const;
const MIXED =
  'is sent both with [] and with names or indices in its brackets; send one of the two.';
const TEXT_AND_GROUP = 'is sent both as a text and with brackets; send one of the two.';
const REPEATED = 'is sent more than once; send it once.';
