/** Every field kind, as the resources declare it and by itself, for the tests that walk over all of them. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Fault, Faults } from '../../src/core/errors.ts';
import { resources } from '../../src/core/resources/index.ts';
import * as fields from '../../src/core/schema/fields/index.ts';
import type { JsonSchema, Kind } from '../../src/core/schema/fields/kind.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import { parseJsonBody } from '../../src/core/schema/json/json.ts';
import { listParams } from '../../src/core/schema/parse/parse-list.ts';
import type { Json, JsonObject } from '../../src/core/schema/values.ts';

export interface NamedKind {
  readonly name: string;
  readonly kind: Kind<unknown>;
}

type Factory = Exclude<keyof typeof fields, 'required' | 'optional' | 'personal'>;

/** By the function that makes them: a kind that is missing here does not compile. */
const byFactory: Readonly<Record<Factory, readonly Kind<unknown>[]>> = {
  boolean: [fields.boolean()],
  wish: [fields.wish()],
  choice: [fields.choice('USD'), fields.choice('small', 'LARGE', 'großer Saal')],
  content: [fields.content({ maxBytes: 10_240 }), fields.content({ maxBytes: 300 })],
  textMap: [fields.textMap({ maxBytes: 200 })],
  date: [fields.date(), fields.date({ past: true })],
  datetime: [fields.datetime()],
  jpgUrl: [fields.jpgUrl()],
  list: [
    fields.list(fields.jpgUrl(), { min: 1, max: 10 }),
    fields.list(fields.usPhone(), { min: 0, max: 2 }),
    fields.list(fields.object({ name: fields.required(fields.text(), 'Name') }), {
      min: 2,
      max: 3,
    }),
  ],
  money: [fields.money({ currency: 'currency' })],
  object: [
    fields.object({
      needed: fields.required(fields.text({ max: 5 }), 'Needed'),
      number: fields.optional(fields.wholeNumber(), 'Number'),
      inner: fields.optional(
        fields.object({ day: fields.optional(fields.date(), 'Day') }),
        'Inner object',
      ),
    }),
    fields.object(
      {
        whenever: fields.optional(fields.wholeNumber(), 'Whenever'),
        needed: fields.optional(fields.choice('USD'), 'Needed'),
      },
      { needs: { whenever: 'needed' } },
    ),
  ],
  phone: [fields.phone()],
  email: [fields.email()],
  text: [fields.text(), fields.text({ max: 3 }), fields.text({ maxBytes: 64 })],
  timeZone: [fields.timeZone()],
  usPhone: [fields.usPhone()],
  wholeNumber: [fields.wholeNumber(), fields.wholeNumber({ min: 1, max: 1000 })],
};

/** Every kind by itself. */
export const singleKinds: readonly NamedKind[] = Object.entries(byFactory).flatMap(
  ([name, kinds]) => kinds.map((kind, index) => ({ name: `${name} ${index + 1}`, kind })),
);

/** Every kind as a resource or a list declares it, members of objects included. */
export const declaredKinds: readonly NamedKind[] = [
  ...resources.flatMap(({ path, params }) => kindsOf(path, params)),
  ...resources.flatMap((one) => kindsOf(`list of ${one.path}`, listParams(one))),
];

function kindsOf(prefix: string, members: Members): NamedKind[] {
  return Object.entries(members).flatMap(([name, { kind }]) => [
    { name: `${prefix}.${name}`, kind },
    ...kindsOf(`${prefix}.${name}`, kind.members ?? {}),
  ]);
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
addFormats.default(ajv);
// What the document says to generators alone.
ajv.addVocabulary(['x-enum-varnames']);
const validators = new Map<string, ValidateFunction>();

/** The validator of a JSON Schema, made from the text in which a reader gets it. */
export function validatorOf(schema: JsonSchema): ValidateFunction {
  return validators.getOrInsertComputed(JSON.stringify(schema), (text) =>
    ajv.compile(JSON.parse(text)),
  );
}

export interface FieldReading {
  readonly read: Json | undefined;
  readonly faults: readonly Fault[];
}

/** What a member `field` of that kind makes of a token in a JSON body. */
export function readField(kind: Kind<unknown>, token: string): FieldReading {
  const faults = new Faults();
  const body = parseJsonBody(Buffer.from(`{"field":${token}}`), faults) as JsonObject;
  const reading = { encoding: 'json', faults, unknown: 'refuse' } as const;
  return { read: kind.read(body.field as Json, 'field', reading), faults: faults.named };
}
