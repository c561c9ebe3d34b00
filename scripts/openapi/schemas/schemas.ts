/** The schemas of requests and responses, from a resource's declaration. */
import {
  expandableOf,
  IDENTIFIERS,
  identifierNames,
  SOURCE,
} from '../../../src/core/schema/ancestors.ts';
import type { Resource } from '../../../src/core/schema/define.ts';
import type { JsonSchema } from '../../../src/core/schema/fields/kind.ts';
import type { Members } from '../../../src/core/schema/fields/members.ts';
import { objectSchema, shownSchema } from '../../../src/core/schema/fields/object.ts';
import { MAX_TOTAL } from '../../../src/core/schema/parse/parse-list.ts';
import { combinationsOf } from '../../../src/core/schema/reference.ts';
import {
  exampleAnswer,
  exampleEntry,
  exampleIdentifier,
  exampleIdentifiers,
  exampleList,
  exampleNames,
  exampleRemoved,
  exampleRequest,
} from './examples.ts';
import { illustrated } from './illustrated.ts';
import { articled, componentName, refTo } from './names.ts';
import { listOf, objectOf, textOf, typeNamed } from './parts.ts';

/** A member of an answer; one that is not `always` there is left out where it has no value. */
interface Shown {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly always: boolean;
}

/** The components of one resource, by name. */
export function resourceSchemas(resource: Resource): Record<string, JsonSchema> {
  const name = componentName(resource);
  const sent = { ...exampleNames(resource), ...exampleRequest(resource, 'full') };
  return {
    ...(resource.parent === undefined
      ? {}
      : {
          [`${name}Upsert`]: illustrated(upsertSchema(resource), sent),
          [`${name}Patch`]: illustrated(patchSchema(resource), sent),
          [identifiersName(resource)]: illustrated(
            identifiersSchema(resource),
            exampleIdentifiers(resource),
          ),
          [`${name}Deleted`]: illustrated(deletedSchema(resource), exampleRemoved(resource)),
          [name]: illustrated(answerSchema(resource), exampleAnswer(resource)),
        }),
    ...(resource.list.entry === undefined
      ? {}
      : { [`${name}ListEntry`]: illustrated(entrySchema(resource), exampleEntry(resource)) }),
    [`${name}List`]: illustrated(listSchema(resource), exampleList(resource)),
  };
}

/** The response to a read of one record. */
export function readSchema(resource: Resource): JsonSchema {
  return expanded(resource, refTo('schemas', oneName(resource)));
}

/** The component of a record: the root has only its entry. */
export function oneName(resource: Resource): string {
  return resource.parent === undefined ? entryName(resource) : componentName(resource);
}

function entryName(resource: Resource): string {
  const name = componentName(resource);
  return resource.list.entry === undefined ? name : `${name}ListEntry`;
}

/** With what `expand[]` may add. */
function expanded(resource: Resource, object: JsonSchema): JsonSchema {
  const above = expandableOf(resource);
  if (above.length === 0) return object;
  const members = above.map((one): [string, JsonSchema] => [
    one.name,
    { ...refTo('schemas', oneName(one)), description: ASKED_FOR },
  ]);
  members.push([
    IDENTIFIERS,
    { ...refTo('schemas', identifiersName(resource)), description: ASKED_FOR },
  ]);
  members.push([SOURCE, { ...refTo('schemas', 'RecordSource'), description: ASKED_FOR }]);
  return { allOf: [object, { type: 'object', properties: Object.fromEntries(members) }] };
}

const ASKED_FOR = 'Only with `expand[]`';

const named = (says: string) => ({
  ...objectOf(`${says}; null: unknown`, {
    unique_identifier: textOf('Identifier of the source'),
    name: textOf('Its name'),
  }),
  type: ['object', 'null'],
});
const passare = { unique_identifier: exampleIdentifier({ prefix: 'src_' }), name: 'Passare' };

/** The component of the expansion `source`, of records of all resources. */
export const recordSource = illustrated(
  objectOf('The sources of a record.', {
    created_by: named('The source that made it'),
    changed_by: named('The source that changed it last'),
    pinned: listOf('The dotted names of the members that staff corrected', { type: 'string' }),
  }),
  { created_by: passare, changed_by: passare, pinned: [] },
);

function identifiersName(resource: Resource): string {
  return `${componentName(resource)}Identifiers`;
}

function identifiersSchema(resource: Resource): JsonSchema {
  const says = (name: string) =>
    name.endsWith('external_identifier')
      ? 'Your own identifier'
      : 'Identifier given by the service';
  return {
    type: 'object',
    description: `The identifiers of ${articled(resource)} and of what it belongs to.`,
    properties: Object.fromEntries(
      identifierNames(resource).map((name) => [name, textOf(says(name))]),
    ),
  };
}

