/** The schemas of search. */
import type { Resource } from '../../../src/core/schema/define.ts';
import type { JsonSchema } from '../../../src/core/schema/fields/kind.ts';
import type { JsonObject } from '../../../src/core/schema/values.ts';
import { exampleOne } from '../schemas/examples.ts';
import { illustrated } from '../schemas/illustrated.ts';
import { componentName, refTo } from '../schemas/names.ts';
import { countOf, flagOf, listOf, objectOf, textOf, typeNamed } from '../schemas/parts.ts';
import { readSchema } from '../schemas/schemas.ts';

export function searchSchemas(resources: readonly Resource[]): Record<string, JsonSchema> {
  const searched = searchedOf(resources);
  const result = exampleResult(resources);
  const groups = searched.map((resource): [string, JsonSchema] => [
    groupName(resource),
    illustrated(groupSchema(resource), exampleGroup(resource)),
  ]);
  return {
    SearchFindings: illustrated(
      objectOf('The results of a search.', {
        object: typeNamed('search_result'),
        url: textOf('The path of the search', { const: '/v1/search' }),
        index: refTo('schemas', 'SearchIndex'),
        data: listOf('One group per resource with matches', {
          oneOf: searched.map((one) => refTo('schemas', groupName(one))),
        }),
      }),
      result,
    ),
    ...Object.fromEntries(groups),
    SearchMatch: illustrated(
      objectOf('A field that matched.', {
        param: textOf('The dotted name of the field'),
        value: textOf('Its value'),
      }),
      exampleMatch(),
    ),
    SearchIndex: illustrated(
      objectOf('How far the search index is behind the records.', {
        status: textOf('While it is `building`, not all records are found by words and digits', {
          enum: ['ready', 'building'],
        }),
        behind_seconds: countOf(
          'Age in seconds of the oldest change that is not indexed yet; 0 if search is up to date',
        ),
      }),
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
  return objectOf('The matches of one resource.', {
    object: typeNamed('search_group'),
    resource: textOf('The resource', { const: resource.name }),
    has_more: flagOf(
      'Whether more records may match: make the query longer. With no data: too many words start like those of the query',
    ),
    data: listOf(
      'Exact identifiers and email addresses first, then the newest, then approximate matches',
      {
        type: 'object',
        properties: {
          record: { ...readSchema(resource), description: 'The current record' },
          near: {
            type: 'boolean',
            const: true,
            examples: [true],
            description: 'Present if it differs from the query in one letter',
          },
          matches: listOf('The fields that matched', refTo('schemas', 'SearchMatch')),
        },
        required: ['record', 'matches'],
      },
    ),
  });
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
