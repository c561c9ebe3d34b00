/** Documented objects: members of their own kinds, merged one by one. */
import { Faults } from '../../errors.ts';
import { FormGroup } from '../form/form.ts';
import { IN_CENTS, isCents } from '../money.ts';
import type { ObjectShape, Shape } from '../shape.ts';
import { isObject, type Json } from '../values.ts';
import {
  type BodyReading,
  type Field,
  type InputValue,
  type JsonSchema,
  type Kind,
  refusals,
  refuseSingle,
  type Samples,
} from './kind.ts';
import {
  type InputObject,
  isEmptied,
  type Members,
  memberOf,
  patched,
  readMembers,
} from './members.ts';

interface ObjectRules<M extends Members> {
  /** Members that must be sent, and stay, whenever another one is there: `{ whenever: needed }`. */
  readonly needs?: { readonly [whenever in keyof M]?: keyof M & string };
  /** Pairs of members that sort as text, `{ first: last }`: the first never comes after the last. */
  readonly orders?: { readonly [first in keyof M]?: keyof M & string };
}

export function object<M extends Members>(
  members: M,
  rules: ObjectRules<M> = {},
): Kind<ParamsOf<M>> {
  const needs = [...Object.entries(rules.needs ?? {}), ...currenciesOf(members)] as [
    string,
    string,
  ][];
  const orders = Object.entries(rules.orders ?? {}) as [string, string][];
  const shape = (param: string) => shapeOf(members, needs, orders, param);
  // What a PATCH requires is judged once it is merged, by the same shape.
  return {
    ...kindOf<ParamsOf<M>>(members, needs, shape),
    patched: kindOf(patched(members), [], shape),
  };
}

/** Amounts of money, each with the member that names its currency. */
function currenciesOf(members: Members): [string, string][] {
  return Object.entries(members).flatMap(([name, { kind }]) => {
    if (kind.currency === undefined) return [];
    if (!isCents(name) || !Object.hasOwn(members, kind.currency))
      throw new TypeError(
        `${name} is money: its name ends with ${IN_CENTS}, and ${kind.currency} stands beside it.`,
      );
    return [[name, kind.currency]];
  });
}

function kindOf<T>(
  members: Members,
  needs: readonly [string, string][],
  shape: Kind<T>['shape'],
): Kind<T> {
  return {
    name: 'object',
    shape,
    scalar: false,
    read: (sent, at, reading) => {
      const source = readSource(sent, at, reading);
      if (source === undefined) return undefined;
      const before = reading.faults.count;
      const patch = readMembers(members, source, `${at}.`, reading);
      for (const [whenever, needed] of needs) {
        // Checked even if the value has faults: all faults are reported at once.
        const isSent = (name: string): boolean => {
          const value = memberOf(source, name);
          return value !== undefined && !isEmptied(members[name] as Field, value, reading);
        };
        if (isSent(whenever) && !isSent(needed)) {
          const message = `${at}.${needed} must be sent whenever ${at}.${whenever} is.`;
          reading.faults.add(`${at}.${needed}`, 'parameter_missing', message);
        }
      }
      return reading.faults.count === before ? patch : undefined;
    },
    schema: { ...objectSchema(members), ...needsSchema(needs) },
    shown: shownSchema(members),
    samples: () => samplesOf(members),
    members,
  };
}

