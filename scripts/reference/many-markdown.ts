/** The reference of upserting many records of a resource in one request. */
import { exampleIdentifier, exampleRequest } from '../../src/openapi/examples.ts';
import type { Resource } from '../../src/schema/define.ts';
import { inWords } from '../../src/schema/words.ts';
import type { Curl } from './curl.ts';
import { block, pretty } from './markdown.ts';

export function manySection(resource: Resource, curl: Curl): string[] {
  if (resource.parent === undefined) return [];
  const url = `/v1/${resource.path}/upsert_many`;
  const row = { ...exampleRequest(resource, 'least'), external_identifier: 'row-1' };
  return [
    `### POST ${url}`,
    `Creates or updates many ${inWords(resource.path)} in one request: each row is the JSON body of an upsert, and gets its own answer. [bulk.md](bulk.md) says how, also for streams of lines.`,
    block('sh', curl.json(url, [row])),
    'Answer:',
    block(
      'json',
      pretty({
        object: 'upsert_many',
        url,
        data: [{ unique_identifier: exampleIdentifier(resource), outcome: 'created' }],
        summary: { created: 1, updated: 0, unchanged: 0, failed: 0 },
      }),
    ),
  ];
}
