/** JSON in and out, lossless: reading a body takes one look at the text and one `JSON.parse`. */
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Faults } from '../../errors.ts';
import { addFaultAt, MAX_MEMBERS, MAX_NESTING, MAX_PARTS } from '../path.ts';
import { checkText, checkUtf8, walk } from '../text.ts';
import { isRawNumber, type Json, type RawNumber } from '../values.ts';
import { addRepeatedKeys, addSyntaxFault } from './scan.ts';

/** Replaces broken UTF-8, so the bytes are checked first; skips a byte order mark. */
const utf8 = new TextDecoder();

/** Stands for a number that is out of range, until it is reported. */
const OUT_OF_RANGE: RawNumber = JSON.rawJSON('0');

/**
 * The value of a request body. Adds a fault for everything that is wrong with it as JSON:
 * `encoding_invalid`, `json_invalid`, `nesting_too_deep` or `value_too_large`, after which there is no value, and
 * `parameter_repeated`, `text_invalid` and `number_out_of_range`, each with its path, after which
 * the value only serves to look for more faults.
 */
export function parseJsonBody(bytes: Uint8Array, faults: Faults): Json | undefined {
  if (!checkUtf8(bytes, faults)) return undefined;
  const seen = glance(bytes);
  if (seen.members > MAX_MEMBERS || seen.parts > MAX_PARTS) {
    addSyntaxFault(bytes, faults);
    // Text that is not JSON at all has no parts to count.
    if (faults.count === 0) faults.add(undefined, 'parts_too_many');
    return undefined;
  }
  if (seen.depth > MAX_NESTING) {
    addSyntaxFault(bytes, faults);
    return undefined;
  }
  const text = utf8.decode(bytes);
  let value: Json;
  try {
    value = seen.escapedKey ? parseEscapedKeys(text) : (JSON.parse(text) as Json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    addSyntaxFault(bytes, faults);
    return undefined;
  }
  // JSON.parse uses the last of two members with one key: fewer are left than there are colons.
  if (countMembers(value) !== seen.members) addRepeatedKeys(bytes, faults);
  if (seen.unicodeEscape) checkText(value, faults);
  return seen.unsafeNumber ? parseNumbers(text, faults) : value;
}

/**
 * A number in compact JSON that `JSON.parse` might not read exactly. It may also find one inside
 * a string, which only takes longer.
 */
const UNSAFE_NUMBER = /(?:^|[:,[])(?:-0|-?(?:\d[.\d]*[eE]|\d[.\d]{15}|0\.0{6}))/;

/** The value of a text that `stringify` gave: nothing is checked, numbers stay exact. */
export function parseStored(text: string): Json {
  if (UNSAFE_NUMBER.test(text)) return parseLossless(text);
  return hasEscapedKey(text) ? parseEscapedKeys(text) : (JSON.parse(text) as Json);
}

/** Compact JSON with canonical numbers. */
export function stringify(value: Json): string {
  return JSON.stringify(value);
}

/** How many bytes of UTF-8 the value takes as compact JSON. */
export function byteLength(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Whether two values are equal: numbers by value, objects without order, arrays in order. */
export function equalJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null) return false;
  // Canonical numbers: the same number is never a plain one here and a raw one there.
  if (isRawNumber(one)) return isRawNumber(other) && one.rawJSON === other.rawJSON;
  if (isRawNumber(other)) return false;
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((element, index) => equalJson(element, other[index] as Json))
    );
  }
  if (Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) => Object.hasOwn(other, key) && equalJson(one[key] as Json, other[key] as Json),
    )
  );
}

/** As `JSON.parse`, with every number canonical; `OUT_OF_RANGE` where there is none. */
function parseLossless(text: string): Json {
  const revive = (value: unknown, { source }: { readonly source?: string }): unknown =>
    typeof value === 'number' && source !== undefined
      ? (canonicalNumber(source) ?? OUT_OF_RANGE)
      : value;
  return hasEscapedKey(text)
    ? parseEscapedKeys(text, revive)
    : (JSON.parse(text, (_key, value, context) => revive(value, context)) as Json);
}

