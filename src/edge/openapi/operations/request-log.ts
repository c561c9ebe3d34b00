/** The schemas of the request log. */

import type { JsonSchema } from '../../../core/schema/fields/kind.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { presentActivity, presentRefused } from '../../../services/requests/present.ts';
import { examplePage, pageSchema } from '../pages.ts';
import { illustrated } from '../schemas/illustrated.ts';

const LINE = 57;
const of = { account: 'acct_0350hLTg4Qw7ghih1EWE8L', key: 'key_0350hLTg4Qw7ghih1EWE8M' };
const time = Date.parse('2026-11-21T02:00:07.125Z');

const refused = presentRefused({
  ...of,
  request_id: 'req_0350hLTg4Qw7ghih1EWE8L',
  time,
  authentication: null,
  address: '203.0.113.7',
  method: 'POST',
  path: '/v1/events/upsert_many',
  status: 200,
  code: 'datetime_invalid',
  faults: [{ code: 'datetime_invalid', param: 'event_datetime', count: 1, rows: [LINE] }],
  rows: { numbered: 'lines', counts: { created: 199, datetime_invalid: 1 } },
}) as JsonObject;

const activity = presentActivity({
  ...of,
  hour: Date.parse('2026-11-21T02:00:00Z'),
  anchor: 'loc_0350hLTg4Qw7ghih1EWE8N',
  resource: 'event',
  outcome: 'created',
  count: 199,
  last_at: time,
}) as JsonObject;

const text = (description: string, more: object = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
});
const moment = (description: string): JsonSchema => text(description, { format: 'date-time' });
const whole = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
const numbers = (description: string): JsonSchema => ({
  type: 'array',
  description,
  items: { type: 'integer', minimum: 0, examples: [LINE] },
  examples: [[LINE]],
});

const refusedError: JsonSchema = {
  type: 'object',
  description: 'Faults of one kind.',
  properties: {
    code: text('The error code'),
    param: text('The parameter, as far as its name is declared: any other name is `*`'),
    message: text('The message the caller received. Submitted values are left out'),
    nearest: text('Of an unknown name, the known one that is most like it', {
      examples: ['event_datetime'],
    }),
    count: whole('How many such faults there were'),
    lines: numbers('The first lines of a stream that have it, counted from 1'),
    elements: {
      ...numbers('The first elements of an array that have it, counted from 0'),
      examples: [[56]],
    },
  },
  required: ['code', 'message', 'count'],
};

const refusedRequest: JsonSchema = {
  type: 'object',
  description:
    'A request that was refused, or of whose rows some were. Nothing that was sent is in it.',
  properties: {
    object: text('Always `request`', { const: 'request' }),
    request_id: text('The `Request-Id` of the answer'),
    time: moment('When it was answered'),
    key: text('The API key'),
    account: text('The account of the key; left out where it has several'),
    authentication: text(
      'Why the key was not taken: `revoked`, `expired`, `suspended`, `address_not_permitted` or `account_closed`; left out where it was taken',
      { examples: ['revoked'] },
    ),
    address: text('The network address that it came from'),
    method: text('The method'),
    path: text('The path; a part that is neither of ours nor an identifier that we gave is `*`'),
    status: whole('The status of the answer: 200 where only rows were refused'),
    code: text('The error code of the answer, or of most of its rows that were refused'),
    message: text('The message the caller received. Submitted values are left out'),
    errors: {
      type: 'array',
      description: 'What was wrong, the most frequent first',
      items: refusedError,
    },
    rows: {
      type: 'object',
      description: 'Of `upsert_many`: how many rows, by what was done or by error code',
      additionalProperties: { type: 'integer' },
    },
  },
  required: [
    'object',
    'request_id',
    'time',
    'method',
    'path',
    'status',
    'code',
    'message',
    'errors',
  ],
};

const activityEntry: JsonSchema = {
  type: 'object',
  description: 'How much was done in one hour with one key in one place.',
  properties: {
    object: text('Always `activity`', { const: 'activity' }),
    hour: moment('When the hour began'),
    account: text('The account of the records; left out where it is one of several'),
    key: text('The API key'),
    location: text('The location of the records; left out where there is none'),
    resource: text('The resource'),
    outcome: text(
      'What was done, `read` or `refused`; `deprecated`: counted once more, since it used what is to go',
    ),
    count: whole('How many requests or rows'),
    last_at: moment('When the last of them was answered'),
    cursor: text('What to send as `starting_after` to go on after this entry'),
  },
  required: ['object', 'hour', 'key', 'outcome', 'count', 'last_at', 'cursor'],
};

export const requestLogSchemas: Record<string, JsonSchema> = {
  RefusedRequest: illustrated(refusedRequest, refused),
  RefusedRequestList: pageSchema(
    'RefusedRequest',
    examplePage('/v1/requests', refused),
    '/v1/requests',
  ),
  Activity: illustrated(activityEntry, activity),
  ActivityList: pageSchema('Activity', examplePage('/v1/activity', activity), '/v1/activity'),
};
