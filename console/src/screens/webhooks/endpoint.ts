/** Where endpoints are, and one that was just created or given a new secret. */
import type { WebhookEndpoint } from '../../generated/objects.ts';

export type { WebhookDelivery as Delivery } from '../../generated/objects.ts';
export type Endpoint = WebhookEndpoint & { readonly secret?: string };

export const PATH = '/v1/webhook_endpoints';
