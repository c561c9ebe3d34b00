/** JSON Schemas as types of TypeScript, in text. */
import type { JsonSchema } from '../../src/core/schema/fields/kind.ts';

/** What a type is for: a body that is sent, an answer, or a query, where nothing is removed. */
export type Use = 'sent' | 'shown' | 'query';

/** The type of what the schema describes. */
export function typeText(schema: JsonSchema, use: Use, indent = ''): string {
  const { $ref, anyOf, oneOf, type } = schema as Described;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  const branches = (anyOf ?? oneOf)?.filter((one) => isSaid(one, use));
  if (branches !== undefined) {
    const types = branches.map((one) => typeText(one, use, indent));
    return union(isOpen(branches) ? types.with(1, '(string & {})') : types);
  }
  if (Array.isArray(type)) {
    return union(
      type
        .filter((one) => use !== 'query' || one !== 'null')
        .map((one) => single({ ...(schema as Described), type: one }, use, indent)),
    );
  }
  return single(schema as Described, use, indent);
}

/** The members of an object, each with what it is; without braces. */
export function membersText(schema: JsonSchema, use: Use, indent = ''): string {
  const { properties = {}, required = [] } = schema as Described;
  return Object.entries(properties)
    .map(([name, one]) => {
      const optional = !required.includes(name);
      const text = typeText(one, use, `${indent}  `);
      // What is undefined is not sent, so it may be given; nothing answered is.
      const absent = optional && use !== 'shown' ? ' | undefined' : '';
      const doc = comment(String(one.description ?? ''), `${indent}  `);
      const mutable = use === 'shown' ? '' : 'readonly ';
      return `${doc}${indent}  ${mutable}${name}${optional ? '?' : ''}: ${text}${absent};\n`;
    })
    .join('');
}

/** As a comment on a line of its own; none where there is nothing to say. */
export function comment(text: string, indent = ''): string {
  return text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '*\u200b/')} */\n`;
}

export function imported(names: string, from: string): string {
  return `import ${names} from '${from}';\n`;
}

export function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

interface Described {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
}

function single(schema: Described, use: Use, indent: string): string {
  const { type, items, properties = {}, additionalProperties } = schema;
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(quoted));
  const readonly = use === 'shown' ? '' : 'readonly ';
  if (type === 'array') {
    const element = items === undefined ? 'unknown' : typeText(items, use, indent);
    return `${readonly}${element.includes(' ') ? `(${element})` : element}[]`;
  }
  if (type !== 'object') return named(String(type));
  if (Object.keys(properties).length > 0) {
    return `{\n${membersText(schema as JsonSchema, use, indent)}${indent}}`;
  }
  const member =
    typeof additionalProperties === 'object'
      ? typeText(additionalProperties, use, indent)
      : 'unknown';
  return `{ ${readonly}[name: string]: ${member} }`;
}

/** Whether these are some known texts, and any other: editors then still offer the known ones. */
function isOpen(branches: readonly JsonSchema[]): boolean {
  const [known, any, ...others] = branches as readonly Described[];
  const isKnown = known?.enum !== undefined && any?.type === 'string';
  return isKnown && others.every(({ type }) => type === 'null');
}

/** An empty text removes a value, as `null` does: to say it once is enough. */
function isSaid({ const: only, type }: JsonSchema, use: Use): boolean {
  return only !== '' && (use !== 'query' || type !== 'null');
}

function named(type: string): string {
  if (type === 'undefined') return 'unknown';
  return type === 'integer' ? 'number' : type;
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
