/** A form that is written by the rules of the OpenAPI document says what the same body says as JSON. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openapiDocument } from '../../scripts/openapi/document.ts';
import { resources } from '../../src/core/resources/index.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import { equalJson, stringify } from '../../src/core/schema/json/json.ts';
import {
  type Params,
  parsePatch,
  parseUpsert,
  readerOf,
} from '../../src/core/schema/parse/parse.ts';
import { isObject, isRawNumber, type Json, type JsonObject } from '../../src/core/schema/values.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import type { Body } from '../support/service.ts';

const document: Body = JSON.parse(
  JSON.stringify(openapiDocument(resources, 'https://records.example.com')),
);
const follow = (schema: Body): Body =>
  schema.$ref === undefined
    ? schema
    : document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];

/** Every operation that takes a form. */
const taking: readonly Body[] = Object.values<Body>(document.paths)
  .flatMap((item) => Object.values<Body>(item))
  .filter(({ requestBody }) => requestBody?.content['application/x-www-form-urlencoded']);

interface Written {
  readonly schema: Body;
  readonly encoding?: Readonly<Record<string, { style?: string; explode?: boolean }>>;
}

/** Writes the form as OpenAPI says: by the style of each property, which is `form` and explodes where nothing is said. */
function formOf({ schema, encoding = {} }: Written, body: JsonObject): string {
  const names = Object.keys(follow(schema).properties);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    // The brackets of an array are part of its name, and of no rule.
    const named = names.find((one) => one === name || one === `${name}[]`);
    assert.ok(named, `the form of ${names} has no ${name}`);
    const { style = 'form', explode = style === 'form' } = encoding[named] ?? {};
    assert.ok(explode, `${named} is written in one piece`);
    if (Array.isArray(value)) {
      assert.equal(style, 'form', `OpenAPI has no ${style} of an array: ${named}`);
      for (const one of value) form.append(named, textOf(one));
    } else if (isObject(value)) {
      assert.equal(style, 'deepObject', `the members of ${named} lose its name`);
      for (const [member, one] of Object.entries(value)) append(form, `${named}[${member}]`, one);
    } else form.append(named, textOf(value));
  }
  return form.toString();
}

/** What OpenAPI leaves open, within an object, the body's description says: brackets. */
function append(form: URLSearchParams, name: string, value: Json): void {
  if (Array.isArray(value))
    for (const [index, one] of value.entries()) append(form, `${name}[${index}]`, one);
  else if (isObject(value))
    for (const [member, one] of Object.entries(value)) append(form, `${name}[${member}]`, one);
  else form.append(name, textOf(value));
}

function textOf(value: Json): string {
  return value === null ? '' : isRawNumber(value) ? stringify(value) : String(value);
}

/** Whether a form can say it: in free-form content it has no null, and nowhere what is empty. */
function isSayable(value: Json, inside = false): boolean {
  if (value === null) return !inside;
  if (typeof value !== 'object' || isRawNumber(value)) return true;
  const within = Object.values(value);
  return within.length > 0 && within.every((one) => isSayable(one as Json, true));
}

/** The required members with one of the others at a time, in each way that its kind says it takes. */
function bodiesOf(members: Members, least: JsonObject): readonly JsonObject[] {
  const each = Object.entries(members).flatMap(([name, { kind, required }]) => [
    ...kind.samples().accepted.map(({ send }) => ({ ...least, [name]: send })),
    ...(required || kind.schema.type === 'array' ? [] : [{ ...least, [name]: null }]),
  ]);
  return [least, ...each].filter((body) => Object.values(body).every((one) => isSayable(one)));
}

function leastOf(members: Members): JsonObject {
  const needed = Object.entries(members).filter(
    ([, { required, omittable }]) => required && omittable !== true,
  );
  return Object.fromEntries(
    needed.map(([name, { kind, example }]) => [
      name,
      example ?? kind.samples().accepted.find(({ send }) => isSayable(send))?.send ?? null,
    ]),
  );
}

/** As a form has it: numbers and booleans within free-form content are texts there. */
function textual(value: unknown): JsonObject {
  return JSON.parse(stringify(value as JsonObject), (_key, one) =>
    typeof one === 'object' ? one : String(one),
  ) as JsonObject;
}

interface Taken {
  readonly name: string;
  readonly bodies: readonly JsonObject[];
  readonly read: (params: Params) => unknown;
}

const ofRecords: readonly Taken[] = resources
  .filter(({ parent }) => parent !== undefined)
  .flatMap((resource) => {
    const { upsert, patch, parentParam = '', params } = resource;
    const { operationId: upserting } = document.paths[`/v1/${resource.path}/upsert`].post;
    const { operationId: patching } =
      document.paths[`/v1/${resource.path}/{unique_identifier}`].patch;
    const { operationId: byPair } = document.paths[`/v1/${resource.path}`].patch;
    const least = { ...leastOf(upsert), [parentParam]: 'x', external_identifier: 'x' };
    const fields = Object.fromEntries(Object.entries(patch).filter(([name]) => name in params));
    const reads = (params: Params) => parsePatch(resource, params, false).patch;
    return [
      {
        name: upserting,
        bodies: bodiesOf(params, least),
        read: (params) => parseUpsert(resource, params).patch,
      },
      ...[patching, byPair].map((name) => ({ name, bodies: bodiesOf(fields, {}), read: reads })),
    ] satisfies Taken[];
  });

const others: readonly Taken[] = operationsOf(resources).flatMap(({ name, body }) =>
  body === undefined
    ? []
    : [
        {
          name,
          bodies: bodiesOf(body, leastOf(body)),
          read: (params) => readerOf({ body }, params)(),
        },
      ],
);

const restores = resources
  .filter(({ parent }) => parent !== undefined)
  .map(({ name }) => `restore_${name}`);

describe('a form by the rules of the document', () => {
  const all = new Map([...ofRecords, ...others].map((one) => [one.name, one]));

  it('is tried of every operation that takes one', () => {
    const untried = taking.map(({ operationId }) => operationId).filter((name) => !all.has(name));
    // Their one member is a number.
    assert.deepEqual(untried.toSorted(), restores.toSorted());
  });

  for (const operation of taking) {
    const tried = all.get(operation.operationId);
    if (tried === undefined) continue;
    it(`${operation.operationId} reads as the same values as JSON`, () => {
      const written: Written = operation.requestBody.content['application/x-www-form-urlencoded'];
      assert.ok(tried.bodies.length > 0);
      for (const body of tried.bodies) {
        const form = formOf(written, body);
        const read = (encoding: 'json' | 'form', text: string): JsonObject =>
          textual(tried.read({ encoding, body: Buffer.from(text), query: '', unknown: 'refuse' }));
        const byJson = read('json', stringify(body));
        const byForm = read('form', form);
        assert.ok(
          equalJson(byJson, byForm),
          `${form}: ${stringify(byJson)} and ${stringify(byForm)}`,
        );
      }
    });
  }

  it('names exactly what JSON names, but for the brackets of arrays', () => {
    for (const { operationId, requestBody } of taking) {
      const { content } = requestBody;
      const named = ([type = '']: readonly string[]) =>
        Object.keys(follow(content[type].schema).properties);
      assert.deepEqual(
        named(['application/x-www-form-urlencoded']).map((name) => name.replace(/\[\]$/, '')),
        named(['application/json']),
        operationId,
      );
    }
  });
});
