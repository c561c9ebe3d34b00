/** Endpoints and deliveries as they are answered. */
import { present } from '../../core/objects/own-object.ts';
import { type WebhookDelivery, webhookDelivery } from '../../core/objects/webhook-delivery.ts';
import { type WebhookEndpoint, webhookEndpoint } from '../../core/objects/webhook-endpoint.ts';
import type { Attempt } from './delivery/sender.ts';

/** `secret` is shown once, when it is created. */
export function presentWebhookEndpoint(endpoint: WebhookEndpoint, secret?: string): object {
  const shown = present(webhookEndpoint, endpoint, 'api', 0);
  return secret === undefined ? shown : { ...shown, secret };
}

export function presentWebhookDelivery(delivery: WebhookDelivery): object {
  return present(webhookDelivery, delivery, 'api', 0);
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