/** The JSON Schema of an object with these members, as it is sent. */
export function objectSchema(members: Members): JsonSchema {
  const required = Object.keys(members).filter(
    (name) => members[name]?.required === true && members[name].omittable !== true,
  );
  return {
    type: 'object',
    properties: mapMembers(members, (field) => sentSchema(field)),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** The JSON Schema of an object with these members, as it is answered: optional ones may be absent. */
export function shownSchema(members: Members): JsonSchema {
  const required = Object.keys(members).filter((name) => members[name]?.required);
  return {
    type: 'object',
    properties: mapMembers(members, (field) => ({ ...field.kind.shown, description: field.says })),
    ...(required.length === 0 ? {} : { required }),
    // Types made of it would take no member otherwise, and it may gain some.
    ...(Object.keys(members).length === 0 ? { additionalProperties: true } : {}),
  };
}

/**
 * One character that is not Unicode White_Space. They are named by escapes: generators write patterns into
 * programs as they are, and a line ends at some of these. `\P{White_Space}` is read by ECMAScript alone, and only with
 * a flag, and `\S` means something else in each language.
 */
const NOT_BLANK = String.raw`[^\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;

/** Optional values may also be sent as `null`, and scalar ones as `""`, to remove what is stored. */
function sentSchema({ kind: { schema, scalar }, required, says }: Field): JsonSchema {
  if (required) {
    // Blank is missing, for a text that is required.
    return { ...schema, ...(isAnyText(schema) ? { pattern: NOT_BLANK } : {}), description: says };
  }
  if (isAnyText(schema)) return { ...schema, type: ['string', 'null'], description: says };
  const emptied = scalar ? [{ type: 'null' }, { type: 'string', const: '' }] : [{ type: 'null' }];
  return { anyOf: [schema, ...emptied], description: says };
}

/** Whether it takes texts without looking at what they say. */
function isAnyText(schema: JsonSchema): boolean {
  return schema.type === 'string' && !['pattern', 'const', 'enum'].some((word) => word in schema);
}

function needsSchema(needs: readonly [string, string][]): JsonSchema {
  // Some generators cannot read null in an enum.
  const set = { not: { anyOf: [{ type: 'null' }, { const: '' }] } };
  const [first, ...others] = needs.map(([whenever, needed]) => ({
    if: { required: [whenever], properties: { [whenever]: set } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: [needed], properties: { [needed]: set } },
  }));
  return others.length === 0 ? { ...first } : { allOf: [first, ...others] };
}

/** The shapes of members; their dotted paths begin with `prefix`. */
export function shapesOf(members: Members, prefix = ''): Map<string, Shape> {
  const entries = Object.entries(members);
  return new Map(entries.map(([name, { kind }]) => [name, kind.shape(prefix + name)]));
}

function shapeOf(
  members: Members,
  needs: readonly [string, string][],
  orders: readonly [string, string][],
  param: string,
): ObjectShape {
  return {
    is: 'object',
    members: shapesOf(members, `${param}.`),
    stays: false,
    needs: [
      ...Object.keys(members)
        .filter((name) => members[name]?.required)
        .map((needed) => ({ whenever: undefined, needed, param: `${param}.${needed}` })),
      ...needs.map(([whenever, needed]) => ({ whenever, needed, param: `${param}.${needed}` })),
    ],
    orders: orders.map(([first, last]) => ({ first, last, param: `${param}.${last}` })),
  };
}

function readSource(sent: InputValue, at: string, reading: BodyReading): InputObject | undefined {
  if (sent instanceof FormGroup && sent.pushed.length === 0) return sent;
  return !(sent instanceof FormGroup) && isObject(sent)
    ? sent
    : refuseSingle(sent, at, 'an object', reading);
}

function samplesOf(members: Members): Samples {
  const full = mapMembers(members, (field) => sampleOf(field).send);
  const stored = mapMembers(members, (field) => sampleOf(field).stored);
  return {
    accepted: [{ send: full, stored }],
    refused: [
      ...refusals('parameter_unknown', [{ ...full, not_a_member: 'x' }]),
      ...refusals('type_invalid', [[], 'x']),
    ],
  };
}

/** Its own example, where it has one. */
function sampleOf({ kind, example }: Field): { readonly send: Json; readonly stored: Json } {
  const [first] = kind.samples().accepted;
  const send = example ?? first?.send ?? null;
  if (example === undefined) return { send, stored: first?.stored ?? send };
  const read = kind.scalar
    ? kind.read(example, '', { encoding: 'json', faults: new Faults(), unknown: 'refuse' })
    : example;
  return { send, stored: read as Json };
}

function mapMembers<T>(members: Members, map: (field: Field) => T): { [name: string]: T } {
  return Object.fromEntries(Object.entries(members).map(([name, field]) => [name, map(field)]));
}

type ValueOf<K> = K extends Kind<infer T> ? T : never;

type RequiredNames<M extends Members> = {
  [N in keyof M]: M[N] extends Field<unknown, true> ? N : never;
}[keyof M];

/** The JSON body of an upsert with these members: `null` removes an optional member. */
export type ParamsOf<M extends Members> = {
  [N in RequiredNames<M>]: ValueOf<M[N]['kind']>;
} & {
  [N in Exclude<keyof M, RequiredNames<M>>]?: ValueOf<M[N]['kind']> | null;
};
