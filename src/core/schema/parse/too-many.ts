/**
 * Refuses bodies with more parts than any record can store, before they are parsed: one part costs little, but a
 * megabyte can have half a million.
 */
import type { Faults } from '../../errors.ts';

/** Members of all objects, or fields of a form. Content of 64 KiB has some ten thousand. */
export const MAX_MEMBERS = 32_768;
/** Commas and opening brackets: members, elements, objects and arrays. Content of 64 KiB has some forty thousand. */
export const MAX_PARTS = 65_536;

const QUOTE = 0x22;
const AMPERSAND = 0x26;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/** Whether a JSON text has more parts; the result means nothing for a text that is not JSON. */
export function hasTooManyParts(bytes: Uint8Array): boolean {
  const end = bytes.length;
  if (end <= MAX_MEMBERS) return false;
  let members = 0;
  let parts = 0;
  for (let at = 0; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at += 1;
      while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    } else if (byte === COLON) {
      members += 1;
    } else if (byte === COMMA || byte === BRACKET || byte === BRACE) {
      parts += 1;
    }
  }
  return members > MAX_MEMBERS || parts > MAX_PARTS;
}

/** Whether a form has more fields; what stands between two ampersands side by side is none. */
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

export function addTooManyParts(faults: Faults): void {
  faults.add(undefined, 'parts_too_many');
}
