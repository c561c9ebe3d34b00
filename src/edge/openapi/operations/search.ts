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
        description: 'What a search has found.',
        properties: {
          object: constant('search_result'),
          url: { type: 'string', const: '/v1/search', description: 'The path of the search' },
          index: refTo('schemas', 'SearchIndex'),
          data: {
            type: 'array',
            description: 'A group for each resource of which something was found',
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
        description: 'A field by which a record was found.',
        properties: {
          param: { type: 'string', description: 'The dotted name of the field' },
          value: { type: 'string', description: 'What the record has there' },
        },
        required: ['param', 'value'],
      },
      exampleMatch(),
    ),
    SearchIndex: illustrated(
      {
        type: 'object',
        description: 'How far search is behind what was written.',
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
              'Age of the oldest change that is not found yet; 0 if search is up to date',
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
    description: 'What was found of one resource.',
    properties: {
      object: constant('search_group'),
      resource: { type: 'string', const: resource.name, description: 'The resource' },
      has_more: {
        type: 'boolean',
        description:
          'Whether more records may meet the query: type more of what you look for. With no data: too many words begin like those of the query to look through all',
      },
      data: {
        type: 'array',
        description:
          'What an identifier or email address names first, then the newest, then what is nearly the same',
        items: {
          type: 'object',
          properties: {
            record: { ...readSchema(resource), description: 'The record as it is now' },
            near: {
              type: 'boolean',
              const: true,
              examples: [true],
              description: 'There if a letter of it is another than in the query',
            },
            matches: {
              type: 'array',
              description: 'The fields by which it was found',
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
