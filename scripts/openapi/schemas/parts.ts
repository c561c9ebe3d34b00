/** What the schemas and the contents of answers are put together from. */
import type { JsonSchema } from '../../../src/core/schema/fields/kind.ts';

type Properties = Readonly<Record<string, JsonSchema>>;

/** An object with these members, which are always there but for those that `seldom` names. */
export function objectOf(
  description: string,
  properties: Properties,
  seldom: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !seldom.includes(name));
  return { type: 'object', description, properties, required };
}

export function textOf(description: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'string', ...more, description };
}

export function flagOf(description: string, more: JsonSchema = {}): JsonSchema {
  return { type: 'boolean', ...more, description };
}

export function countOf(description: string, minimum = 0, maximum?: number): JsonSchema {
  return { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }), description };
}

export function listOf(description: string, items: JsonSchema): JsonSchema {
  return { type: 'array', description, items };
}

/** The member `object`. */
export function typeNamed(name: string): JsonSchema {
  return textOf('Type name of the object', { const: name });
}

/** The content of an answer. */
export function jsonOf(schema: JsonSchema, example: unknown): object {
  return { 'application/json': { schema, example } };
}