/** As `parseLossless`; adds a fault for every number that is out of range. */
function parseNumbers(text: string, faults: Faults): Json {
  const value = parseLossless(text);
  walk(value, (one, steps) => {
    if (one !== OUT_OF_RANGE) return;
    addFaultAt(faults, steps, 'number_out_of_range', (field) => ({
      message: `${field} is a number out of range; send ${NUMBER_RANGE}.`,
      values: { least: '-9.9e1000', most: '9.9e1000' },
    }));
  });
  return value;
}

/** The members of all objects in a value fresh from `JSON.parse`: nothing is inherited or raw. */
function countMembers(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) {
      if (typeof element === 'object' && element !== null) count += countMembers(element);
    }
  } else if (typeof value === 'object' && value !== null) {
    const object = value as Record<string, unknown>;
    for (const key in object) {
      count += 1;
      const member = object[key];
      if (typeof member === 'object' && member !== null) count += countMembers(member);
    }
  }
  return count;
}

const MAX_SIGNIFICANT_DIGITS = 1000;
const LARGEST_EXPONENT = 1000;

/** Said of a number for which `canonicalNumber` has no answer. */
const NUMBER_RANGE =
  'at most 1,000 significant digits and a first digit with an exponent from -1,000 to 1,000';

/**
 * The number that a JSON number token stands for, exactly: a plain number where JavaScript prints it in the canonical
 * spelling, otherwise a raw number of that spelling. So two equal numbers are either the same plain number or raw
 * numbers of one spelling. `undefined` when it is out of range. Takes time linear in the token, whatever its exponent.
 */
export function canonicalNumber(token: string): number | RawNumber | undefined {
  const parsed = Number(token);
  // Where JavaScript prints the token itself it is canonical, but for the exponent -7.
  if (String(parsed) === token && !token.endsWith('e-7')) return parsed;

  const negative = token.startsWith('-');
  const mark = token.search(/[eE]/);
  const mantissa = token.slice(negative ? 1 : 0, mark === -1 ? undefined : mark);
  const point = mantissa.indexOf('.');
  const wholeDigits = point === -1 ? mantissa.length : point;
  const digits =
    point === -1 ? mantissa : mantissa.slice(0, wholeDigits) + mantissa.slice(point + 1);

  const first = firstSignificant(digits);
  if (first === digits.length) return 0;
  const significant = digits.slice(first, lastSignificant(digits) + 1);
  // An exponent with enough digits to make the sum inexact or infinite is far out of range.
  const exponent = (mark === -1 ? 0 : Number(token.slice(mark + 1))) + wholeDigits - 1 - first;
  if (significant.length > MAX_SIGNIFICANT_DIGITS) return undefined;
  if (Math.abs(exponent) > LARGEST_EXPONENT) return undefined;

  const spelling = (negative ? '-' : '') + spell(significant, exponent);
  const double = Number(spelling);
  return String(double) === spelling ? double : JSON.rawJSON(spelling);
}

/** Spells the number whose first significant digit has the given exponent. */
function spell(significant: string, exponent: number): string {
  if (exponent < -7 || exponent > 20) {
    const fraction = significant.length > 1 ? `.${significant.slice(1)}` : '';
    return `${significant[0]}${fraction}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
  }
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${significant}`;
  const whole = significant.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = significant.slice(exponent + 1);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

const ZERO = 0x30;

function firstSignificant(digits: string): number {
  let at = 0;
  while (at < digits.length && digits.charCodeAt(at) === ZERO) at += 1;
  return at;
}

/** Not a pattern like /0+$/, which takes quadratic time on zeros that are not at the end. */
function lastSignificant(digits: string): number {
  let at = digits.length - 1;
  while (digits.charCodeAt(at) === ZERO) at -= 1;
  return at;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Begins the keys that V8 is given in place of others. No sender knows it, so no text has it. */
const MARK = randomUUID();

type Revive = (value: unknown, context: { readonly source?: string }) => unknown;

/** Whether a key of the text has an escape, if it is JSON. */
export function hasEscapedKey(text: string): boolean {
  return text.includes('\\') && escapedKeys(text).next().done !== true;
}

/**
 * As `JSON.parse`, with the very keys of the text; `revive` is given each value with its source, innermost first. V8 reads
 * some escaped keys wrongly: where an earlier text had a key that ends in a backslash, it takes any escaped key at that
 * place for that one, from any sender (Node's issue 63785, open in November 2026). So it is given none.
 */
export function parseEscapedKeys(text: string, revive: Revive = (value) => value): Json {
  const stood: string[] = [];
  const numbers = new Map<string, number>();
  let plain = '';
  let copied = 0;
  for (const { start, end } of escapedKeys(text)) {
    const key = decoded(text.slice(start, end));
    // A key that is not a string is not JSON, and stays so.
    if (key === undefined) continue;
    const number = numbers.get(key) ?? stood.push(key) - 1;
    numbers.set(key, number);
    plain += `${text.slice(copied, start)}"${MARK}${number}"`;
    copied = end;
  }
  plain += text.slice(copied);
  return JSON.parse(plain, (_key, value, context) =>
    withKeys(stood, revive(value, context) as Json),
  ) as Json;
}

/** Puts the keys of the text back where others stood for them. */
function withKeys(stood: readonly string[], value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (!entries.some(([key]) => key.startsWith(MARK))) return value;
  return Object.fromEntries(
    entries.map(([key, member]) => [
      key.startsWith(MARK) ? (stood[Number(key.slice(MARK.length))] as string) : key,
      member,
    ]),
  ) as Json;
}

/** Where the strings with an escape and a colon behind them begin and end, quotes included. */
function* escapedKeys(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let start = text.indexOf('"'); start >= 0; ) {
    let at = start + 1;
    let escaped = false;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code !== BACKSLASH) continue;
      escaped = true;
      at += 1;
    }
    const end = at + 1;
    if (escaped && hasColonNext(text, end)) yield { start, end };
    start = text.indexOf('"', end);
  }
}

