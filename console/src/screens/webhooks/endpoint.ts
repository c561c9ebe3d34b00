/** Where endpoints are, and what they are. */
export type {
  WebhookDelivery as Delivery,
  WebhookEndpoint as Endpoint,
} from '../../../../client/src/generated/operations.ts';

export const PATH = '/v1/webhook_endpoints';
