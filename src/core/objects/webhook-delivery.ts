/** A webhook delivery: what became of one change at one endpoint. */
import { choice, text } from '../schema/fields/index.ts';
import { count, identifier, time } from './kinds.ts';
import { field, nullable, type ObjectOf, ownObject } from './own-object.ts';

export const webhookDelivery = ownObject({
  name: 'webhook_delivery',
  typeName: 'WebhookDelivery',
  says: 'What became of one change at one endpoint. Kept for 30 days.',
  table: 'webhook_delivery',
  key: ['endpoint', 'change'],
  path: '/v1/webhook_endpoints/{whk_}/deliveries',
  since: (moment) => `updated_at > ${moment}`,
  fields: {
    unique_identifier: field(identifier('dlv_'), 'Identifier of the delivery'),
    endpoint: field(identifier('whk_'), 'The endpoint', { as: 'webhook_endpoint' }),
    change: field(identifier('chg_'), 'The change, whose identifier is sent as `webhook-id`'),
    /** Of the change, in the log of the account. */
    position: field(count(), 'The commit that the change is of', { to: [] }),
    place: field(count(), 'Where the change stands in its commit', { to: [] }),
    type: field(text(), 'The notification', { example: 'event_check_in_record.created' }),
    record: field(identifier('eci_'), 'The record that was changed'),
    status: field(
      choice('pending', 'delivered', 'failed'),
      '`pending`: it is to be tried, or waits for an earlier change of the record',
      { example: 'pending' },
    ),
    attempts: field(count(), 'How often it was tried', { example: 1 }),
    status_code: nullable(count(), 'The status that the endpoint answered last', { example: 503 }),
    error: nullable(text(), 'Why the last try failed', { example: 'The endpoint answered 503.' }),
    duration_ms: nullable(count(), 'Milliseconds that the last try took', { example: 112 }),
    /** `null` where it waits for another one, or is finished. */
    next_at: nullable(time(), 'When it is tried next', {
      as: 'next_attempt_at',
      example: '2026-11-20T14:30:06Z',
    }),
    inserted_at: field(time(), 'When it was first noted', { example: '2026-11-20T14:30:00Z' }),
    updated_at: field(time(), 'When it was tried or changed last', {
      example: '2026-11-20T14:30:01Z',
    }),
  },
});

export type WebhookDelivery = ObjectOf<typeof webhookDelivery.fields>;
export type DeliveryStatus = WebhookDelivery['status'];
