/** The types of our own objects, as staff see them in the console: what the client's types do not have. */

import { ownSchema } from '../../src/core/objects/own-object.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import type { Operation } from '../../src/edge/operations/operation.ts';
import { ownObjects } from '../own-tables.ts';
import { comment, imported, membersText, typeText } from './type-text.ts';

export function objectsText(): string {
  const types = ownObjects.flatMap((object) => {
    const { typeName, says, views } = object;
    const known = new Set(views.api.map(({ name }) => name));
    const schema = ownSchema(object, 'console');
    const more = Object.entries(schema.properties).filter(
      ([name]) => name !== 'object' && !known.has(name),
    );
    if (more.length === 0) return [];
    const text =
      known.size === 0
        ? typeText(schema, 'shown')
        : `client.${typeName} & {\n${membersText({ ...schema, properties: Object.fromEntries(more) }, 'shown')}}`;
    return [`${comment(says)}export type ${typeName} = ${text};\n`];
  });
  return [
    imported('type * as client', '../../../client/src/generated/objects.d.ts'),
    ...types,
  ].join('\n');
}

export function boundsText(operations: readonly Operation[]): string {
  const entries = operations.flatMap(({ name, body = {} }) => {
    const bounds = Object.entries(body as Members).flatMap(([member, { kind }]) => {
      const { maxLength } = kind.schema as { readonly maxLength?: number };
      return maxLength === undefined ? [] : [`${member}: ${maxLength}`];
    });
    return bounds.length === 0 ? [] : [`export const ${name} = { ${bounds.join(', ')} };\n`];
  });
  return entries.join('');
}
