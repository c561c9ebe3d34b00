/** Decodes the names and values of application/x-www-form-urlencoded, strictly. */
import { Buffer, isUtf8 } from 'node:buffer';
import { invalidUtf8At } from '../text.ts';

/** A decoded name or value. */
export interface FormText {
  /** Where there is a fault: as near as it gets, with the `%` or U+FFFD. */
  readonly text: string;
  readonly fault?: FormTextFault;
}

export interface FormTextFault {
  readonly code: 'form_invalid' | 'encoding_invalid' | 'text_invalid';
  /** Where the first byte is that is at fault. */
  readonly offset: number;
}

const PLUS = 0x2b;
const PERCENT = 0x25;
const SPACE = 0x20;

export type FormDecoder = ReturnType<typeof createFormDecoder>;

/** Returns a function that decodes the bytes from `start` up to `end`. */
export function createFormDecoder(bytes: Uint8Array) {
  /** Takes the decoded bytes of one text at a time: decoding never makes it longer. */
  const decoded = Buffer.allocUnsafe(bytes.length);
  return (start: number, end: number): FormText => {
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
