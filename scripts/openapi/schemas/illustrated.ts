/** Adds an example to every property of a schema, taken from one value that the schema describes. */
import type { JsonSchema } from '../../../src/core/schema/fields/kind.ts';
import { isObject, type Json } from '../../../src/core/schema/values.ts';

/** Gives a schema its examples; a property that the value does not have, or that has one already, stays as it is. */
export function illustrated(schema: JsonSchema, value: Json | undefined): JsonSchema {
  const { properties, items, oneOf, anyOf, allOf } = schema as Composed;
  const through = (branches: readonly JsonSchema[]) =>
    branches.map((branch) => illustrated(branch, value));
  return {
    ...schema,
    ...(properties === undefined || !isObject(value)
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, property(one, value[name])]),
          ),
        }),
    ...(items === undefined || !Array.isArray(value)
      ? {}
      : { items: illustrated(items, value[0]) }),
    ...(oneOf === undefined ? {} : { oneOf: through(oneOf) }),
    ...(anyOf === undefined ? {} : { anyOf: through(anyOf) }),
    ...(allOf === undefined ? {} : { allOf: through(allOf) }),
  };
}

/** The keywords of a schema that contain schemas. */
interface Composed {
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

function property(schema: JsonSchema, value: Json | undefined): JsonSchema {
  // Referenced schemas have their own examples; what may not be sent has none.
  if (value === undefined || '$ref' in schema || 'not' in schema) return schema;
  return { ...illustrated(schema, value), examples: schema.examples ?? [value] };
}
