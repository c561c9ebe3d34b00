/** The types of the client that tell of removals. */
import { removalSchemas } from '../../src/openapi/removals.ts';
import type { Resource } from '../../src/schema/define.ts';
import { objectSchema } from '../../src/schema/fields/object.ts';
import { removalsParams } from '../../src/schema/parse-removals.ts';
import { comment, typeText } from './type-text.ts';

export function removalsText(resources: readonly Resource[]): string {
  const [example] = resources.filter(({ parent }) => parent !== undefined) as [Resource];
  const { Removal = {}, RestoredRemoval = {} } = removalSchemas(resources, example);
  const params = { ...objectSchema(removalsParams(resources)), required: [] };
  return [
    `${comment(String(Removal.description))}export type Removal = ${typeText(Removal, 'shown')};\n`,
    `${comment(String(RestoredRemoval.description))}export type RestoredRemoval = ${typeText(RestoredRemoval, 'shown')};\n`,
    `${comment('What `api.removals.list` takes.')}export type RemovalListParams = ${typeText(params, 'query')};\n`,
  ].join('\n');
}
