/** The reference of reading a resource: its list, its filters, and one record. */
import { exampleIdentifier, exampleList } from '../../src/openapi/examples.ts';
import { articled } from '../../src/openapi/names.ts';
import { queryParams } from '../../src/openapi/query-params.ts';
import { inOrder } from '../../src/openapi/read-operations.ts';
import { expandNames } from '../../src/schema/ancestors.ts';
import type { Resource } from '../../src/schema/define.ts';
import { filterMembers } from '../../src/schema/filters.ts';
import { listParams } from '../../src/schema/parse-list.ts';
import type { Curl } from './curl.ts';
import { block, capital, code, kindInWords, pretty, table } from './markdown.ts';

export function readSections(resource: Resource, curl: Curl): string[] {
  return [...listSection(resource, curl), ...findSection(resource, curl)];
}

function listSection(resource: Resource, curl: Curl): string[] {
  const url = `/v1/${resource.path}`;
  const { limit } = listParams(resource);
  return [
    `### GET /v1/${resource.path}`,
    `Lists what the key may see, ${inOrder(resource)}. \`limit\` is ${limit.kind.limit}, and ${resource.list.page} where it is left out. [pagination.md](pagination.md) says how to walk from page to page.`,
    block('sh', curl.get(`${url}?limit=100`)),
    'Answer:',
    block('json', pretty(exampleList(resource))),
    'It can be filtered by these; a record must meet all that are sent:',
    table(['Filter', 'Kind', 'What it is'], filterRows(resource)),
  ];
}

/** A range is in one row: its bounds are the same everywhere. */
function filterRows(resource: Resource): string[][] {
  return queryParams(filterMembers(resource))
    .filter(([name]) => !/\[(?:gt|lte|lt)\]$/.test(name))
    .reduce<string[][]>((rows, [name, { kind, says }]) => {
      if (name.endsWith('[gte]')) {
        const last = rows.at(-1);
        if (last !== undefined) last[0] += `, ${code(name)}, \`[gt]\`, \`[lte]\`, \`[lt]\``;
      } else {
        rows.push([code(name), kindInWords(kind), capital(says)]);
      }
      return rows;
    }, []);
}

function findSection(resource: Resource, curl: Curl): string[] {
  const url = `/v1/${resource.path}/${exampleIdentifier(resource)}`;
  const expandable = expandNames(resource);
  const [first] = expandable;
  return [
    `### GET /v1/${resource.path}/{unique_identifier}`,
    `Reads ${articled(resource)}: ${resource.parent === undefined ? 'the same object as in the list' : 'the same object that its upsert answers'}, with its version as \`ETag\`.`,
    block('sh', curl.get(url)),
    ...(first === undefined
      ? []
      : [
          `\`expand[]\` puts what it belongs to into the answer, here and in lists: ${expandable.map(code).join(', ')} (those of the record and of what it belongs to).`,
          block(
            'sh',
            curl.query(
              url,
              expandable.map((name) => ['expand[]', name]),
            ),
          ),
        ]),
  ];
}
