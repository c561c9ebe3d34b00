/** Endpoints and deliveries as they are answered. */
import { presentTime } from '../schema/present.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../store/webhooks.ts';
import type { Attempt } from './delivery/sender.ts';

/** `secret` is shown once, when it is created. */
export function presentWebhookEndpoint(endpoint: WebhookEndpoint, secret?: string): object {
  const { settings, status, reason } = endpoint;
  return {
    object: 'webhook_endpoint',
    unique_identifier: endpoint.unique_identifier,
    account: endpoint.account,
    url: settings.url,
    description: settings.description,
    notifications: settings.notifications,
    locations: settings.locations,
    deliver: settings.deliver,
    payload: settings.payload,
    status,
    disabled_reason: reason,
    failing_since: momentOf(endpoint.failing_since),
    position: endpoint.position,
    key: endpoint.key,
    inserted_at: momentOf(endpoint.inserted_at),
    updated_at: momentOf(endpoint.updated_at),
    ...(secret === undefined ? {} : { secret }),
  };
}

export function presentWebhookDelivery(delivery: WebhookDelivery): object {
  return {
    object: 'webhook_delivery',
    unique_identifier: delivery.unique_identifier,
    webhook_endpoint: delivery.endpoint,
    change: delivery.change,
    type: delivery.type,
    record: delivery.record,
    status: delivery.status,
    attempts: delivery.attempts,
    status_code: delivery.status_code,
    error: delivery.error,
    duration_ms: delivery.duration_ms,
    next_attempt_at: momentOf(delivery.next_at),
    inserted_at: momentOf(delivery.inserted_at),
    updated_at: momentOf(delivery.updated_at),
  };
}

export function presentWebhookTest({ is, status_code, error, duration_ms }: Attempt): object {
  return {
    object: 'webhook_test',
    delivered: is === 'delivered',
    status_code,
    error,
    duration_ms,
  };
}

function momentOf(time: number | null): string | null {
  return time === null ? null : presentTime(time);
}
