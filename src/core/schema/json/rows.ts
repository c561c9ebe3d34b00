/** Takes the rows out of a JSON array one by one, so that each is read by itself. */
import { Faults } from '../../errors.ts';
import { MAX_NESTING } from '../path.ts';
import { checkUtf8 } from '../text.ts';
import { addSyntaxFault, startsWithByteOrderMark } from './scan.ts';

/** Bytes that are looked at one by one, to say where they stop being JSON. */
const MAX_LOOKED_AT = 1_048_576;

/** Stands for no element: what was looked at so far is not the end of one. */
export const NOT_YET = Symbol('not yet');

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = 0x5b;
const CLOSING = 0x5d;

/**
 * The bytes of each element, and the white space after it; `NOT_YET` in between after each MiB of an element, since one
 * may be as long as the whole. Nothing is read: an element may turn out not to be JSON, and then neither is the whole.
 * Throws `encoding_invalid`, and `json_invalid` or `type_invalid` where the elements cannot be told apart.
 */
export function* rowsOf(bytes: Uint8Array): Generator<Uint8Array | typeof NOT_YET> {
  const faults = new Faults();
  if (!checkUtf8(bytes, faults)) faults.throwIfAny();
  let at = pastSpace(bytes, startsWithByteOrderMark(bytes) ? 3 : 0);
  if (bytes[at] !== OPENING) refuseRows(bytes);
  at = pastSpace(bytes, at + 1);
  let start = at;
  if (bytes[at] !== CLOSING) {
    for (let next = COMMA; next === COMMA; at += 1) {
      start = pastSpace(bytes, at);
      const element = { at: start, level: 0, quoted: false };
      while (!isAtEnd(bytes, element)) yield NOT_YET;
      at = element.at;
      next = bytes[at] ?? 0;
      yield bytes.subarray(start, at);
    }
    at -= 1;
  }
  if (bytes[at] !== CLOSING || pastSpace(bytes, at + 1) < bytes.length) refuseRows(bytes, start);
}

/**
 * Throws what is wrong with a body that is not a JSON array of rows. Nothing is before `row`, where a row begins; a
 * long body is not looked at again before that.
 */
export function refuseRows(bytes: Uint8Array, row?: number): never {
  const faults = new Faults();
  const element = bytes.length > MAX_LOOKED_AT ? row : undefined;
  if (bytes.length - (element ?? 0) <= MAX_LOOKED_AT)
    addSyntaxFault(bytes, faults, { levels: MAX_NESTING + 1, element });
  else if (element !== undefined) {
    const message = `The body is not valid JSON: what begins at byte ${element} is not the last row of an array that ends with ].`;
    faults.add(undefined, 'json_invalid', message);
  }
  if (faults.count === 0) {
    const message = 'The body must be a JSON array of rows, each an object as an upsert takes it.';
    faults.add(undefined, 'type_invalid', message);
  }
  faults.throwIfAny();
  throw new TypeError('A body that is refused has a fault.');
}

interface Element {
  at: number;
  level: number;
  quoted: boolean;
}

/**
 * Goes on to the comma or bracket that ends the element, for a MiB at most, and returns whether it is there: in the
 * right place for valid JSON, anywhere otherwise.
 */
function isAtEnd(bytes: Uint8Array, element: Element): boolean {
  let { at, level, quoted } = element;
  const until = Math.min(bytes.length, at + MAX_LOOKED_AT);
  let ended = false;
  while (at < until) {
    if (quoted) {
      while (at < until && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
      if (at >= until) break;
      quoted = false;
      at += 1;
      continue;
    }
    const byte = bytes[at];
    if (byte === QUOTE) {
      quoted = true;
    } else if (byte === OPENING || byte === 0x7b /* { */) {
      level += 1;
    } else if (byte === CLOSING || byte === 0x7d /* } */) {
      ended = level === 0;
      level -= 1;
    } else if (byte === COMMA && level === 0) {
      ended = true;
    }
    if (ended) break;
    at += 1;
  }
  element.at = Math.min(at, bytes.length);
  element.level = level;
  element.quoted = quoted;
  return ended || at >= bytes.length;
}

function pastSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
  }
  return at;
}
