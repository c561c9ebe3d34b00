/** What webhook endpoints and their deliveries look like. */
import type { JsonSchema } from '../schema/fields/kind.ts';
import type { JsonObject } from '../schema/values.ts';
import { exampleIdentifier } from './examples.ts';
import { illustrated } from './illustrated.ts';
import { open } from './open.ts';
import { examplePage, pageSchema } from './pages.ts';

export const ENDPOINTS = '/v1/webhook_endpoints';

const id = (prefix: string): string => exampleIdentifier({ prefix });

export const exampleEndpoint: JsonObject = {
  object: 'webhook_endpoint',
  unique_identifier: id('whk_'),
  account: id('acct_'),
  url: 'https://example.com/webhooks/ledgerstone',
  description: 'Front desk',
  notifications: ['event_check_in_record.created', '*.deleted'],
  locations: null,
  deliver: 'changes',
  payload: 'thin',
  status: 'enabled',
  disabled_reason: null,
  failing_since: null,
  position: id('chg_'),
  key: id('key_'),
  inserted_at: '2026-11-20T14:30:00Z',
  updated_at: '2026-11-20T14:30:00Z',
};

export const exampleNewEndpoint: JsonObject = {
  ...exampleEndpoint,
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDN2M1Vwrl4r0=',
};

export const exampleDelivery: JsonObject = {
  object: 'webhook_delivery',
  unique_identifier: id('dlv_'),
  webhook_endpoint: id('whk_'),
  change: id('chg_'),
  type: 'event_check_in_record.created',
  record: id('eci_'),
  status: 'pending',
  attempts: 1,
  status_code: 503,
  error: 'The endpoint answered 503.',
  duration_ms: 112,
  next_attempt_at: '2026-11-20T14:30:06Z',
  inserted_at: '2026-11-20T14:30:00Z',
  updated_at: '2026-11-20T14:30:01Z',
};

export const exampleTest: JsonObject = {
  object: 'webhook_test',
  delivered: true,
  status_code: 200,
  error: null,
  duration_ms: 84,
};

const text = (description: string, more: object = {}): JsonSchema => ({
  type: 'string',
  description,
  ...more,
});
const orNull = (type: string, description: string, more: object = {}): JsonSchema => ({
  type: [type, 'null'],
  description,
  ...more,
});
const moment = (description: string): JsonSchema =>
  orNull('string', description, { format: 'date-time' });
const texts = (type: string | readonly string[], description: string): JsonSchema => ({
  type,
  items: { type: 'string' },
  description,
});
const whole = { type: 'integer', minimum: 0 } as const;

const endpoint: JsonSchema = {
  type: 'object',
  description: 'Where notifications of the changes of an account are sent.',
  properties: {
    object: text('Type name of the object', { const: 'webhook_endpoint' }),
    unique_identifier: text('Identifier of the endpoint'),
    account: text('The account whose changes are sent'),
    url: text('Where notifications are sent'),
    description: orNull('string', 'What it is for'),
    notifications: texts('array', 'Which notifications are sent'),
    locations: texts(['array', 'null'], 'The only locations whose changes are sent; null: all'),
    deliver: text('Whether each change is sent, or only that there are some', {
      enum: ['changes', 'signal'],
    }),
    payload: text('Whether the record is sent with the change', { enum: ['thin', 'full'] }),
    status: open(
      ['enabled', 'failing', 'paused', 'disabled'],
      '`failing`: many deliveries failed, and it is tried now and then until one succeeds; `paused` and `disabled`: nothing is sent',
    ),
    disabled_reason: orNull(
      'string',
      'Why it is paused or disabled: `paused` by a request, `key_ended`, `gone` (it answered 410), `failing_too_long`, `changes_expired`, `changes_rewound` or `restored`',
    ),
    failing_since: moment('When the first delivery failed since the last success'),
    position: orNull(
      'string',
      'The change up to which all are delivered, or are listed as pending',
    ),
    key: text('The API key that sees for it: what that key may not read is not sent'),
    inserted_at: text('When it was created', { format: 'date-time' }),
    updated_at: text('When it was last changed by a request', { format: 'date-time' }),
    secret: text(
      'What notifications are signed with; shown only in the answer that creates or rotates it',
    ),
  },
  required: Object.keys(exampleEndpoint),
};

const delivery: JsonSchema = {
  type: 'object',
  description: 'What became of one change at one endpoint. Kept for 30 days.',
  properties: {
    object: text('Type name of the object', { const: 'webhook_delivery' }),
    unique_identifier: text('Identifier of the delivery'),
    webhook_endpoint: text('The endpoint'),
    change: text('The change, whose identifier is sent as `webhook-id`'),
    type: text('The notification'),
    record: text('The record that was changed'),
    status: text('`pending`: it is to be tried, or waits for an earlier change of the record', {
      enum: ['pending', 'delivered', 'failed'],
    }),
    attempts: { ...whole, description: 'How often it was tried' },
    status_code: orNull('integer', 'The status that the endpoint answered last'),
    error: orNull('string', 'Why the last try failed'),
    duration_ms: orNull('integer', 'Milliseconds that the last try took'),
    next_attempt_at: moment('When it is tried next'),
    inserted_at: text('When it was first noted', { format: 'date-time' }),
    updated_at: text('When it was tried or changed last', { format: 'date-time' }),
  },
  required: Object.keys(exampleDelivery),
};

const test: JsonSchema = {
  type: 'object',
  description: 'What became of a test.',
  properties: {
    object: text('Type name of the object', { const: 'webhook_test' }),
    delivered: { type: 'boolean', description: 'Whether the endpoint answered 2xx' },
    status_code: orNull('integer', 'The status that it answered'),
    error: orNull('string', 'Why the test failed'),
    duration_ms: { ...whole, description: 'Milliseconds that it took' },
  },
  required: Object.keys(exampleTest),
};

export const webhookSchemas = {
  WebhookEndpoint: illustrated(endpoint, exampleNewEndpoint),
  WebhookEndpointList: pageSchema(
    'WebhookEndpoint',
    examplePage(ENDPOINTS, exampleEndpoint),
    ENDPOINTS,
  ),
  WebhookDelivery: illustrated(delivery, exampleDelivery),
  WebhookDeliveryList: pageSchema(
    'WebhookDelivery',
    examplePage(`${ENDPOINTS}/${id('whk_')}/deliveries`, exampleDelivery),
  ),
  RemovedWebhookEndpoint: illustrated(
    {
      type: 'object',
      description: 'In place of an endpoint that was deleted.',
      properties: {
        object: text('Type name of the object', { const: 'webhook_endpoint' }),
        unique_identifier: text('Identifier of the endpoint'),
        deleted: { type: 'boolean', const: true, description: 'Always true' },
      },
      required: ['object', 'unique_identifier', 'deleted'],
    },
    { object: 'webhook_endpoint', unique_identifier: id('whk_'), deleted: true },
  ),
  WebhookTest: illustrated(test, exampleTest),
};
