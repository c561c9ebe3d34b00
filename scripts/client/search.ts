/** The types of the client that search takes and answers. */

import type { Resource } from '../../src/core/schema/define.ts';
import type { JsonSchema } from '../../src/core/schema/fields/kind.ts';
import { groupName, searchedOf, searchSchemas } from '../openapi/operations/search.ts';
import { typeNames } from './records.ts';
import { comment, membersText, typeText, union } from './type-text.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

export function searchText(resources: readonly Resource[]): string {
  const schemas = searchSchemas(resources);
  const { SearchIndex = {}, SearchMatch = {} } = schemas;
  const [any] = searchedOf(resources);
  const { data } = (schemas[any === undefined ? '' : groupName(any)]?.properties ?? {}) as Schemas;
  // Each group has records of its own.
  const { record: _, ...found } = ((data?.items ?? {}) as JsonSchema).properties as Schemas;
  const members = membersText({ ...(data?.items ?? {}), properties: found }, 'shown', '  ');
  const groups = searchedOf(resources).map((resource) => {
    const { record, expandable } = typeNames(resource);
    return `SearchGroup<'${resource.name}', our.${record} & Partial<our.${expandable}>>`;
  });
  return [
    `import type * as our from './records.d.ts';\n`,
    `${comment(String(SearchIndex.description))}export type SearchIndex = ${typeText(SearchIndex, 'shown')};\n`,
    `${comment(String(SearchMatch.description))}export type SearchMatch = ${typeText(SearchMatch, 'shown')};\n`,
    `${comment('The matches of one resource: exact identifiers and email addresses first, then the newest.')}export interface SearchGroup<Name, Found> {
  object: 'search_group';
  resource: Name;
${comment('Whether more records match: make the query longer', '  ')}  has_more: boolean;
  data: {
    record: Found;
${members}  }[];
}\n`,
    `${comment('The matches by resource.')}export interface SearchFindings {
  object: 'search_result';
  url: string;
  index: SearchIndex;
  data: (${union(groups)})[];
}\n`,
    `${comment('The name of `SearchFindings` in 1.0.0.')}export type SearchResult = SearchFindings;\n`,
  ].join('\n');
}
