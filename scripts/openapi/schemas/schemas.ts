/** The schemas of requests and responses, from a resource's declaration. */
import {
  expandableOf,
  IDENTIFIERS,
  identifierNames,
  type Resource,
  SOURCE,
  saysOf,
} from '../../../src/core/schema/define.ts';
import type { JsonSchema } from '../../../src/core/schema/fields/kind.ts';
import type { Members } from '../../../src/core/schema/fields/members.ts';
import { objectSchema, shownSchema } from '../../../src/core/schema/fields/object.ts';
import { MAX_TOTAL } from '../../../src/core/schema/parse/parse-list.ts';
import { capitalised } from '../../../src/core/schema/present/words.ts';
import { combinationsOf } from '../../../src/core/schema/reference.ts';
import type { JsonObject } from '../../../src/core/schema/values.ts';
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
import { formSchema, hasNamesOfForms } from './forms.ts';
import { illustrated } from './illustrated.ts';
import { articled, componentName, refTo } from './names.ts';
import { countOf, flagOf, listOf, objectOf, textOf, typeNamed } from './parts.ts';

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
          ...formSchemas(resource, sent),
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
    ...expandedSchemas(resource),
    [`${name}List`]: illustrated(listSchema(resource), exampleList(resource)),
  };
}

/** The bodies of writes as forms, where those have other names than JSON. */
function formSchemas(resource: Resource, sent: JsonObject): Record<string, JsonSchema> {
  const { params } = resource;
  if (!hasNamesOfForms(params)) return {};
  const name = componentName(resource);
  return {
    [`${name}UpsertForm`]: formSchema(illustrated(upsertSchema(resource), sent), params),
    [`${name}PatchForm`]: formSchema(illustrated(patchSchema(resource), sent), params),
  };
}

/** The response to a read of one record. */
export function readSchema(resource: Resource): JsonSchema {
  return expanded(resource, oneName(resource));
}

/** The component of a record: the root has only its entry. */
export function oneName(resource: Resource): string {
  return resource.parent === undefined ? entryName(resource) : componentName(resource);
}

function entryName(resource: Resource): string {
  const name = componentName(resource);
  return resource.list.entry === undefined ? name : `${name}ListEntry`;
}

/** The component with what `expand[]` may add: a name of its own, since some generators make no types of parts without one. */
function expanded(resource: Resource, name: string): JsonSchema {
  return refTo('schemas', expandableOf(resource).length === 0 ? name : `${name}Expanded`);
}

