/** The operations that tell of changes, and bring back what was before. */
import type { Resource } from '../schema/define.ts';
import { recordWriteParams } from '../schema/parse.ts';
import { changesParams } from '../schema/parse-changes.ts';
import { historyParams } from '../schema/parse-history.ts';
import { exampleChanges, exampleHistory } from './change-schemas.ts';
import { changesCodes, historyCodes, restoreCodes } from './codes.ts';
import { errorResponses } from './errors.ts';
import { exampleAnswer } from './examples.ts';
import { outcome, rehearsed, replayed, tagged, timed } from './headers.ts';
import { articled, refTo, tagName } from './names.ts';
import { identifierInPath, parameterOf, queryParams } from './query-params.ts';
import { readSchema } from './schemas.ts';

export const CHANGES_TAG = {
  name: 'Changes',
  description: 'What changed, in the order in which it was done.',
};

/** `example` is a resource that has a parent. */
export function changesPath(resources: readonly Resource[], example: Resource): object {
  const params = changesParams(resources);
  const line = 'Goes on until the caller leaves or the key ends';
  return {
    get: {
      operationId: 'list_changes',
      tags: [CHANGES_TAG.name],
      summary: 'Follow what changes',
      description:
        'Answers the changes of an account in the order in which they were done, each once. To follow them, send the `position` of each answer as `starting_after` of the next. With `wait` the answer comes as soon as there is one; as `application/x-ndjson` or `text/event-stream` it goes on for ever.',
      parameters: [
        ...queryParams(params).map(([name, field]) => parameterOf(name, field)),
        {
          name: 'Last-Event-ID',
          in: 'header',
          description: 'What `EventSource` sends by itself: counts instead of `starting_after`',
          schema: { type: 'string' },
        },
        refTo('parameters', 'Ledgerstone-Unknown-Fields'),
      ],
      responses: {
        200: {
          description: 'The changes after the position.',
          headers: timed,
          content: {
            'application/json': {
              schema: refTo('schemas', 'ChangeList'),
              example: exampleChanges(example),
            },
            'application/x-ndjson': {
              schema: {
                type: 'string',
                description: `A change in each line; \`{"object":"position"}\` at the beginning and every 15 seconds where there is nothing else to say. ${line}.`,
              },
            },
            'text/event-stream': {
              schema: {
                type: 'string',
                description: `An event \`change\` for each change, its \`id\` the place to go on from. ${line}.`,
              },
            },
          },
        },
        ...errorResponses(changesCodes(params)),
      },
    },
  };
}

export function historyOperation(resource: Resource): object {
  return {
    operationId: `list_${resource.name}_history`,
    tags: [tagName(resource)],
    summary: `Read the history of ${articled(resource)}`,
    description:
      'Answers what was done to the record, the newest first, and what each change made of its members; also for a record that was removed, as far as the log of changes goes back.',
    parameters: [
      identifierInPath(resource),
      ...queryParams(historyParams).map(([name, field]) => parameterOf(name, field)),
      refTo('parameters', 'Ledgerstone-Unknown-Fields'),
    ],
    responses: {
      200: {
        description: 'The changes of the record.',
        headers: timed,
        content: {
          'application/json': {
            schema: refTo('schemas', 'HistoryList'),
            example: exampleHistory(resource),
          },
        },
      },
      ...errorResponses(historyCodes()),
    },
  };
}

export function restoreOperation(resource: Resource): object {
  const schema = refTo('schemas', 'RestoreRequest');
  return {
    operationId: `restore_${resource.name}`,
    tags: [tagName(resource)],
    summary: `Restore an earlier version of ${articled(resource)}`,
    description:
      'Gives the record the content of that version again, as a new version. A record that was removed comes back with its `unique_identifier`, where what it belongs to is there and nothing else has its `external_identifier` there by now. The key needs the permissions to read and to write.',
    parameters: [
      identifierInPath(resource),
      ...queryParams(recordWriteParams(resource)).map(([name, field]) => parameterOf(name, field)),
      refTo('parameters', 'Idempotency-Key'),
      refTo('parameters', 'If-Match'),
      refTo('parameters', 'Ledgerstone-Unknown-Fields'),
    ],
    requestBody: {
      required: true,
      description: 'The same as JSON or as a form.',
      content: {
        'application/json': { schema, example: { version: 1 } },
        'application/x-www-form-urlencoded': { schema, example: { version: 1 } },
      },
    },
    responses: {
      200: {
        description: 'The record as it is now.',
        headers: { ...timed, ...outcome, ...tagged, ...rehearsed, ...replayed },
        content: {
          'application/json': { schema: readSchema(resource), example: exampleAnswer(resource) },
        },
      },
      ...errorResponses(restoreCodes(resource)),
    },
  };
}
