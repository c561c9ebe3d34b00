/** The addresses and the types of webhook endpoints. */
export type {
  WebhookDelivery as Delivery,
  WebhookEndpoint as Endpoint,
} from '../../../../client/src/generated/objects.d.ts';

export const PATH = '/v1/webhook_endpoints';
