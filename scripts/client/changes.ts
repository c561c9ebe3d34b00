/** The types of the client that tell of changes. */

import type { Resource } from '../../src/core/schema/define.ts';
import { objectSchema } from '../../src/core/schema/fields/object.ts';
import { changesOperation } from '../../src/edge/operations/changes.ts';
import { ownSchemas } from '../openapi/schemas/own-schemas.ts';
import { typeNames } from './records.ts';
import { comment, typeText } from './type-text.ts';

export function changesText(resources: readonly Resource[]): string {
  const { Change = {}, HistoryEntry = {} } = ownSchemas(resources);
  const { expand: _, ...params } = changesOperation(resources).query ?? {};
  const records = resources.map(
    (resource) => `  ${resource.name}: our.${typeNames(resource).record};\n`,
  );
  return [
    `import type * as our from './records.d.ts';\n`,
    `${comment(String(Change.description))}export type Change = ${typeText(Change, 'shown')};\n`,
    `${comment(String(HistoryEntry.description))}export type HistoryEntry = ${typeText(HistoryEntry, 'shown')};\n`,
    `${comment('Parameters of `api.changes.list`.')}export type ChangeListParams = ${typeText({ ...objectSchema(params), required: [] }, 'query')};\n`,
    `${comment('The record that a change is of, by its `resource`.')}export interface ChangedRecords {\n${records.join('')}}\n`,
  ].join('\n');
}
