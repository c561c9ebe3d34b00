/** A webhook endpoint as it is seen in the console. */
import type { MakeWalks } from '../../support/console-walk.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';

export const walks: MakeWalks = async ({ service, officer }) => {
  const { url } = await startReceiver();
  const account = service.account.unique_identifier;
  const asked = { account, url, description: 'Case management', locations: null };
  const { body } = await officer.post('/v1/webhook_endpoints', asked);
  return [
    { screen: 'webhooks', ready: 'Case management' },
    { screen: 'webhooks', at: `/${body.unique_identifier}`, ready: 'webhooks.deliveries' },
  ];
};
