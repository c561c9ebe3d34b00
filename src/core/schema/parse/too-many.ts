/**
 * Refuses bodies with more parts than any record can store, before they are parsed: one part costs little, but a
 * megabyte can have half a million.
 */
import type { Faults } from '../../errors.ts';

/** Members of all objects, or fields of a form. Content of 64 KiB has some ten thousand. */
export const MAX_MEMBERS = 32_768;
/** Commas and opening brackets: members, elements, objects and arrays. Content of 64 KiB has some forty thousand. */
export const MAX_PARTS = 65_536;

const AMPERSAND = 0x26;

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
