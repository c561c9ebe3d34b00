/** The operation that upserts many records of a resource at once. */
import { ApiError } from '../errors.ts';
import type { Resource } from '../schema/define.ts';
import type { JsonSchema } from '../schema/fields/kind.ts';
import { manyParams } from '../schema/parse-many.ts';
import type { Json } from '../schema/values.ts';
import { inWords } from '../schema/words.ts';
import { manyCodes } from './codes.ts';
import { errorExample, errorResponses, partErrorSchema } from './errors.ts';
import { exampleIdentifier, exampleRequest } from './examples.ts';
import { rehearsed, replayed, timed } from './headers.ts';
import { componentName, refTo, tagName } from './names.ts';
import { parameterOf, queryParams } from './query-params.ts';

const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';

const count = (what: string): JsonSchema => ({ type: 'integer', minimum: 0, description: what });

const rowProperties: Record<string, JsonSchema> = {
  unique_identifier: {
    type: 'string',
    description:
      'Identifier of the record; left out where nothing was done, and of a record that only would be created',
  },
  outcome: {
    type: 'string',
    enum: ['created', 'updated', 'unchanged'],
    description: 'What was done; left out where there is an error',
  },
  error: refTo('schemas', 'RowError'),
};

const summaryProperty = refTo('schemas', 'UpsertManySummary');

/** The components that are the same for all resources, by name. */
export const manySchemas: Record<string, JsonSchema> = {
  RowError: partErrorSchema,
  UpsertManySummary: {
    type: 'object',
    description: 'How many rows were created, updated, left unchanged, and failed',
    properties: {
      created: count('Records that were created'),
      updated: count('Records that were changed'),
      unchanged: count('Records that were so already'),
      failed: count('Rows for which nothing was done'),
    },
    required: ['created', 'updated', 'unchanged', 'failed'],
  },
  UpsertMany: {
    type: 'object',
    description: 'What became of the rows of a JSON array.',
    properties: {
      object: { type: 'string', const: 'upsert_many' },
      url: { type: 'string', description: 'The path that was asked' },
      data: {
        type: 'array',
        description: 'One element for each row, in the order of the rows',
        items: { type: 'object', properties: rowProperties },
      },
      summary: summaryProperty,
    },
    required: ['object', 'url', 'data', 'summary'],
  },
  UpsertManyLine: {
    type: 'object',
    description:
      'A line of the answer to lines: one for each row, in the order of the rows, and a last one with `summary`. Where the stream ended early, that one has an `error`, too, and `line` is the first line from which on nothing was carried out.',
    properties: {
      line: { type: 'integer', minimum: 1, description: 'Number of the line in the body' },
      ...rowProperties,
      summary: summaryProperty,
    },
  },
};

export function upsertManyOperation(resource: Resource, serverUrl: string): object {
  const words = inWords(resource.path);
  const row = refTo('schemas', `${componentName(resource)}Upsert`);
  return {
    operationId: `upsert_many_${resource.path}`,
    tags: [tagName(resource)],
    summary: `Create or update many ${words}`,
    description: `Takes rows, each as the body of an upsert, and answers each in order: one bad row harms no other, and the status is 200 even where all of them fail. Up to 1,000 rows are sent as a JSON array, up to 100,000 as lines (\`${LINES_TYPE}\`), which are read and answered as they arrive: read the answer while you send.`,
    parameters: [
      ...queryParams(manyParams).map(([name, field]) => parameterOf(name, field)),
      refTo('parameters', 'Idempotency-Key'),
      refTo('parameters', 'Ledgerstone-Mode'),
      refTo('parameters', 'Ledgerstone-Unknown-Fields'),
    ],
    requestBody: {
      required: true,
      description:
        'A JSON array of up to 1,000 rows and 32 MiB; or one row a line, each up to 1 MiB, for which there is neither `atomic=true` nor an `Idempotency-Key`.',
      content: {
        [JSON_TYPE]: {
          schema: { type: 'array', maxItems: 1000, items: row },
          example: [exampleRequest(resource, 'full')],
        },
        [LINES_TYPE]: { schema: row },
      },
    },
    responses: {
      200: {
        description: 'What became of each row.',
        headers: { ...timed, ...rehearsed, ...replayed },
        content: {
          [JSON_TYPE]: {
            schema: refTo('schemas', 'UpsertMany'),
            example: exampleOfMany(resource, serverUrl),
          },
          [LINES_TYPE]: { schema: refTo('schemas', 'UpsertManyLine') },
        },
      },
      ...errorResponses(manyCodes()),
    },
  };
}

function exampleOfMany(resource: Resource, serverUrl: string): Json {
  const { error } = errorExample(
    new ApiError('parameter_missing', { param: 'external_identifier' }),
    serverUrl,
  ) as { error: { request_id: string; doc_url: string } };
  const { request_id: _id, doc_url: _url, ...part } = error;
  return {
    object: 'upsert_many',
    url: `/v1/${resource.path}/upsert_many`,
    data: [{ unique_identifier: exampleIdentifier(resource), outcome: 'created' }, { error: part }],
    summary: { created: 1, updated: 0, unchanged: 0, failed: 1 },
  };
}
