/** Values on their way to the server and back. */
import { Buffer } from 'node:buffer';
import type { CustomTypesConfig } from 'pg';

const BOOL = 16;
const BYTEA = 17;
const INT8 = 20;
const INT4 = 23;
const TEXT = 25;
const FLOAT8 = 701;

/** How the types of our columns are read; any other is a text. */
export const readTexts: CustomTypesConfig = {
  getTypeParser: ((type: number) => {
    if (type === INT8 || type === INT4 || type === FLOAT8) return Number;
    if (type === BOOL) return (text: string) => text === 't';
    if (type === BYTEA) return (text: string) => Uint8Array.fromHex(text.slice(2));
    return String;
  }) as CustomTypesConfig['getTypeParser'],
};

/** A `text[]` in the server's binary form: documents go as they are, without quotes and escapes. */
export function textArray(texts: readonly (string | null)[]): Buffer {
  let size = HEADER;
  for (const text of texts) size += 4 + (text === null ? 0 : Buffer.byteLength(text));
  const array = Buffer.allocUnsafe(size);
  putNumber(array, 0, texts.length === 0 ? 0 : 1); // dimensions
  putNumber(array, 4, 1); // there may be nulls
  putNumber(array, 8, TEXT);
  if (texts.length === 0) return array.subarray(0, EMPTY_HEADER);
  putNumber(array, 12, texts.length);
  putNumber(array, 16, 1); // the first index
  let at = HEADER;
  for (const text of texts) {
    const bytes = text === null ? -1 : array.write(text, at + 4, 'utf8');
    putNumber(array, at, bytes);
    at += 4 + Math.max(bytes, 0);
  }
  return array;
}

/** A `text[]` for each of these members of some rows. */
export function textsOf<const Name extends string>(
  rows: readonly { readonly [name in Name]: string | null }[],
  ...names: readonly Name[]
): readonly Buffer[] {
  return names.map((name) => textArray(rows.map((row) => row[name])));
}

const EMPTY_HEADER = 12;
const HEADER = 20;

function putNumber(bytes: Buffer, at: number, number: number): void {
  bytes[at] = number >>> 24;
  bytes[at + 1] = number >>> 16;
  bytes[at + 2] = number >>> 8;
  bytes[at + 3] = number;
}

/** A `bytea[]`, as text. */
export function bytesArray(values: readonly (Uint8Array | null)[]): string {
  const texts = values.map((value) => (value === null ? 'NULL' : `"\\\\x${value.toHex()}"`));
  return `{${texts.join()}}`;
}

/** An `int[]`, `bigint[]` or `boolean[]`, as text. */
export function numberArray(numbers: readonly (number | boolean | null)[]): string {
  return `{${numbers.map((number) => number ?? 'NULL').join()}}`;
}

/** A `bytea`. */
export function bytes(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
