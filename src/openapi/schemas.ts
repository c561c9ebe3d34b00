/** The schemas of what is sent and what is answered, from a resource's declaration. */
import type { Resource } from '../schema/define.ts';
import type { JsonSchema } from '../schema/fields/kind.ts';
import type { Members } from '../schema/fields/members.ts';
import { objectSchema, shownSchema } from '../schema/fields/object.ts';
import { articled, componentName, refTo } from './names.ts';

/** A member of an answer; one that is not `always` there is left out where it has no value. */
interface Shown {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly always: boolean;
}

/** The components of one resource, by name. */
export function resourceSchemas(resource: Resource): Record<string, JsonSchema> {
  const name = componentName(resource);
  return {
    ...(resource.parent === undefined
      ? {}
      : { [`${name}Upsert`]: upsertSchema(resource), [name]: answerSchema(resource) }),
    ...(resource.list === undefined
      ? {}
      : { [`${name}ListEntry`]: entrySchema(resource), [`${name}List`]: listSchema(resource) }),
  };
}

function upsertSchema(resource: Resource): JsonSchema {
  return {
    ...objectSchema(resource.params),
    description: `What an upsert of ${articled(resource)} may send.`,
  };
}

function answerSchema(resource: Resource): JsonSchema {
  const { name, says, homeMember } = resource;
  return shownObject(says, [
    always('object', { type: 'string', const: name, description: 'Type name of the object' }),
    identifier(resource),
    always('external_identifier', { type: 'string', description: 'Your own identifier' }),
    ...(homeMember === undefined
      ? []
      : [always(homeMember, { type: 'string', description: 'Where the record belongs' })]),
    ...documentMembers(resource),
    ...TIMES,
  ]);
}

/** What an entry of a list holds: not all of a record, and a member may have another name there. */
function entrySchema(resource: Resource): JsonSchema {
  const document = documentMembers(resource);
  const entry = Object.entries(resource.list?.entry ?? {}).flatMap(([shown, member]) =>
    document.filter(({ name }) => name === member).map((found) => ({ ...found, name: shown })),
  );
  return shownObject(`What lists show of ${articled(resource)}.`, [
    identifier(resource),
    ...entry,
    ...TIMES,
  ]);
}

function listSchema(resource: Resource): JsonSchema {
  return shownObject('One page of a list.', [
    always('object', { type: 'string', const: 'list', description: 'Type name of the object' }),
    always('url', {
      type: 'string',
      const: `/v1/${resource.path}`,
      description: 'The path of the list',
    }),
    always('has_more', {
      type: 'boolean',
      description: 'Whether there are more records in the direction of the walk',
    }),
    always('data', {
      type: 'array',
      items: refTo('schemas', `${componentName(resource)}ListEntry`),
      description: 'The records of this page; empty when there are none',
    }),
  ]);
}

/** What answers take from the stored document. */
function documentMembers({ fields, public_data }: Resource): Shown[] {
  const members = shownMembers(fields);
  if (public_data === undefined) return members;
  const description = 'More of the record; always there, empty when it holds nothing';
  return [...members, always('public_data', { ...shownSchema(public_data), description })];
}

function shownMembers(members: Members): Shown[] {
  return Object.entries(members).map(([name, { kind, required, says }]) => ({
    name,
    schema: { ...kind.shown, description: says },
    always: required,
  }));
}

function shownObject(description: string, members: readonly Shown[]): JsonSchema {
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
    required: members.filter((member) => member.always).map(({ name }) => name),
  };
}

function identifier({ prefix }: Resource): Shown {
  return always('unique_identifier', {
    type: 'string',
    pattern: `^${prefix}[0-9A-Za-z]{22}$`,
    description: 'Identifier of the record, given by the service',
  });
}

const TIMES: readonly Shown[] = [
  always('inserted_at', time('When the record was created, in UTC')),
  always('updated_at', time('When the record was last changed, in UTC')),
];

function time(description: string): JsonSchema {
  return { type: 'string', format: 'date-time', description };
}

function always(name: string, schema: JsonSchema): Shown {
  return { name, schema, always: true };
}
