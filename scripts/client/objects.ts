/** The types of our own objects, as staff see them in the console: what the client's types do not have. */

import { ownSchema } from '../../src/core/objects/own-object.ts';
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
