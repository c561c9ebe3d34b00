/** Words of the operation that upserts many records at once. */
import type { Resource } from '../../../src/core/schema/define.ts';
import { inWords } from '../../../src/core/schema/present/words.ts';
import { rehearsed, replayed, timed } from '../headers.ts';
import { exampleRequest } from '../schemas/examples.ts';
import { exampleOfMany } from '../schemas/many-schemas.ts';
import { componentName, refTo } from '../schemas/names.ts';
import { SYNC_ERRORS, type Words, type WordsOptions } from './operation.ts';

const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';
const TABLE_TYPES = ['text/csv', 'text/tab-separated-values'];

export function upsertManyWords(resource: Resource, { serverUrl }: WordsOptions): Words {
  const words = inWords(resource.path);
  const row = refTo('schemas', `${componentName(resource)}Upsert`);
  return {
    summary: `Create or update many ${words}`,
    description: `Takes rows, each as the body of an upsert, and answers each in order: one bad row does not affect the others, and the status is 200 even if all of them fail. Send up to 1,000 rows as a JSON array, or up to 100,000 as lines (\`${LINES_TYPE}\`) or as a table (\`${TABLE_TYPES.join('`, `')}\`), which are processed as they arrive: read the answer while you send.`,
    headers: ['Idempotency-Key', 'Ledgerstone-Mode', 'Ledgerstone-Sync', 'Ledgerstone-Instead-Of'],
    requestBody: {
      required: true,
      description:
        'A JSON array of up to 1,000 rows and 32 MiB; or one row per line, or a table whose header names parameters. Their rows are up to 1 MiB each, and they take neither `atomic=true` nor an `Idempotency-Key`.',
      content: {
        [JSON_TYPE]: {
          schema: { type: 'array', maxItems: 1000, items: row },
          example: [exampleRequest(resource, 'full')],
        },
        [LINES_TYPE]: { schema: row },
        ...Object.fromEntries(TABLE_TYPES.map((type) => [type, { schema: { type: 'string' } }])),
      },
    },
    answer: {
      description: 'The outcome of each row.',
      headers: { ...timed, ...rehearsed, ...replayed },
      content: {
        [JSON_TYPE]: {
          schema: refTo('schemas', 'UpsertMany'),
          example: exampleOfMany(resource, serverUrl),
        },
        [LINES_TYPE]: { schema: refTo('schemas', 'UpsertManyLine') },
      },
    },
    // The errors of single rows stand in the answer.
    errors: [
      ...(['value_invalid', 'parameter_missing', 'csv_invalid', 'json_invalid'] as const),
      ...(['batch_refused', 'rows_too_many', 'stream_refused'] as const),
      ...(['idempotency_key_reused', 'idempotency_keys_exhausted'] as const),
      ...SYNC_ERRORS,
    ],
    never: ['body_unexpected'],
  };
}
