/** The schemas of search. */
import type { Resource } from '../../../core/schema/define.ts';
import type { JsonSchema } from '../../../core/schema/fields/kind.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { exampleOne } from '../schemas/examples.ts';
import { illustrated } from '../schemas/illustrated.ts';
import { componentName, refTo } from '../schemas/names.ts';
import { readSchema } from '../schemas/schemas.ts';

export function searchSchemas(resources: readonly Resource[]): Record<string, JsonSchema> {
  const searched = searchedOf(resources);
  const result = exampleResult(resources);
  const groups = searched.map((resource): [string, JsonSchema] => [
    groupName(resource),
    illustrated(groupSchema(resource), exampleGroup(resource)),
  ]);
  return {
    SearchResult: illustrated(
      {
        type: 'object',
        description: 'The results of a search.',
        properties: {
          object: constant('search_result'),
          url: { type: 'string', const: '/v1/search', description: 'The path of the search' },
          index: refTo('schemas', 'SearchIndex'),
          data: {
            type: 'array',
            description: 'One group per resource with matches',
            items: { oneOf: searched.map((one) => refTo('schemas', groupName(one))) },
          },
        },
        required: ['object', 'url', 'index', 'data'],
      },
      result,
    ),
    ...Object.fromEntries(groups),
    SearchMatch: illustrated(
      {
        type: 'object',
        description: 'A field that matched.',
        properties: {
          param: { type: 'string', description: 'The dotted name of the field' },
          value: { type: 'string', description: 'Its value' },
        },
        required: ['param', 'value'],
      },
      exampleMatch(),
    ),
    SearchIndex: illustrated(
      {
        type: 'object',
        description: 'How far the search index is behind the records.',
        properties: {
          status: {
            type: 'string',
            enum: ['ready', 'building'],
            description: 'While it is `building`, not all records are found by words and digits',
          },
          behind_seconds: {
            type: 'integer',
            minimum: 0,
            description:
              'Age in seconds of the oldest change that is not indexed yet; 0 if search is up to date',
          },
        },
        required: ['status', 'behind_seconds'],
      },
      result.index,
    ),
  };
}

/** The component of what is found of a resource. */
export function groupName(resource: Resource): string {
  return `${componentName(resource)}SearchGroup`;
}

export function searchedOf(resources: readonly Resource[]): readonly Resource[] {
  return resources.filter(({ shape }) => shape.searched !== undefined);
}

function groupSchema(resource: Resource): JsonSchema {
  return {
    type: 'object',
    description: 'The matches of one resource.',
    properties: {
      object: constant('search_group'),
      resource: { type: 'string', const: resource.name, description: 'The resource' },
      has_more: {
        type: 'boolean',
        description:
          'Whether more records may match: make the query longer. With no data: too many words start like those of the query',
      },
      data: {
        type: 'array',
        description:
          'Exact identifiers and email addresses first, then the newest, then approximate matches',
        items: {
          type: 'object',
          properties: {
            record: { ...readSchema(resource), description: 'The current record' },
            near: {
              type: 'boolean',
              const: true,
              examples: [true],
              description: 'Present if it differs from the query in one letter',
            },
            matches: {
              type: 'array',
              description: 'The fields that matched',
              items: refTo('schemas', 'SearchMatch'),
            },
          },
          required: ['record', 'matches'],
        },
      },
    },
    required: ['object', 'resource', 'has_more', 'data'],
  };
}

function constant(name: string): JsonSchema {
  return { type: 'string', const: name, description: 'Type name of the object' };
}

function exampleMatch(): JsonObject {
  return { param: 'person.full_name', value: 'Jane Doe' };
}

function exampleGroup(resource: Resource): JsonObject {
  return {
    object: 'search_group',
    resource: resource.name,
    has_more: false,
    data: [{ record: exampleOne(resource), matches: [exampleMatch()] }],
  };
}

function exampleResult(resources: readonly Resource[]): JsonObject {
  const shown = searchedOf(resources).filter(({ shape }) =>
    shape.searched?.some(({ name }) => name === exampleMatch().param),
  );
  return {
    object: 'search_result',
    url: '/v1/search',
    index: { status: 'ready', behind_seconds: 0 },
    data: shown.slice(0, 1).map(exampleGroup),
  };
}
