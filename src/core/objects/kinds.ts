/**
 * Kinds of values of our own objects, in addition to those of `schema/fields/`, with their stored and their shown form.
 */
import type { JsonSchema } from '../schema/fields/kind.ts';
import { presentTime } from '../schema/present/present.ts';
import type { Json } from '../schema/values.ts';

/** How a column is shown in JSON: bytes as hexadecimal digits, flags as booleans, lists of texts as arrays. */
export type ColumnKind = 'text' | 'number' | 'bytes' | 'flag' | 'texts';

export interface OwnKind<T> {
  readonly column: ColumnKind;
  readonly isJson?: true;
  readonly isSum?: true;
  readonly isReal?: true;
  /** All texts that the column may have, where it has one of some. */
  readonly words?: readonly string[];
  /** The text of a column that is part of a key, where the value is `null`. */
  readonly blank?: '';
  /** Its JSON Schema; `resources` are the names of all, parents before children. */
  readonly shown: JsonSchema | ((resources: readonly string[]) => JsonSchema);
  /** The shown value, if it differs from the stored one. */
  present?(value: T): Json;
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
  return { column: 'number', isReal: true, shown: { type: 'number' } };
}

export function flag(): OwnKind<boolean> {
  return { column: 'flag', shown: { type: 'boolean' } };
}

/** Milliseconds since 1970, shown in UTC. */
export function time(): OwnKind<number> {
  return { column: 'number', shown: { type: 'string', format: 'date-time' }, present: presentTime };
}

/** A time with its milliseconds. */
export function instant(): OwnKind<number> {
  return { ...time(), present: (at) => new Date(at).toISOString() };
}

/** Stored as an empty text where it is `null`: its column is part of a key. */
export function blankable<T>(kind: OwnKind<T>): OwnKind<T | null> {
  return { ...(kind as OwnKind<T | null>), blank: '' };
}

/** Never shown. */
export function bytes(): OwnKind<Uint8Array> {
  return { column: 'bytes', shown: {} };
}

/** A checksum of the other columns, which detects what a disk or memory changes; `null`: none is known. */
export function checksum(): OwnKind<number | null> {
  return { column: 'number', isSum: true, shown: {} };
}

export function count(minimum = 0): OwnKind<number> {
  return { column: 'number', shown: { type: 'integer', minimum } };
}

/** One of these texts. Later versions may have others, so generated code takes any. */
export function openChoice<const T extends string>(...choices: readonly T[]): OwnKind<T> {
  return { column: 'text', words: choices, shown: anyOf(choices) };
}

/** The name of a resource: of all, or from that place in their list on. */
export function resourceName(from = 0): OwnKind<string> {
  return { column: 'text', shown: (resources) => anyOf(resources.slice(from)) };
}

function anyOf(choices: readonly string[]): JsonSchema {
  return { anyOf: [{ ...TEXT, enum: choices }, TEXT] };
}

/** Texts that are stored as JSON in one column. */
export function jsonTexts(): OwnKind<readonly string[]> {
  return json(texts().shown as JsonSchema);
}

/** Numbers by the names of what they count. */
export function counts(): OwnKind<Readonly<Record<string, number>>> {
  return json({ type: 'object', additionalProperties: { type: 'integer' } });
}

/** Stored as JSON in one column. */
export function json<T>(shown: JsonSchema = {}): OwnKind<T> {
  return { column: 'text', isJson: true, shown };
}
