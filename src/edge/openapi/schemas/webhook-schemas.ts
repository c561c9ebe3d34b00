/** The schemas of webhook endpoints and their deliveries. */
import { exampleOf, ownSchema } from '../../../core/objects/own-object.ts';
import { webhookDelivery } from '../../../core/objects/webhook-delivery.ts';
import { webhookEndpoint } from '../../../core/objects/webhook-endpoint.ts';
import type { JsonSchema } from '../../../core/schema/fields/kind.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { examplePage, pageSchema } from '../pages.ts';
import { exampleIdentifier } from './examples.ts';
import { illustrated } from './illustrated.ts';

export const ENDPOINTS = '/v1/webhook_endpoints';

const id = (prefix: string): string => exampleIdentifier({ prefix });

export const exampleEndpoint = exampleOf(webhookEndpoint, 'api', exampleIdentifier);

export const exampleNewEndpoint: JsonObject = {
  ...exampleEndpoint,
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDN2M1Vwrl4r0=',
};

export const exampleDelivery = exampleOf(webhookDelivery, 'api', exampleIdentifier);

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
const whole = { type: 'integer', minimum: 0 } as const;

const shownEndpoint = ownSchema(webhookEndpoint, 'api');
const endpoint: JsonSchema = {
  ...shownEndpoint,
  properties: {
    ...shownEndpoint.properties,
    secret: text(
      'What notifications are signed with; shown only in the answer that creates or rotates it',
    ),
  },
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
  WebhookDelivery: illustrated(ownSchema(webhookDelivery, 'api'), exampleDelivery),
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
