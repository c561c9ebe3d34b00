/** The types of the client that search takes and answers. */

import type { Resource } from '../../src/core/schema/define.ts';
import { searchedOf, searchSchemas } from '../../src/edge/openapi/operations/search.ts';
import { typeNames } from './records.ts';
import { comment, typeText, union } from './type-text.ts';

export function searchText(resources: readonly Resource[]): string {
  const { SearchIndex = {}, SearchMatch = {} } = searchSchemas(resources);
  const groups = searchedOf(resources).map((resource) => {
    const { record, expandable } = typeNames(resource);
    return `SearchGroup<'${resource.name}', our.${record} & Partial<our.${expandable}>>`;
  });
  return [
    `import type * as our from './records.ts';\n`,
    `${comment(String(SearchIndex.description))}export type SearchIndex = ${typeText(SearchIndex, 'shown')};\n`,
    `${comment(String(SearchMatch.description))}export type SearchMatch = ${typeText(SearchMatch, 'shown')};\n`,
    `${comment('What was found of one resource: what an identifier or email address names first, then the newest.')}export interface SearchGroup<Name, Found> {
  object: 'search_group';
  resource: Name;
${comment('Whether more records meet the query: type more of what you look for', '  ')}  has_more: boolean;
  data: { record: Found; matches: SearchMatch[] }[];
}\n`,
    `${comment('What was found, by resource.')}export interface SearchResult {
  object: 'search_result';
  url: string;
  index: SearchIndex;
  data: (${union(groups)})[];
}\n`,
  ].join('\n');
}
