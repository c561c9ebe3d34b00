/** Words of the operations that read records. */

import type { Resource } from '../../../src/core/schema/define.ts';
import { headingOf } from '../../../src/core/schema/present/words.ts';
import { everyAnswer, link, tagged, timed } from '../headers.ts';
import { exampleList, exampleOne } from '../schemas/examples.ts';
import { articled, componentName, refTo } from '../schemas/names.ts';
import { jsonOf } from '../schemas/parts.ts';
import { readSchema } from '../schemas/schemas.ts';
import type { Words } from './operation.ts';

export const readWords = { get: getWords, list: listWords };

function getWords(resource: Resource): Words {
  return {
    summary: `Read ${articled(resource)}`,
    description:
      'Returns the current record. A record that the key may not see gets the same answer as one that does not exist.',
    headers: ['If-None-Match'],
    answer: {
      description: 'The record.',
      headers: { ...timed, ...tagged },
      content: jsonOf(readSchema(resource), exampleOne(resource)),
    },
    others: {
      304: {
        description: 'The answer that `If-None-Match` names is still current.',
        headers: { ...everyAnswer, ...tagged },
      },
    },
    errors: ['resource_missing', 'record_erased', 'version_missing', 'change_damaged'],
  };
}

function listWords(resource: Resource): Words {
  return {
    summary: `List ${headingOf(resource).toLowerCase()}`,
    description: `Lists the records that the key may see, ${inOrder(resource)}. For the next page, send the last \`unique_identifier\` of a page as \`starting_after\` while \`has_more\` is true, or follow the \`next\` of the header \`Link\`. Records must match all filters. ${named(resource)}A page ends before \`limit\` if its records reach 4 MiB. As \`application/x-ndjson\` or \`text/csv\` the answer is the whole list, without \`limit\`, \`ending_before\`, \`include[]\` and \`expand[]\`.`,
    defaults: { limit: resource.list.page },
    answer: {
      description: 'One page of records.',
      headers: { ...timed, ...link },
      content: {
        ...jsonOf(refTo('schemas', `${componentName(resource)}List`), exampleList(resource)),
        'application/x-ndjson': {
          schema: {
            type: 'string',
            description: `The whole list instead of a page: each line is a record as ${ROW}. If it ends early, the last line is an error.`,
          },
        },
        'text/csv': {
          schema: {
            type: 'string',
            description: `The whole list instead of a page: after a line of names, each line is a record as ${ROW}. Members of objects have names with dots, arrays and free-form objects are JSON. If it ends early, the connection is cut.`,
          },
        },
      },
    },
    errors: [
      ...(['value_invalid', 'parameters_conflict'] as const),
      ...(resource.parent === undefined ? [] : (['resource_missing'] as const)),
    ],
  };
}

/** By what a list takes to find one record. */
function named({ parent }: Resource): string {
  return parent === undefined
    ? ''
    : 'Their parent can be named as in an upsert, with your own identifiers; together with `external_identifier`, the list has at most one record. ';
}

const ROW =
  'the upsert that would make it, with `_unique_identifier`, `_inserted_at` and `_updated_at`; what it belongs to is named by your own identifiers';

/** The order of a list in words. */
export function inOrder({ list: { order } }: Resource): string {
  return order === 'newest' ? 'the newest first' : `sorted by ${order.key}`;
}
