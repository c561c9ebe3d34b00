/** The types of the client that tell of changes. */
import { changeSchemas } from '../../src/openapi/change-schemas.ts';
import type { Resource } from '../../src/schema/define.ts';
import { objectSchema } from '../../src/schema/fields/object.ts';
import { changesParams } from '../../src/schema/parse-changes.ts';
import { typeNames } from './records.ts';
import { comment, typeText, union } from './type-text.ts';

export function changesText(resources: readonly Resource[]): string {
  const example = resources.findLast(({ parent }) => parent !== undefined);
  if (example === undefined) throw new TypeError('The registry has no resource with a parent.');
  const { Change = {}, HistoryEntry = {} } = changeSchemas(resources, example);
  const { expand: _, ...params } = changesParams(resources);
  const records = [...new Set(resources.map((resource) => typeNames(resource).record))];
  return [
    `import type * as our from './records.ts';\n`,
    `${comment(String(Change.description))}export type Change = ${typeText(Change, 'shown')};\n`,
    `${comment(String(HistoryEntry.description))}export type HistoryEntry = ${typeText(HistoryEntry, 'shown')};\n`,
    `${comment('What `api.changes.list` takes.')}export type ChangeListParams = ${typeText({ ...objectSchema(params), required: [] }, 'query')};\n`,
    `${comment('What `expand` can put in with a change.')}export interface ChangeExpandable {\n${comment('The record as it is now; null where there is none any more.', '  ')}  record_now: ${union(records.map((name) => `our.${name}`))} | null;\n}\n`,
  ].join('\n');
}
