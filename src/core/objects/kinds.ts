/**
 * Kinds of values of our own objects, in addition to those of `schema/fields/`: how each is stored, and how it is
 * shown.
 */
import type { JsonSchema } from '../schema/fields/kind.ts';
import { presentTime } from '../schema/present/present.ts';
import type { Json } from '../schema/values.ts';

/** How a column is shown in JSON: bytes as hexadecimal digits, flags as booleans, lists of texts as arrays. */
export type ColumnKind = 'text' | 'number' | 'bytes' | 'flag' | 'texts';

export interface OwnKind<T> {
  readonly column: ColumnKind;
  /** Whether the text of the column is JSON. */
  readonly isJson?: true;
  readonly shown: JsonSchema;
  /** What is shown, where that is not what is stored. */
  present?(value: T): Json;
  /** What identifiers begin with. */
  readonly prefix?: string;
}

const TEXT: JsonSchema = { type: 'string' };

export function identifier(prefix: string): OwnKind<string> {
  return { column: 'text', shown: TEXT, prefix };
}

export function identifiers(prefix: string): OwnKind<readonly string[]> {
  return { ...texts(), prefix };
}

export function texts<T extends string>(): OwnKind<readonly T[]> {
  return { column: 'texts', shown: { type: 'array', items: TEXT } };
}

export function number(): OwnKind<number> {
  return { column: 'number', shown: { type: 'number' } };
}

/** Milliseconds since 1970, shown in UTC. */
export function time(): OwnKind<number> {
  return {
    column: 'number',
    shown: { type: 'string', format: 'date-time' },
    present: presentTime,
  };
}

/** Never shown. */
export function bytes(): OwnKind<Uint8Array> {
  return { column: 'bytes', shown: {} };
}

/** A whole number, 0 or more. */
export function count(): OwnKind<number> {
  return { column: 'number', shown: { type: 'integer', minimum: 0 } };
}

/** One of these texts. Later versions may have others, so generated code takes any. */
export function openChoice<const T extends string>(...choices: readonly T[]): OwnKind<T> {
  return { column: 'text', shown: { anyOf: [{ ...TEXT, enum: choices }, TEXT] } };
}

/** Stored as JSON in one column. */
export function json<T>(shown: JsonSchema = {}): OwnKind<T> {
  return { column: 'text', isJson: true, shown };
}
