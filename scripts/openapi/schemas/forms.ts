/** Bodies as forms: what is written otherwise than in JSON, by rules that OpenAPI has. */
import type { JsonSchema } from '../../../src/core/schema/fields/kind.ts';
import type { Members } from '../../../src/core/schema/fields/members.ts';
import { isObject, type Json } from '../../../src/core/schema/values.ts';

const isArray = ({ kind }: Members[string]): boolean => kind.schema.type === 'array';

/** Whether a form has other names than JSON: those of arrays end in `[]`, because a name that is repeated is refused. */
export function hasNamesOfForms(members: Members): boolean {
  return Object.values(members).some(isArray);
}

/** Whether OpenAPI can say how a form is written: it has no rule for an array of nothing but objects. */
export function canBeForm(members: Members): boolean {
  const isOfObjects = ({ kind }: Members[string]): boolean =>
    (kind.schema.items as JsonSchema | undefined)?.type === 'object';
  return !Object.values(members).some(isOfObjects);
}

function nameIn(members: Members): (name: string) => string {
  return (name) => {
    const member = members[name];
    return member !== undefined && isArray(member) ? `${name}[]` : name;
  };
}

/** The schema of these members with the names that a form has. */
export function formSchema(schema: JsonSchema, members: Members): JsonSchema {
  const { properties, required } = schema as {
    readonly properties: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  const single = Object.entries(properties).map(([name, one]) => [name, ofSingleValues(one)]);
  return {
    ...schema,
    properties: formExample(Object.fromEntries(single), members),
    ...(required && { required: required.map(nameIn(members)) }),
  };
}

/** An array as far as OpenAPI can say of a form: it has no rule for objects in one, so that only their short form is left. */
function ofSingleValues(schema: JsonSchema): JsonSchema {
  const { items, examples } = schema as {
    readonly items?: JsonSchema;
    readonly examples?: Json[][];
  };
  if (items === undefined || !Array.isArray(items.anyOf)) return schema;
  const [single, ...others] = (items.anyOf as JsonSchema[]).filter(({ type }) => type !== 'object');
  if (single === undefined || others.length > 0) throw new TypeError('A form cannot say that.');
  const short = (one: Json): Json => (isObject(one) ? (Object.values(one)[0] ?? null) : one);
  return {
    ...schema,
    items: single,
    ...(examples && { examples: examples.map((all) => all.map(short)) }),
  };
}

/** Values by the names that a form has. */
export function formExample<T>(
  body: Readonly<Record<string, T>>,
  members: Members,
): Readonly<Record<string, T>> {
  const inForm = nameIn(members);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [inForm(name), value]));
}

/** How a form writes what is not a single value: elements by repeating a name, members in brackets. */
export function formEncoding(members: Members): { readonly encoding?: object } {
  const inForm = nameIn(members);
  const entries = Object.entries(members)
    .filter(([, field]) => !field.kind.scalar)
    .map(([name, field]) => [
      inForm(name),
      { style: isArray(field) ? 'form' : 'deepObject', explode: true },
    ]);
  return entries.length === 0 ? {} : { encoding: Object.fromEntries(entries) };
}
