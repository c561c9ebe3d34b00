/**
 * Reads a JSON text (RFC 8259) without building its value, to say where it stops being JSON, where
 * it nests too deeply and which keys it repeats. Slow: only used once one of these is known or suspected.
 */
import { Buffer } from 'node:buffer';
import type { Faults } from '../../errors.ts';
import { addFaultAt, MAX_NESTING, type PathStep } from '../path.ts';

const END = -1;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const VALUE =
  'a value (an object, an array, a string in double quotes, a number, true, false or null)';
const LITERALS = ['true', 'false', 'null'] as const;

/**
 * Adds the first thing that keeps `bytes` from being a JSON text within the limit of nesting: `json_invalid` or
 * `nesting_too_deep`, or nothing. `element`: where an element of the array that is the text begins; all before is right.
 */
export function addSyntaxFault(
  bytes: Uint8Array,
  faults: Faults,
  from: { readonly levels?: number; readonly element?: number | undefined } = {},
): void {
  const steps: PathStep[] = [];
  try {
    scan(bytes, steps, from);
  } catch (stop) {
    if (!(stop instanceof NotJson)) throw stop;
    if (stop.isTooDeep) addFaultAt(faults, steps, 'nesting_too_deep', () => stop.message);
    else faults.add(undefined, 'json_invalid', stop.message);
  }
}

/** Adds `parameter_repeated` once for every key that an object of the valid JSON text repeats. */
export function addRepeatedKeys(bytes: Uint8Array, faults: Faults): void {
  scan(bytes, [], { repeated: faults });
}

/** Thrown where a text stops being JSON, or nests too deeply; its message is for the sender. */
class NotJson extends Error {
  override readonly name = 'NotJson';
  isTooDeep = false;
}

/**
 * Reads a text by recursion, which ends where the levels do, and throws where the text stops being JSON; from the beginning
 * of an element of the array that is the text, where one is given. `steps` is the path to the value being read.
 */
function scan(
  bytes: Uint8Array,
  steps: PathStep[],
  {
    repeated,
    levels = MAX_NESTING,
    element,
  }: {
    /** Where repeated keys go; without it none are looked for. */
    readonly repeated?: Faults;
    readonly levels?: number | undefined;
    readonly element?: number | undefined;
  },
): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = element ?? (startsWithByteOrderMark(bytes) ? 3 : 0);
  if (element === undefined) value();
  else elements();
  space();
  if (next() !== END) fail('nothing more');

  function value(): void {
    if (takes('{')) object();
    else if (takes('[')) array();
    else scalar();
  }

  function object(): void {
    checkDepth();
    if (takes('}')) return;
    const seen = new Map<string, 'once' | 'repeated'>();
    let key = readKey('a key in double quotes or }');
    for (;;) {
      steps.push(key);
      checkRepeated(key, seen);
      if (!takes(':')) fail('a colon after the key');
      value();
      steps.pop();
      if (takes('}')) return;
      if (!takes(',')) fail('a comma or }');
      key = readKey('a key in double quotes after the comma');
    }
  }

  function array(): void {
    checkDepth();
    if (!takes(']')) elements();
  }

  function elements(): void {
    for (let index = 0; ; index += 1) {
      steps.push(index);
      value();
      steps.pop();
      if (takes(']')) return;
      if (!takes(',')) fail('a comma or ]');
    }
  }

  function checkDepth(): void {
    if (steps.length < levels) return;
    const says = `Objects and arrays may nest ${levels} levels deep, the body being the first; at byte ${at - 1} a deeper one opens. Send it flatter.`;
    throw Object.assign(new NotJson(says), { isTooDeep: true });
  }

  function checkRepeated(key: string, seen: Map<string, 'once' | 'repeated'>): void {
    if (repeated === undefined) return;
    const before = seen.get(key);
    seen.set(key, before === undefined ? 'once' : 'repeated');
    if (before !== 'once') return;
    const said = (field: string) => `${field} is sent more than once in one object; send it once.`;
    addFaultAt(repeated, steps, 'parameter_repeated', said);
  }

  /** Passes white space and then this character, if it is there. */
  function takes(character: string): boolean {
    space();
    return passes(character);
  }

  function readKey(expected: string): string {
    space();
    if (next() !== QUOTE) fail(expected);
    const start = at;
    string();
    const token = buffer.toString('utf8', start, at);
    return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
  }

  function scalar(): void {
    space();
    const byte = next();
    if (byte === QUOTE) string();
    else if (byte === 0x2d || isDigit(byte)) number();
    else literal();
  }

  function fail(expected: string): never {
    throw new NotJson(
      `The body is not valid JSON at byte ${at}: expected ${expected}, but ${found()}.`,
    );
  }

  function next(): number {
    return buffer[at] ?? END;
  }

  function space(): void {
    let byte = next();
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      at += 1;
      byte = next();
    }
  }

  function string(): void {
    at += 1;
    for (let byte = next(); byte !== QUOTE; byte = next()) {
      if (byte === END) fail('the double quote that closes a string');
      if (byte < 0x20) fail('an escape such as \\n, since strings take no control characters');
      at += 1;
      if (byte === BACKSLASH) escaped();
    }
    at += 1;
  }

  function escaped(): void {
    const letter = next();
    if (letter === END || !'"\\/bfnrtu'.includes(String.fromCharCode(letter)))
      fail('one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX');
    at += 1;
    if (letter !== 0x75 /* u */) return;
    for (let digit = 0; digit < 4; digit += 1) {
      if (!isHexDigit(next())) fail('four hexadecimal digits after \\u');
      at += 1;
    }
  }

  function number(): void {
    passes('-');
    if (passes('0')) {
      if (isDigit(next())) fail('no digit after a leading zero');
    } else {
      digits();
    }
    if (passes('.')) digits();
    if (passes('e') || passes('E')) {
      if (!passes('+')) passes('-');
      digits();
    }
  }

  function digits(): void {
    if (!isDigit(next())) fail('a digit');
    while (isDigit(next())) at += 1;
  }

  function passes(character: string): boolean {
    if (next() !== character.charCodeAt(0)) return false;
    at += 1;
    return true;
  }

  function literal(): void {
    const rest = buffer.toString('latin1', at, at + 5);
    const word = LITERALS.find((one) => rest.startsWith(one));
    if (word === undefined) fail(VALUE);
    at += word.length;
  }

  function found(): string {
    const byte = next();
    if (byte === END) return 'the body ends there';
    if (byte > 0x20 && byte < 0x7f) return `found ${String.fromCharCode(byte)}`;
    return `found the byte 0x${byte.toString(16).padStart(2, '0')}`;
  }
}

/** RFC 8259, section 8.1: a receiver may ignore it. */
export function startsWithByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
