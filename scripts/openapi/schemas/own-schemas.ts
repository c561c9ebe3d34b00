/** The components of our own objects: of each, of its list, and of what is answered in place of a removed one. */

import { type OwnObject, ownSchema } from '../../../src/core/objects/own-object.ts';
import type { Resource } from '../../../src/core/schema/define.ts';
import type { JsonSchema } from '../../../src/core/schema/fields/kind.ts';
import type { JsonObject } from '../../../src/core/schema/values.ts';
import { ownObjects } from '../../own-tables.ts';
import { exampleIdentifier } from './examples.ts';
import { illustrated } from './illustrated.ts';
import { refTo } from './names.ts';
import { flagOf, listOf, objectOf, textOf } from './parts.ts';

type Shown = (typeof ownObjects)[number];

export function ownSchemas(resources: readonly Resource[]): Record<string, JsonSchema> {
  const names = resources.map(({ name }) => name);
  const shown = ownObjects.filter(({ views }) => views.api.length > 0);
  return Object.assign({}, ...shown.map((object) => componentsOf(object, names)));
}

/** An example of the object, as the API answers it, with all but what is seldom there. */
export function exampleOwn({ name, views }: Pick<OwnObject, 'name' | 'views'>): JsonObject {
  const example: JsonObject = { object: name };
  for (const { name: member, field } of views.api) {
    if (field.seldom) continue;
    const { column, prefix } = field.kind;
    const id = prefix === undefined ? undefined : exampleIdentifier({ prefix });
    const byPrefix = id !== undefined && column === 'texts' ? [id] : id;
    example[member] = field.example === undefined ? (byPrefix ?? null) : field.example;
  }
  return example;
}

function componentsOf(object: Shown, names: readonly string[]): Record<string, JsonSchema> {
  const { typeName, path, removable } = object;
  return {
    [typeName]: illustrated(ownSchema(object, 'api', names), exampleOwn(object)),
    ...(path === undefined
      ? {}
      : { [`${typeName.replace(/Entry$/, '')}List`]: listSchema(object, path) }),
    ...(removable ? { [`Removed${typeName}`]: removedSchema(object) } : {}),
  };
}

/** Where the path contains an identifier, it is not the same for all. */
function listSchema(object: Shown, path: string): JsonSchema {
  const entry = exampleOwn(object);
  const url = path.replace(/\{(\w+)\}/, (_, prefix: string) => exampleIdentifier({ prefix }));
  const position = {
    type: ['string', 'null'],
    description:
      'Send it as `starting_after` for the next page; null if there is nothing to continue after',
  };
  return illustrated(
    objectOf(
      'A page of a list.',
      {
        object: textOf('Always `list`', { const: 'list' }),
        url: { ...textOf('The path of the request'), ...(url === path ? { const: url } : {}) },
        has_more: flagOf('Whether there are more entries after the last one'),
        data: listOf('The entries', refTo('schemas', object.typeName)),
        ...(object.positioned ? { position } : {}),
        ...object.listed,
      },
      Object.keys(object.listed ?? {}),
    ),
    {
      object: 'list',
      url,
      has_more: false,
      data: [entry],
      ...(object.positioned ? { position: entry.unique_identifier ?? null } : {}),
    },
  );
}

function removedSchema(object: Shown): JsonSchema {
  const { properties } = ownSchema(object, 'api');
  const { object: name = {}, unique_identifier = {} } = properties;
  const schema = objectOf(`Confirms that the ${object.name.replaceAll('_', ' ')} was deleted.`, {
    object: name,
    unique_identifier,
    deleted: flagOf('Always true', { const: true }),
  });
  return illustrated(schema, { ...exampleOwn(object), deleted: true });
}
