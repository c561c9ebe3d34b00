/**
 * Examples of requests and answers, drawn from the samples of the field kinds. Every answer is made as the service
 * makes it: the example of the request is parsed, merged and presented.
 */
import { hash } from 'node:crypto';
import { ancestorsOf, type Resource } from '../../../src/core/schema/define.ts';
import type { Field } from '../../../src/core/schema/fields/kind.ts';
import type { Members } from '../../../src/core/schema/fields/members.ts';
import { encode128 } from '../../../src/core/schema/id.ts';
import { stringify } from '../../../src/core/schema/json/json.ts';
import { merge } from '../../../src/core/schema/merge/merge.ts';
import { type Params, parseUpsert } from '../../../src/core/schema/parse/parse.ts';
import {
  type Presentable,
  presentEntry,
  presentList,
  presentOne,
  presentRecord,
  presentRemoved,
} from '../../../src/core/schema/present/present.ts';
import { externalOf, identifierOf } from '../../../src/core/schema/reference.ts';
import type { Json, JsonObject } from '../../../src/core/schema/values.ts';
import { formFields } from './form-fields.ts';

const INSERTED_AT = Date.parse('2026-11-20T14:30:00Z');
const UPDATED_AT = Date.parse('2026-11-21T09:15:42Z');

/** The unique identifier that stands for a resource in every example. */
export function exampleIdentifier({ prefix }: Pick<Resource, 'prefix'>): string {
  const digest = hash('sha256', prefix, 'buffer');
  // The first bits are a time, as in identifiers that are really given.
  const time = Math.floor(INSERTED_AT / 65_536);
  return (
    prefix + encode128(time, digest.readUInt32BE(0), digest.readUInt32BE(4), digest.readUInt32BE(8))
  );
}

/** An upsert with every parameter, or with the required ones alone. */
export function exampleRequest(resource: Resource, which: 'full' | 'least'): JsonObject {
  const body = exampleMembers(resource.params, which);
  if (resource.parent !== undefined && resource.parentParam !== undefined) {
    body[resource.parentParam] = exampleIdentifier(resource.parent);
    body.external_identifier = externalIdentifier(resource);
  }
  return body;
}

function externalIdentifier({ name }: Resource): string {
  return `${name.replaceAll('_', '-')}-1041`;
}

/** The full example of `expand[]=identifiers`. */
export function exampleIdentifiers(resource: Resource): JsonObject {
  return {
    unique_identifier: exampleIdentifier(resource),
    external_identifier: externalIdentifier(resource),
    ...exampleNames(resource),
  };
}

/** Examples of every parameter that names the parent. */
export function exampleNames({ parent }: Resource): JsonObject {
  if (parent === undefined) return {};
  const names: JsonObject = { [identifierOf(parent)]: exampleIdentifier(parent) };
  if (parent.parent === undefined) return names;
  return { ...names, [externalOf(parent)]: externalIdentifier(parent), ...exampleNames(parent) };
}

/** The answer to the full example; of one that was sent as a form, the values in free-form content are texts. */
export function exampleAnswer(
  resource: Resource,
  encoding: Params['encoding'] = 'json',
): JsonObject {
  return JSON.parse(presentRecord(resource, exampleRecord(resource, encoding)));
}

/** An example of a PATCH: the first field. */
export function exampleChange({ fields, public_data = {} }: Resource): JsonObject {
  const [first] = Object.entries({ ...fields, ...public_data });
  return first === undefined ? {} : { [first[0]]: exampleValue(first[1], 'full') };
}

/** The answer to the removal of the full example. */
export function exampleRemoved(resource: Resource): JsonObject {
  return JSON.parse(presentRemoved(resource, exampleIdentifier(resource)));
}

/** The answer to a read of the full example. */
export function exampleOne(resource: Resource): JsonObject {
  return JSON.parse(presentOne(resource, exampleRecord(resource)));
}

/** The full example as an entry of a list. */
export function exampleEntry(resource: Resource): JsonObject {
  return JSON.parse(presentEntry(resource, exampleRecord(resource)));
}

/** A list of one record: the full example. */
export function exampleList(resource: Resource): JsonObject {
  const entry = presentEntry(resource, exampleRecord(resource));
  return JSON.parse([...presentList(resource, [entry], false)].join(''));
}

function exampleMembers(members: Members, which: 'full' | 'least'): JsonObject {
  const example: JsonObject = {};
  for (const [name, field] of Object.entries(members)) {
    if (which === 'full' || field.required) example[name] = exampleValue(field, which);
  }
  return example;
}

function exampleValue({ kind, says, example }: Field, which: 'full' | 'least'): Json {
  if (example !== undefined) return example;
  if (kind.members !== undefined) return exampleMembers(kind.members, which);
  // A text can be anything: what it means says more than a sample that is the same everywhere.
  return kind.name === 'text' ? says : (kind.samples().accepted[0]?.send ?? null);
}

function encodedForm(body: JsonObject): string {
  return new URLSearchParams(formFields(body)).toString();
}

function exampleRecord(resource: Resource, encoding: Params['encoding'] = 'json'): Presentable {
  const request = exampleRequest(resource, 'full');
  const { parent } = resource;
  const patch =
    parent === undefined
      ? request
      : parseUpsert(resource, {
          encoding,
          body: Buffer.from(encoding === 'json' ? stringify(request) : encodedForm(request)),
          query: '',
          unknown: 'refuse',
        }).patch;
  const { document = {} } = merge(resource.shape.document, undefined, patch);
  const ancestors = ancestorsOf(resource);
  const anchor = ancestors.find((one) => one.anchor);
  return {
    unique_identifier: exampleIdentifier(resource),
    account: exampleIdentifier(ancestors.at(-1) ?? resource),
    anchor: anchor === undefined ? null : exampleIdentifier(anchor),
    external_identifier: parent === undefined ? null : (request.external_identifier as string),
    document: stringify(document),
    inserted_at: INSERTED_AT,
    updated_at: UPDATED_AT,
  };
}
