/** The interface of every field kind: turns a sent value into a stored one, or a fault. */
import type { ErrorCode, Faults } from '../../errors.ts';
import { FormGroup, type FormNode } from '../form/form.ts';
import type { Shape } from '../shape.ts';
import { isRawNumber, type Json } from '../values.ts';

/** A value as it arrived: from JSON; from a form, which has only text and groups; or from the cells of a table, which hold text or JSON. */
export type InputValue = Json | FormNode;

/** How a body is read. */
export interface BodyReading {
  readonly encoding: 'json' | 'form' | 'cells';
  readonly faults: Faults;
  readonly unknown: 'refuse' | 'ignore';
  /** The message for a name that is a parameter elsewhere and not one here. */
  readonly elsewhere?: (at: string) => string | undefined;
  /** The parameter that was sent and cannot stand beside the one of that name. */
  readonly rivalOf?: (name: string) => string | undefined;
  /** An upper bound on the bytes of any sent value as compact JSON, if known. */
  readonly most?: number;
  /** When required members are required, in words about the whole body; `in every upsert` if left out. */
  readonly always?: string;
}

/** A JSON Schema (draft 2020-12), as plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Values that show, and prove, what a kind accepts and refuses: tests, documentation and examples draw on them. */
export interface Samples {
  readonly accepted: readonly {
    readonly send: Json;
    /** The value that is stored and answered; the very value that was sent where left out. */
    readonly stored?: Json;
  }[];
  readonly refused: readonly {
    readonly send: Json;
    readonly code: ErrorCode;
    /** Why JSON Schema cannot say this, where it cannot. */
    readonly beyondSchema?: string;
  }[];
}

/** Samples that are refused with this code, and why JSON Schema cannot say so, where it cannot. */
export function refusals(
  code: ErrorCode,
  sends: readonly Json[],
  beyondSchema?: string,
): Samples['refused'] {
  return sends.map((send) => ({ send, code, ...(beyondSchema && { beyondSchema }) }));
}

export interface Kind<T> {
  /** The name of the kind in the reference documentation. */
  readonly name: string;
  /** How long, large or many its values may be, in words for the reference. */
  readonly limit?: string;
  /** How a store merges the value; `param` is the dotted path to name in faults. */
  shape(param: string): Shape;
  /** Whether `""` removes the value in JSON too, and not in forms alone (decisions, "Merge"). */
  readonly scalar: boolean;
  /** Whether stored texts sort like their meaning, so that records can be found by a range of them. */
  readonly ordered?: boolean;
  /**
   * The stored value, or `undefined` after adding to `reading.faults` what is
   * wrong with the value at `at`, a dotted path.
   */
  read(sent: InputValue, at: string, reading: BodyReading): Stored<T> | undefined;
  readonly schema: JsonSchema;
  readonly shown: JsonSchema;
  readonly samples: () => Samples;
  readonly members?: Readonly<Record<string, Field>>;
  /** The member that names the currency, beside money in cents. */
  readonly currency?: string;
  /** The kind as a PATCH reads it, where that is another one: what a value requires may be stored. */
  readonly patched?: Kind<unknown>;
}

/** A kind's values as JSON; the type parameter is for the static types alone. */
export type Stored<T> = Json & { readonly __type?: T };

/** A declared member of a body: its kind, and what is said about it. */
export interface Field<T = unknown, R extends boolean = boolean> {
  readonly kind: Kind<T>;
  /** Never null or empty, and never left out unless it is `omittable`. */
  readonly required: R;
  /** May be left out though it is required: something else says the same, or it stays as it is. */
  readonly omittable?: boolean;
  /** For the reference: one phrase, without a full stop. */
  readonly says: string;
  /** For examples: a likely value, where no sample of the kind is one. */
  readonly example?: Json;
  /** Whether it says something of a person; its members do, too. */
  readonly personal?: true;
  /** Another spelling of a parameter or header: it is taken, and OpenAPI and the client have that one alone. */
  readonly spelling?: true;
}

export function required<T>(kind: Kind<T>, says: string, example?: Json): Field<T, true> {
  return { kind, required: true, says, ...(example === undefined ? {} : { example }) };
}

export function optional<T>(kind: Kind<T>, says: string, example?: Json): Field<T, false> {
  return { kind, required: false, says, ...(example === undefined ? {} : { example }) };
}

/** Makes fields that say something of a person. */
export const personal = {
  required: <T>(...said: Parameters<typeof required<T>>) =>
    ({ ...required(...said), personal: true }) as const,
  optional: <T>(...said: Parameters<typeof optional<T>>) =>
    ({ ...optional(...said), personal: true }) as const,
};

/** A value in words, for messages: its type, never its content. */
export function describe(sent: InputValue): string {
  if (sent === null) return 'null';
  if (Array.isArray(sent)) return 'an array';
  if (sent instanceof FormGroup) return sent.pushed.length > 0 ? 'an array' : 'an object';
  if (isRawNumber(sent)) return 'a number';
  return typeof sent === 'object' ? 'an object' : `a ${typeof sent}`;
}

/** Adds `type_invalid` and gives `undefined`, so that a kind can return it. */
export function wrongType(
  sent: InputValue,
  at: string,
  wanted: string,
  reading: BodyReading,
): undefined {
  const said = () => {
    // Languages whose objects and arrays are one thing, such as PHP, write `[]` for both.
    const isEmpty = wanted === 'an object' && Array.isArray(sent) && sent.length === 0;
    const how = isEmpty ? ' An empty object is {}.' : '';
    return `${at} must be ${wanted}, but ${describe(sent)} was sent.${how}`;
  };
  return refuse(reading, at, 'type_invalid', said);
}

/** Adds `type_invalid` for what is neither an array nor an object, as wanted, with how a form sends one. */
export function refuseSingle(
  sent: InputValue,
  at: string,
  wanted: 'an array' | 'an object',
  reading: BodyReading,
): undefined {
  if (reading.encoding !== 'form') return wrongType(sent, at, wanted, reading);
  const how =
    wanted === 'an object'
      ? `member as ${at}[name]=….`
      : `element as ${at}[]=… or with its index, ${at}[0]=….`;
  return refuse(reading, at, 'type_invalid', `${at} must be ${wanted}: send each ${how}`);
}

/** Adds a fault and gives `undefined`, so that a kind can return it. */
export function refuse(
  reading: BodyReading,
  at: string,
  code: ErrorCode,
  said?: Parameters<Faults['add']>[2],
): undefined {
  reading.faults.add(at, code, said);
  return undefined;
}
