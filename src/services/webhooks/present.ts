/** Endpoints and deliveries as they are answered. */
import { present } from '../../core/objects/own-object.ts';
import { type WebhookDelivery, webhookDelivery } from '../../core/objects/webhook-delivery.ts';
import { type WebhookEndpoint, webhookEndpoint } from '../../core/objects/webhook-endpoint.ts';
import { webhookTest } from '../../core/objects/webhook-test.ts';
import type { Attempt } from './delivery/sender.ts';

/** `secret` is shown once, when it is created. */
export function presentWebhookEndpoint(endpoint: WebhookEndpoint, secret?: string): object {
  return present(webhookEndpoint, { ...endpoint, secret }, 'api', 0);
}

export function presentWebhookDelivery(delivery: WebhookDelivery): object {
  return present(webhookDelivery, delivery, 'api', 0);
}

export function presentWebhookTest(attempt: Attempt): object {
  return present(webhookTest, { ...attempt, delivered: attempt.is === 'delivered' }, 'api', 0);
}
