/** The schema of a page of a list whose entries are not records. */
import type { JsonSchema } from '../../core/schema/fields/kind.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { illustrated } from './schemas/illustrated.ts';
import { refTo } from './schemas/names.ts';

export function examplePage(url: string, entry: JsonObject): JsonObject {
  return { object: 'list', url, has_more: false, data: [entry] };
}

/** `url` is left out where the path contains an identifier. */
export function pageSchema(entry: string, example: JsonObject, url?: string): JsonSchema {
  const schema: JsonSchema = {
    type: 'object',
    description: 'A page of a list.',
    properties: {
      object: { type: 'string', description: 'Always `list`', const: 'list' },
      url: {
        type: 'string',
        description: 'The path that was asked',
        ...(url === undefined ? {} : { const: url }),
      },
      has_more: { type: 'boolean', description: 'Whether there are more after the last entry' },
      data: { type: 'array', description: 'The entries', items: refTo('schemas', entry) },
    },
    required: ['object', 'url', 'has_more', 'data'],
  };
  return illustrated(schema, example);
}