function upsertSchema(resource: Resource): JsonSchema {
  const { upsert, parent } = resource;
  const description = `What an upsert of ${articled(resource)} may send.`;
  const ways = parent === undefined ? [] : combinationsOf(parent);
  if (ways.length < 2) return { ...objectSchema(upsert), description };
  // Each way to name the parent is an object of its own, whole and closed: what is put together from
  // parts that do not know each other's members, generators take for an object of anything.
  const { allNames, others } = partedBy(new Set(ways.flat()), upsert);
  return {
    description: `${description} The parent is named in exactly one way.`,
    oneOf: ways.map((names) => {
      const way = objectSchema({ ...needed(allNames, names), ...others });
      const foreign = Object.keys(allNames).filter((name) => !names.includes(name));
      const never = Object.fromEntries(foreign.map((name) => [name, FORBIDDEN]));
      const properties = { ...(way.properties as object), ...never };
      return { title: `By ${names.join(', ')}`, ...way, properties };
    }),
  };
}

/**
 * A member of another way. TypeScript lets a union have members of several branches at once, unless each names those
 * that it does not have. Some generators cannot read `false`, and all read the type beside `not`.
 */
const FORBIDDEN: JsonSchema = {
  type: 'null',
  not: {},
  description: 'Another way to name the parent: omit it here',
};

/** The members that name the parent in any way, and all others. */
function partedBy(names: ReadonlySet<string>, members: Members) {
  const isName = ([name]: readonly [string, unknown]) => names.has(name);
  const all = Object.entries(members);
  return {
    allNames: Object.fromEntries(all.filter(isName)),
    others: Object.fromEntries(all.filter((member) => !isName(member))),
  };
}

/** The members of one way to name the parent: none of them may be left out. */
function needed(members: Members, names: readonly string[]): Members {
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = members[name];
      return field === undefined ? [] : [[name, { ...field, omittable: false }]];
    }),
  );
}

function patchSchema(resource: Resource): JsonSchema {
  return {
    ...objectSchema(resource.patch),
    description: `The body of a PATCH of ${articled(resource)}.`,
  };
}

function deletedSchema(resource: Resource): JsonSchema {
  return shownObject(`What is answered in place of ${articled(resource)} that was removed.`, [
    always('object', typeNamed(resource.name)),
    identifier(resource),
    always('deleted', {
      type: 'boolean',
      const: true,
      description: 'Always true: the record was removed',
    }),
  ]);
}

function answerSchema(resource: Resource): JsonSchema {
  const { name, says, homeMember } = resource;
  return shownObject(says, [
    always('object', typeNamed(name)),
    identifier(resource),
    always('external_identifier', textOf('Your own identifier')),
    ...(homeMember === undefined ? [] : [always(homeMember, textOf('Where the record belongs'))]),
    ...documentMembers(resource),
    ...TIMES,
  ]);
}

/** An entry of a list: not all of a record, and a member may have another name there. */
function entrySchema(resource: Resource): JsonSchema {
  const document = documentMembers(resource);
  const entry = Object.entries(resource.list.entry ?? {}).flatMap(([shown, member]) =>
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
    always('object', typeNamed('list')),
    always('url', textOf('The path of the list', { const: `/v1/${resource.path}` })),
    always('has_more', {
      type: 'boolean',
      description:
        'Whether there are more records in this direction. A page of large records may end before `limit`: rely on this, not on the number of records.',
    }),
    {
      name: 'total',
      schema: {
        type: 'object',
        description: 'Number of records on all pages; only with `include[]=total`',
        properties: {
          count: {
            type: 'integer',
            minimum: 0,
            maximum: MAX_TOTAL,
            description: 'How many',
            examples: [1234],
          },
          more: {
            type: 'boolean',
            description: 'Whether there are more than `count`',
            examples: [false],
          },
        },
        required: ['count', 'more'],
        examples: [{ count: 1234, more: false }],
      },
      always: false,
    },
    {
      name: 'erased',
      schema: {
        type: 'integer',
        minimum: 1,
        description:
          'Number of records that were erased at the request of people; only in lists that are limited to what the records belong to',
        examples: [1],
      },
      always: false,
    },
    always(
      'data',
      listOf('The records of this page', expanded(resource, refTo('schemas', entryName(resource)))),
    ),
  ]);
}

/** The members of responses that come from the stored document. */
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
  const pattern = `^${prefix}[0-9A-Za-z]{22}$`;
  return always(
    'unique_identifier',
    textOf('Identifier of the record, given by the service', { pattern }),
  );
}

const TIMES: readonly Shown[] = [
  always('inserted_at', textOf('When the record was created, in UTC', { format: 'date-time' })),
  always('updated_at', textOf('When the record was last changed, in UTC', { format: 'date-time' })),
];

function always(name: string, schema: JsonSchema): Shown {
  return { name, schema, always: true };
}
