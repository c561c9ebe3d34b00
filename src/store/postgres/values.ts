/** Values on their way to the server and back. */
import { Buffer } from 'node:buffer';
import type { CustomTypesConfig } from 'pg';

const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT4 = 23;
const TEXT = 25;
const XID8 = 5069;

/** How the types of our columns are read; whatever else comes is a text. */
export const readTexts: CustomTypesConfig = {
  getTypeParser: ((type: number) => {
    if (type === INT8 || type === INT4 || type === XID8) return Number;
    if (type === BOOL) return (text: string) => text === 't';
    if (type === BYTEA) return (text: string) => Uint8Array.fromHex(text.slice(2));
    return String;
  }) as CustomTypesConfig['getTypeParser'],
};

/** A `text[]` in the server's binary form: documents go as they are, without quotes and escapes. */
export function textArray(texts: readonly (string | null)[]): Buffer {
  let size = HEADER;
  const sizes = texts.map((text) => {
    const bytes = text === null ? 0 : Buffer.byteLength(text);
    size += 4 + bytes;
    return bytes;
  });
  const array = Buffer.allocUnsafe(size);
  array.writeInt32BE(texts.length === 0 ? 0 : 1, 0); // dimensions
  array.writeInt32BE(1, 4); // there may be nulls
  array.writeInt32BE(TEXT, 8);
  if (texts.length === 0) return array.subarray(0, EMPTY_HEADER);
  array.writeInt32BE(texts.length, 12);
  array.writeInt32BE(1, 16); // the first index
  let at = HEADER;
  for (const [index, text] of texts.entries()) {
    const bytes = sizes[index] as number;
    array.writeInt32BE(text === null ? -1 : bytes, at);
    at += 4;
    if (text !== null) array.write(text, at, bytes, 'utf8');
    at += bytes;
  }
  return array;
}

const EMPTY_HEADER = 12;
const HEADER = 20;

/** A `bytea[]`, as text. */
export function bytesArray(values: readonly (Uint8Array | null)[]): string {
  const texts = values.map((value) => (value === null ? 'NULL' : `"\\\\x${value.toHex()}"`));
  return `{${texts.join()}}`;
}

/** An `int[]` or `bigint[]`, as text. */
export function numberArray(numbers: readonly (number | null)[]): string {
  return `{${numbers.map((number) => number ?? 'NULL').join()}}`;
}

/** A `bytea`. */
export function bytes(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
