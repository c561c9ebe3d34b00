/** Which texts can be stored: no NUL character, no lone surrogate, nothing but UTF-8. */
import { isUtf8 } from 'node:buffer';
import type { Faults } from '../errors.ts';
import { addFaultAt, type PathStep } from './path.ts';
import { isObject, type Json } from './values.ts';

/** The fault of a text, in words, if it has one. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'a NUL character';
  if (!text.isWellFormed()) return 'a lone surrogate (half of a UTF-16 pair)';
  return undefined;
}

/** Adds `text_invalid` for every string and every key in `value` that cannot be stored. */
export function checkText(value: Json, faults: Faults): void {
  walk(value, (one, steps) => {
    const key = steps.at(-1);
    if (typeof key === 'string') addTextFault(faults, steps, key, 'the key');
    if (typeof one === 'string') addTextFault(faults, steps, one, 'the text');
  });
}

function addTextFault(
  faults: Faults,
  steps: readonly PathStep[],
  text: string,
  what: string,
): void {
  const fault = textFault(text);
  if (fault === undefined) return;
  const said = (field: string) =>
    `${field}: ${what} contains ${fault}, which cannot be stored; send it without.`;
  addFaultAt(faults, steps, 'text_invalid', said);
}

/**
 * Visits every value of `value` after what it is in, with the path to it, and `value` itself, which must not be nested
 * without bound. The array of steps is reused: copy it to retain it.
 */
export function walk(
  value: Json,
  visit: (value: Json, steps: readonly PathStep[]) => void,
  steps: PathStep[] = [],
): void {
  visit(value, steps);
  const inside = Array.isArray(value)
    ? value.entries()
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [step, one] of inside) {
    steps.push(step);
    walk(one, visit, steps);
    steps.pop();
  }
}

/** Whether the bytes are UTF-8; adds `encoding_invalid` where they are not. */
export function checkUtf8(bytes: Uint8Array, faults: Faults): boolean {
  if (isUtf8(bytes)) return true;
  const offset = invalidUtf8At(bytes);
  const message = `The body is not valid UTF-8 at byte ${offset}${lookOf(bytes)}; send it as UTF-8.`;
  faults.add(undefined, 'encoding_invalid', message);
  return false;
}

/** The likely format of bytes that are not UTF-8, as part of a sentence. */
export function lookOf([first, second]: Uint8Array): string {
  if (first === 0x1f && second === 0x8b) return ' and looks compressed with gzip: send it unpacked';
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isUtf16 ? ' and looks like UTF-16, as some programs save "Unicode text"' : '';
}

/**
 * The offset of the first byte that is not part of well-formed UTF-8 (the first byte of the broken sequence), or -1.
 * Looks at every byte: call `isUtf8` of node:buffer first.
 */
export function invalidUtf8At(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}

/** How many bytes the character at `at` takes; 0 where the bytes are not UTF-8 (RFC 3629, section 4). */
export function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 || lead > 0xf4 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  // Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  for (let next = at + 2; next < at + length; next += 1) {
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}
