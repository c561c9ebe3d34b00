/** The types of our own objects, as staff see them in the console. Those of partners come with their operations. */
import { ownObjects } from '../../src/core/objects/index.ts';
import { type Audience, ownSchema } from '../../src/core/objects/own-object.ts';
import { comment, typeText } from './type-text.ts';

export function objectsText(audience: Audience): string {
  return ownObjects
    .filter(({ views }) => views[audience].length > 0)
    .map((object) => {
      const text = typeText(ownSchema(object, audience), 'shown');
      return `${comment(object.says)}export type ${object.typeName} = ${text};\n`;
    })
    .join('\n');
}
