/** The schemas of responses to bulk upserts, the same for all resources. */
import type { Resource } from '../../../src/core/schema/define.ts';
import type { JsonSchema } from '../../../src/core/schema/fields/kind.ts';
import type { Json } from '../../../src/core/schema/values.ts';
import { rowErrorExample } from '../errors.ts';
import { exampleIdentifier } from './examples.ts';
import { illustrated } from './illustrated.ts';
import { refTo } from './names.ts';
import { countOf, flagOf, listOf, objectOf, textOf, typeNamed } from './parts.ts';

const written: Record<string, JsonSchema> = {
  unique_identifier: textOf(
    'Identifier of the record; omitted if it was erased or is past its retention, or would only be created (`dry_run=true`)',
  ),
  outcome: refTo('schemas', 'Outcome'),
  kept: {
    ...listOf(
      'Present if there are any: members of the row that keep the value that staff entered; the sent values are proposals',
      { type: 'string' },
    ),
    examples: [['visitor_full_name']],
  },
  newer: flagOf(
    'Present if the record has other values than the row, and stays: your source changed it after the data of the sync was taken (`as_of`)',
    { const: true, examples: [true] },
  ),
};
const SELDOM = ['unique_identifier', 'kept', 'newer'];
const error = refTo('schemas', 'RowError');
const summary = refTo('schemas', 'UpsertManySummary');
const ownLine = countOf('Number of the line in the body, counted from 1', 1);

const array: Record<string, JsonSchema> = {
  UpsertMany: objectOf('The outcomes of the rows of a JSON array.', {
    object: typeNamed('upsert_many'),
    url: textOf('The path of the request'),
    data: listOf('One element per row, in the order of the rows', {
      oneOf: [refTo('schemas', 'RowWritten'), refTo('schemas', 'RowRefused')],
    }),
    summary,
  }),
  RowWritten: objectOf('A row of an array that was written.', written, SELDOM),
  RowRefused: objectOf('A row of an array that was not written.', { error }),
  UpsertManySummary: objectOf(
    'How many rows were created, updated, left unchanged, and failed',
    {
      created: countOf('Records that were created'),
      updated: countOf('Records that were changed'),
      unchanged: countOf('Records that were so already'),
      failed: countOf('Rows for which nothing was done'),
      erased: {
        ...countOf(
          'Rows that were left out because their records were erased, or are past their retention; absent if there are none',
        ),
        examples: [1],
      },
    },
    ['erased'],
  ),
  Outcome: textOf(
    'What was done with a row. `erased`: nothing, since its record was erased or is past its retention; remove it from your system, too',
    { enum: ['created', 'updated', 'unchanged', 'erased'] },
  ),
};

const lines: Record<string, JsonSchema> = {
  UpsertManyLine: {
    description:
      'A line of the answer to a stream of lines: one per row, in the order of the rows, then a summary.',
    // Not exactly one: the last line may also say what a refused one does.
    anyOf: ['LineWritten', 'LineRefused', 'LastLine'].map((name) => refTo('schemas', name)),
  },
  LineWritten: objectOf('A row that was written.', { line: ownLine, ...written }, SELDOM),
  LineRefused: objectOf('A row that was not written.', { line: ownLine, error }),
  LastLine: objectOf(
    'The last line. Without it the answer is incomplete: the connection broke.',
    {
      summary,
      error,
      line: countOf(
        'If the stream ended early: the first line that was not processed. Resend the rows from this line on',
        1,
      ),
    },
    ['error', 'line'],
  ),
};

/** The components, by name; their examples are of the resource. */
export function manySchemas(resource: Resource, serverUrl: string): Record<string, JsonSchema> {
  const answer = exampleOfMany(resource, serverUrl);
  const first = { unique_identifier: exampleIdentifier(resource) };
  const shown: Record<string, Json> = {
    UpsertMany: answer,
    UpsertManySummary: answer.summary,
    RowWritten: first,
    LineWritten: { line: 57, ...first },
    LineRefused: { line: 57 },
    LastLine: { line: 57 },
  };
  return Object.fromEntries(
    Object.entries({ ...array, ...lines }).map(([name, schema]) => [
      name,
      illustrated(schema, shown[name]),
    ]),
  );
}

/** An answer to an array of two rows, of which the second was refused. */
export function exampleOfMany(resource: Resource, serverUrl: string) {
  return {
    object: 'upsert_many',
    url: `/v1/${resource.path}/upsert_many`,
    data: [
      { unique_identifier: exampleIdentifier(resource), outcome: 'created' },
      { error: rowErrorExample(serverUrl) },
    ],
    summary: { created: 1, updated: 0, unchanged: 0, failed: 1 },
  };
}
