/**
 * Reads a JSON text without building its value, to say where it stops being JSON, where it nests
 * too deeply and which keys are repeated. Only used once one of these is known or suspected.
 */

import type { Faults } from '../errors.ts';
import { JsonCursor, NotJson } from './json-cursor.ts';
import { addFaultAt, MAX_NESTING, type Step } from './path.ts';

export interface ScanOptions {
  readonly levels?: number;
  /** Where an element of the array that is the text begins: all before it is right. */
  readonly element?: number | undefined;
}

/**
 * Adds the first thing that keeps `bytes` from being a JSON text nested at most so many levels:
 * `json_invalid` or `nesting_too_deep`, or nothing.
 */
export function addSyntaxFault(
  bytes: Uint8Array,
  faults: Faults,
  { levels = MAX_NESTING, element }: ScanOptions = {},
): void {
  const scanner = new Scanner(new JsonCursor(bytes, element), undefined, levels);
  try {
    if (element === undefined) scanner.text();
    else scanner.restOfArray();
  } catch (stop) {
    if (stop instanceof NotJson) {
      faults.add(undefined, 'json_invalid', stop.message);
    } else if (stop instanceof TooDeep) {
      addFaultAt(faults, scanner.steps, 'nesting_too_deep', () => stop.message);
    } else {
      throw stop;
    }
  }
}

/** Adds `parameter_repeated` once for every key that an object of the valid JSON text repeats. */
export function addRepeatedKeys(bytes: Uint8Array, faults: Faults): void {
  new Scanner(new JsonCursor(bytes), faults).text();
}

class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

/** Recursion ends where the levels do. */
class Scanner {
  /** What leads to the value being read. */
  readonly steps: Step[] = [];
  readonly #cursor: JsonCursor;
  /** Where repeated keys go; without it none are looked for. */
  readonly #repeated: Faults | undefined;
  readonly #levels: number;

  constructor(cursor: JsonCursor, repeated: Faults | undefined, levels = MAX_NESTING) {
    this.#cursor = cursor;
    this.#repeated = repeated;
    this.#levels = levels;
  }

  text(): void {
    this.#value();
    this.#cursor.end();
  }

  /** From the beginning of one of its elements. */
  restOfArray(): void {
    this.#elements();
    this.#cursor.end();
  }

  #value(): void {
    if (this.#cursor.takes('{')) this.#object();
    else if (this.#cursor.takes('[')) this.#array();
    else this.#cursor.scalar();
  }

  #object(): void {
    const cursor = this.#cursor;
    this.#checkDepth();
    if (cursor.takes('}')) return;
    const seen = new Map<string, 'once' | 'repeated'>();
    let key = cursor.key('a key in double quotes or }');
    for (;;) {
      this.steps.push(key);
      this.#checkRepeated(key, seen);
      if (!cursor.takes(':')) cursor.fail('a colon after the key');
      this.#value();
      this.steps.pop();
      if (cursor.takes('}')) return;
      if (!cursor.takes(',')) cursor.fail('a comma or }');
      key = cursor.key('a key in double quotes after the comma');
    }
  }

  #array(): void {
    this.#checkDepth();
    if (!this.#cursor.takes(']')) this.#elements();
  }

  #elements(): void {
    const cursor = this.#cursor;
    for (let index = 0; ; index += 1) {
      this.steps.push(index);
      this.#value();
      this.steps.pop();
      if (cursor.takes(']')) return;
      if (!cursor.takes(',')) cursor.fail('a comma or ]');
    }
  }

  #checkDepth(): void {
    if (this.steps.length < this.#levels) return;
    throw new TooDeep(
      `Objects and arrays may nest ${this.#levels} levels deep, the body being the first; at byte ${this.#cursor.offset - 1} a deeper one opens. Send it flatter.`,
    );
  }

  #checkRepeated(key: string, seen: Map<string, 'once' | 'repeated'>): void {
    if (this.#repeated === undefined) return;
    const before = seen.get(key);
    seen.set(key, before === undefined ? 'once' : 'repeated');
    if (before !== 'once') return;
    addFaultAt(
      this.#repeated,
      this.steps,
      'parameter_repeated',
      (field) => `${field} is sent more than once in one object; send it once.`,
    );
  }
}
