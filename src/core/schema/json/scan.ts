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
  { levels = MAX_NESTING, element }: { levels?: number; element?: number | undefined } = {},
): void {
  const scanner = new Scanner(bytes, undefined, levels, element);
  try {
    if (element === undefined) scanner.text();
    else scanner.restOfArray();
  } catch (stop) {
    if (!(stop instanceof NotJson)) throw stop;
    if (stop.isTooDeep) addFaultAt(faults, scanner.steps, 'nesting_too_deep', () => stop.message);
    else faults.add(undefined, 'json_invalid', stop.message);
  }
}

/** Adds `parameter_repeated` once for every key that an object of the valid JSON text repeats. */
export function addRepeatedKeys(bytes: Uint8Array, faults: Faults): void {
  new Scanner(bytes, faults).text();
}

/** Thrown where a text stops being JSON, or nests too deeply; its message is for the sender. */
class NotJson extends Error {
  override readonly name = 'NotJson';
  isTooDeep = false;
}

/** Reads a text by recursion, which ends where the levels do, and throws where the text stops being JSON. */
class Scanner {
  /** The path to the value being read. */
  readonly steps: PathStep[] = [];
  readonly #bytes: Buffer;
  #at: number;
  /** Where repeated keys go; without it none are looked for. */
  readonly #repeated: Faults | undefined;
  readonly #levels: number;

  /** From the byte `at` on; from the first, or what comes after a byte order mark, where it is left out. */
  constructor(
    bytes: Uint8Array,
    repeated: Faults | undefined,
    levels = MAX_NESTING,
    at = startsWithByteOrderMark(bytes) ? 3 : 0,
  ) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#at = at;
    this.#repeated = repeated;
    this.#levels = levels;
  }

  text(): void {
    this.#value();
    this.#end();
  }

  /** From the beginning of one of its elements. */
  restOfArray(): void {
    this.#elements();
    this.#end();
  }

  #value(): void {
    if (this.#takes('{')) this.#object();
    else if (this.#takes('[')) this.#array();
    else this.#scalar();
  }

  #object(): void {
    this.#checkDepth();
    if (this.#takes('}')) return;
    const seen = new Map<string, 'once' | 'repeated'>();
    let key = this.#key('a key in double quotes or }');
    for (;;) {
      this.steps.push(key);
      this.#checkRepeated(key, seen);
      if (!this.#takes(':')) this.#fail('a colon after the key');
      this.#value();
      this.steps.pop();
      if (this.#takes('}')) return;
      if (!this.#takes(',')) this.#fail('a comma or }');
      key = this.#key('a key in double quotes after the comma');
    }
  }

  #array(): void {
    this.#checkDepth();
    if (!this.#takes(']')) this.#elements();
  }

  #elements(): void {
    for (let index = 0; ; index += 1) {
      this.steps.push(index);
      this.#value();
      this.steps.pop();
      if (this.#takes(']')) return;
      if (!this.#takes(',')) this.#fail('a comma or ]');
    }
  }

  #checkDepth(): void {
    if (this.steps.length < this.#levels) return;
    const says = `Objects and arrays may nest ${this.#levels} levels deep, the body being the first; at byte ${this.#at - 1} a deeper one opens. Send it flatter.`;
    throw Object.assign(new NotJson(says), { isTooDeep: true });
  }

  #checkRepeated(key: string, seen: Map<string, 'once' | 'repeated'>): void {
    if (this.#repeated === undefined) return;
    const before = seen.get(key);
    seen.set(key, before === undefined ? 'once' : 'repeated');
    if (before !== 'once') return;
    const said = (field: string) => `${field} is sent more than once in one object; send it once.`;
    addFaultAt(this.#repeated, this.steps, 'parameter_repeated', said);
  }

  /** Passes white space and then this character, if it is there. */
  #takes(character: string): boolean {
    this.#space();
    return this.#passes(character);
  }

  #key(expected: string): string {
    this.#space();
    if (this.#byte() !== QUOTE) this.#fail(expected);
    const start = this.#at;
    this.#string();
    const token = this.#bytes.toString('utf8', start, this.#at);
    return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
  }

  #scalar(): void {
    this.#space();
    const byte = this.#byte();
    if (byte === QUOTE) this.#string();
    else if (byte === 0x2d || isDigit(byte)) this.#number();
    else this.#literal();
  }

  #end(): void {
    this.#space();
    if (this.#byte() !== END) this.#fail('nothing more');
  }

  #fail(expected: string): never {
    throw new NotJson(
      `The body is not valid JSON at byte ${this.#at}: expected ${expected}, but ${this.#found()}.`,
    );
  }

  #byte(): number {
    return this.#bytes[this.#at] ?? END;
  }

  #space(): void {
    let byte = this.#byte();
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      this.#at += 1;
      byte = this.#byte();
    }
  }

  #string(): void {
    this.#at += 1;
    for (let byte = this.#byte(); byte !== QUOTE; byte = this.#byte()) {
      if (byte === END) this.#fail('the double quote that closes a string');
      if (byte < 0x20)
        this.#fail('an escape such as \\n, since strings take no control characters');
      this.#at += 1;
      if (byte === BACKSLASH) this.#escape();
    }
    this.#at += 1;
  }

  #escape(): void {
    const letter = this.#byte();
    if (letter === END || !'"\\/bfnrtu'.includes(String.fromCharCode(letter)))
      this.#fail('one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX');
    this.#at += 1;
    if (letter !== 0x75 /* u */) return;
    for (let digit = 0; digit < 4; digit += 1) {
      if (!isHexDigit(this.#byte())) this.#fail('four hexadecimal digits after \\u');
      this.#at += 1;
    }
  }

  #number(): void {
    this.#passes('-');
    if (this.#passes('0')) {
      if (isDigit(this.#byte())) this.#fail('no digit after a leading zero');
    } else {
      this.#digits();
    }
    if (this.#passes('.')) this.#digits();
    if (this.#passes('e') || this.#passes('E')) {
      if (!this.#passes('+')) this.#passes('-');
      this.#digits();
    }
  }

  #digits(): void {
    if (!isDigit(this.#byte())) this.#fail('a digit');
    while (isDigit(this.#byte())) this.#at += 1;
  }

  #passes(character: string): boolean {
    if (this.#byte() !== character.charCodeAt(0)) return false;
    this.#at += 1;
    return true;
  }

  #literal(): void {
    const rest = this.#bytes.toString('latin1', this.#at, this.#at + 5);
    const literal = LITERALS.find((word) => rest.startsWith(word));
    if (literal === undefined) this.#fail(VALUE);
    this.#at += literal.length;
  }

  #found(): string {
    const byte = this.#byte();
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