function hasColonNext(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}

function decoded(token: string): string | undefined {
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined;
  }
}

/**
 * A decimal of up to this many digits is printed by JavaScript as it was (DBL_DIG of IEEE 754 doubles). Sign and point
 * are counted too: that errs on the careful side.
 */
const SAFE_LENGTH = 15;

const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const POINT = 0x2e;
const NINE = 0x39;

/**
 * Looks for what `JSON.parse` does not report. Is right about every valid JSON text; of anything else it says something, which means nothing.
 * This runs for every request: one plain loop over the bytes costs a third of `JSON.parse`.
 */
function glance(bytes: Uint8Array) {
  const end = bytes.length;
  let level = 0;
  let depth = 0;
  /** Members of all objects, repeated ones included. */
  let members = 0;
  /** Commas and opening brackets: members, elements, objects and arrays. */
  let parts = 0;
  /** Whether `JSON.parse` might read a number as one that it would not print canonically. */
  let unsafeNumber = false;
  /** Whether a string has a `\u` escape: in UTF-8 the only way to a NUL or a lone surrogate. */
  let unicodeEscape = false;
  let escapedKey = false;
  let escaped = false;
  let at = 0;
  while (at < end) {
    let byte = bytes[at] as number;
    at += 1;
    if (byte === QUOTE) {
      escaped = false;
      while (at < end) {
        byte = bytes[at] as number;
        at += 1;
        if (byte === QUOTE) break;
        if (byte === BACKSLASH && at < end) {
          escaped = true;
          if (bytes[at] === 0x75 /* u */) unicodeEscape = true;
          at += 1;
        }
      }
    } else if (byte === COLON) {
      members += 1;
      if (escaped) escapedKey = true;
    } else if (byte === COMMA) {
      parts += 1;
    } else if (byte === 0x7b /* { */ || byte === 0x5b /* [ */) {
      parts += 1;
      level += 1;
      if (level > depth) depth = level;
    } else if (byte === 0x7d /* } */ || byte === 0x5d /* ] */) {
      level -= 1;
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
      const start = at - 1;
      while (at < end) {
        byte = bytes[at] as number;
        if ((byte < ZERO || byte > NINE) && byte !== POINT) break;
        at += 1;
      }
      if (byte === 0x65 /* e */ || byte === 0x45 /* E */ || at - start > SAFE_LENGTH) {
        unsafeNumber = true;
      } else if (startsUnsafely(bytes, start, at)) {
        unsafeNumber = true;
      }
    }
  }
  return { depth, members, parts, unsafeNumber, unicodeEscape, escapedKey };
}

/** Whether a token may be -0, or a fraction so small that JavaScript prints it with an exponent. */
function startsUnsafely(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] === MINUS) return bytes[start + 1] === ZERO;
  return bytes[start] === ZERO && end - start > '0.000000'.length && bytes[start + 2] === ZERO;
}