/** The components of records, and of what lists show of them, with what `expand[]` may add. */
function expandedSchemas(resource: Resource): Record<string, JsonSchema> {
  const above = expandableOf(resource);
  if (above.length === 0) return {};
  const members = above.map((one): [string, JsonSchema] => [
    one.name,
    { ...refTo('schemas', oneName(one)), description: ASKED_FOR },
  ]);
  members.push([
    IDENTIFIERS,
    { ...refTo('schemas', identifiersName(resource)), description: ASKED_FOR },
  ]);
  members.push([SOURCE, { ...refTo('schemas', 'RecordSource'), description: ASKED_FOR }]);
  for (const { name, says } of saysOf(resource))
    members.push([
      name,
      { type: 'boolean', description: `${says}. ${ASKED_FOR}`, examples: [false] },
    ]);
  const more = { type: 'object', properties: Object.fromEntries(members) };
  const description = `${capitalised(articled(resource))}, with what \`expand[]\` adds.`;
  const names = new Set([oneName(resource), entryName(resource)]);
  return Object.fromEntries(
    [...names].map((name) => [
      `${name}Expanded`,
      { description, allOf: [refTo('schemas', name), more] },
    ]),
  );
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
  // All members stand at the top, where forms and models are made from; the ways say which of them go together.
  const { allNames, others } = partedBy(new Set(ways.flat()), upsert);
  const every = Object.keys(allNames);
  const { required = [], ...whole } = objectSchema({ ...needed(allNames, every), ...others });
  return {
    ...whole,
    description: `${description} The parent is named in exactly one way.`,
    required: (required as readonly string[]).filter((name) => !every.includes(name)),
    oneOf: ways.map((names) => ({
      title: `By ${names.join(', ')}`,
      properties: Object.fromEntries(
        Object.entries(allNames).map(([name, { says }]) => [
          name,
          names.includes(name) ? { type: 'string', description: says } : FORBIDDEN,
        ]),
      ),
      required: names,
      // Validators that forbid what a branch does not name need to be told that the others stand at the top.
      unevaluatedProperties: true,
    })),
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
  return objectOf(`What is answered in place of ${articled(resource)} that was removed.`, {
    object: typeNamed(resource.name),
    unique_identifier: identifier(resource),
    deleted: flagOf('Always true: the record was removed', { const: true }),
  });
}

function answerSchema(resource: Resource): JsonSchema {
  const { name, says, homeMember } = resource;
  const { properties, seldom } = documentMembers(resource);
  return objectOf(
    says,
    {
      object: typeNamed(name),
      unique_identifier: identifier(resource),
      external_identifier: textOf('Your own identifier'),
      ...(homeMember === undefined ? {} : { [homeMember]: textOf('Where the record belongs') }),
      ...properties,
      ...TIMES,
    },
    seldom,
  );
}

/** An entry of a list: not all of a record, and a member may have another name there. */
function entrySchema(resource: Resource): JsonSchema {
  const { properties, seldom } = documentMembers(resource);
  const shown = Object.entries(resource.list.entry ?? {}).filter(([, name]) => name in properties);
  const members = shown.map(([name, member]) => [name, properties[member] ?? {}] as const);
  return objectOf(
    `What lists show of ${articled(resource)}.`,
    { unique_identifier: identifier(resource), ...Object.fromEntries(members), ...TIMES },
    shown.flatMap(([name, member]) => (seldom.includes(member) ? [name] : [])),
  );
}

function listSchema(resource: Resource): JsonSchema {
  const count = { ...countOf('How many', 0, MAX_TOTAL), examples: [1234] };
  const more = { ...flagOf('Whether there are more than `count`'), examples: [false] };
  return objectOf(
    'One page of a list.',
    {
      object: typeNamed('list'),
      url: textOf('The path of the list', { const: `/v1/${resource.path}` }),
      has_more: flagOf(
        'Whether there are more records in this direction. A page of large records may end before `limit`: rely on this, not on the number of records.',
      ),
      total: {
        ...objectOf('Number of records on all pages; only with `include[]=total`', { count, more }),
        examples: [{ count: 1234, more: false }],
      },
      erased: {
        ...countOf(
          'Number of records that were erased at the request of people; only in lists that are limited to what the records belong to',
          1,
        ),
        examples: [1],
      },
      data: listOf('The records of this page', expanded(resource, entryName(resource))),
    },
    ['total', 'erased'],
  );
}

/** The members of responses that come from the stored document, and those that are left out where they have no value. */
function documentMembers({ fields, public_data }: Resource): {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly seldom: readonly string[];
} {
  const all = Object.entries(fields);
  const properties = Object.fromEntries(
    all.map(([name, { kind, says }]) => [name, { ...kind.shown, description: says }]),
  );
  const seldom = all.flatMap(([name, { required }]) => (required ? [] : [name]));
  if (public_data === undefined) return { properties, seldom };
  const description = 'More of the record; always there, empty when it holds nothing';
  const shown = { ...shownSchema(public_data), description };
  return { properties: { ...properties, public_data: shown }, seldom };
}

function identifier({ prefix }: Resource): JsonSchema {
  const pattern = `^${prefix}[0-9A-Za-z]{22}$`;
  return textOf('Identifier of the record, given by the service', { pattern });
}

const TIMES = {
  inserted_at: textOf('When the record was created, in UTC', { format: 'date-time' }),
  updated_at: textOf('When the record was last changed, in UTC', { format: 'date-time' }),
};
