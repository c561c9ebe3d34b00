/** A webhook delivery: what became of one change at one endpoint. */
import { choice, text } from '../schema/fields/index.ts';
import { count, identifier, time } from './kinds.ts';
import { field, nullable, type ObjectOf, ownObject } from './own-object.ts';

export const webhookDelivery = ownObject({
  name: 'webhook_delivery',
  says: 'The delivery of one change to one endpoint. Kept for 30 days.',
  table: 'webhook_delivery',
  key: ['endpoint', 'change'],
  indexes: {
    order: 'endpoint, position, place, change',
    pending: "endpoint, position, place WHERE status = 'pending'",
    updated: 'updated_at',
  },
  goesWith: 'account',
  below: ['endpoint', 'webhook_endpoint'],
  backup: 'webhook_deliveries',
  holds: 'What became of each notification',
  goes: 'After 30 days',
  nothing: 'type error',
  path: '/v1/webhook_endpoints/{whk_}/deliveries',
  since: (moment) => `updated_at > ${moment}`,
  fields: {
    unique_identifier: field(identifier('dlv_'), 'Identifier of the delivery'),
    endpoint: field(identifier('whk_'), 'The endpoint', { as: 'webhook_endpoint' }),
    change: field(
      identifier('chg_'),
      'The change; its identifier is sent as `webhook-id`. `msg_…` of a notification of no change',
    ),
    /** The position of the change in the log of the account. */
    position: field(count(), 'The commit of the change', { to: [] }),
    place: field(count(), 'The place of the change in its commit', { to: [] }),
    type: field(text(), 'The notification', { example: 'event_check_in_record.created' }),
    record: field(
      identifier('eci_'),
      'The record that was changed; of `source.silent` and `source.back` the expectation',
    ),
    status: field(
      choice('pending', 'delivered', 'failed'),
      '`pending`: due for an attempt, or waiting for an earlier change of the record',
      { example: 'pending' },
    ),
    attempts: field(count(), 'Number of attempts so far', { example: 1 }),
    status_code: nullable(count(), 'HTTP status of the last response', { example: 503 }),
    error: nullable(text(), 'Why the last attempt failed', {
      example: 'The endpoint answered 503.',
    }),
    duration_ms: nullable(count(), 'Duration of the last attempt, in milliseconds', {
      example: 112,
    }),
    /** `null` where it waits for another one, or is finished. */
    next_at: nullable(time(), 'Time of the next attempt', {
      as: 'next_attempt_at',
      example: '2026-11-20T14:30:06Z',
    }),
    inserted_at: field(time(), 'When it was created', { example: '2026-11-20T14:30:00Z' }),
    updated_at: field(time(), 'When it was last attempted or changed', {
      example: '2026-11-20T14:30:01Z',
    }),
  },
});

export type WebhookDelivery = ObjectOf<typeof webhookDelivery.fields>;
export type DeliveryStatus = WebhookDelivery['status'];
