/** The types of the client: every record as it is sent and as it is answered. */

import {
  expandableOf,
  IDENTIFIERS,
  type Resource,
  SOURCE,
  saysOf,
} from '../../src/core/schema/define.ts';
import type { JsonSchema } from '../../src/core/schema/fields/kind.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import { objectSchema } from '../../src/core/schema/fields/object.ts';
import { listParams } from '../../src/core/schema/parse/parse-list.ts';
import { inWords } from '../../src/core/schema/present/words.ts';
import { combinationsOf, identifierOf, parentNames } from '../../src/core/schema/reference.ts';
import { componentName } from '../openapi/schemas/names.ts';
import { recordSource, resourceSchemas } from '../openapi/schemas/schemas.ts';
import { comment, membersText, typeText } from './type-text.ts';

/** What the types of one resource are called. */
export function typeNames(resource: Resource) {
  const name = componentName(resource);
  const schemas = resourceSchemas(resource);
  const entry = `${name}ListEntry` in schemas ? `${name}ListEntry` : name;
  return {
    record: name in schemas ? name : entry,
    entry,
    list: `${name}ListParams`,
    upsert: `${name}Upsert`,
    patch: `${name}Patch`,
    removed: `${name}Deleted`,
    named: `${name}Named`,
    reference: `${name}Reference`,
    identifiers: `${name}Identifiers`,
    expandable: `${name}Expandable`,
  };
}

export function recordsText(resources: readonly Resource[]): string {
  const source = declared(
    'RecordSource',
    recordSource.description,
    typeText(recordSource, 'shown'),
  );
  const records = resources.flatMap((resource) => {
    const isParent = resources.some(({ parent }) => parent === resource);
    return [
      ...answered(resource),
      ...(resource.parent === undefined ? [] : sent(resource, resource.parent)),
      ...(isParent ? [reference(resource)] : []),
      query(resource),
      expandable(resource),
    ];
  });
  return [source, ...records].join('\n');
}

function answered(resource: Resource): string[] {
  const names = typeNames(resource);
  const schemas = Object.entries(resourceSchemas(resource));
  return [names.record, names.entry, names.removed, names.identifiers]
    .filter((name, index, all) => all.indexOf(name) === index)
    .flatMap((name) =>
      schemas
        .filter(([one]) => one === name)
        .map(([, schema]) => declared(name, schema.description, typeText(schema, 'shown'))),
    );
}

function sent(resource: Resource, parent: Resource): string[] {
  const { upsert, patch, named: own } = typeNames(resource);
  const named = new Set(combinationsOf(parent).flat());
  const fields = objectSchema(without(resource.upsert, named));
  const above = typeNames(parent).reference;
  const words = inWords(resource.name);
  return [
    declared(
      upsert,
      `Parameters of \`api.${resource.path}.upsert\`. \`null\` removes an optional field.`,
      `${above} & ${typeText(fields, 'sent')}`,
    ),
    declared(
      patch,
      `Parameters of \`api.${resource.path}.patch\`: omitted fields stay, \`null\` removes.`,
      typeText(objectSchema(resource.patch), 'sent'),
    ),
    declared(
      own,
      `Names the ${words} by its parent and your own identifier.`,
      `${above} & { readonly external_identifier: string }`,
    ),
  ];
}

/** The ways to name a record that others belong to, of which exactly one is taken. */
function reference(parent: Resource): string {
  const words = inWords(parent.name);
  const others = objectSchema(parentNames(parent)).properties as Record<string, JsonSchema>;
  const unique = { type: 'string', description: `The unique_identifier of the ${words}` };
  const all: Record<string, JsonSchema> = { [identifierOf(parent)]: unique, ...others };
  const ways = combinationsOf(parent).map((names) => {
    const properties = Object.fromEntries(names.map((name) => [name, all[name] ?? {}]));
    const never = Object.keys(all).filter((name) => !names.includes(name));
    return `{\n${membersText({ properties, required: names }, 'sent', '    ')}${never
      .map((name) => `      readonly ${name}?: undefined;\n`)
      .join('')}    }`;
  });
  return declared(
    typeNames(parent).reference,
    `Names the ${words} that a record belongs to, in exactly one way.`,
    `\n  | ${ways.join('\n  | ')}`,
  );
}

function query(resource: Resource): string {
  const params = without(listParams(resource), new Set(['expand']));
  const { list } = typeNames(resource);
  const schema = { ...objectSchema(params), required: [] };
  return declared(
    list,
    `Parameters of \`api.${resource.path}.list\`; records match all filters.`,
    typeText(schema, 'query'),
  );
}

function expandable(resource: Resource): string {
  const members = expandableOf(resource).map((one) => [one.name, typeNames(one).record]);
  if (members.length > 0) {
    members.push([IDENTIFIERS, typeNames(resource).identifiers], [SOURCE, 'RecordSource']);
    for (const { name } of saysOf(resource)) members.push([name, 'boolean']);
  }
  const text =
    members.length === 0
      ? '{}'
      : `{\n${members.map(([name, type]) => `  ${name}: ${type};\n`).join('')}}`;
  return declared(typeNames(resource).expandable, 'Objects that `expand` can add.', text);
}

function without(members: Members, names: ReadonlySet<string>): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.has(name)));
}

function declared(name: string, says: unknown, text: string): string {
  return `${comment(String(says))}export type ${name} =${text.startsWith('\n') ? '' : ' '}${text};\n`;
}
