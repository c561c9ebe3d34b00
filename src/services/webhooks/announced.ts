/** Notifications that tell of no change: that a source has fallen silent, or is back. */
import type { Expectation, NOTIFIED } from '../../core/objects/requests/expectation.ts';
import { type WebhookDelivery, webhookDelivery } from '../../core/objects/webhook-delivery.ts';
import type { WebhookEndpoint } from '../../core/objects/webhook-endpoint.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import type { Store } from '../../store/promises/store.ts';
import { isWanted, SOURCE } from './notifications.ts';

/**
 * The pending deliveries of such a notification to the endpoints of its account, to be written in one commit with the
 * state. Endpoints that get signals only are told of changes alone.
 */
export function createAnnouncer({ webhooks, keys, log }: Store, now: () => number) {
  const identify = createIdentifiers(now);

  /** Callers that may see activity may see whether it arrives. */
  const maySee = async ({ key, account }: WebhookEndpoint): Promise<boolean> => {
    if (key === account) return true;
    const judged = await keys.find(key);
    return judged.is === 'valid' && judged.key.allow.includes('requests');
  };

  return async (
    { unique_identifier: record, account, location }: Expectation,
    state: (typeof NOTIFIED)[number],
  ): Promise<readonly WebhookDelivery[]> => {
    const position = (await log.last(account))?.position ?? 0;
    const deliveries: WebhookDelivery[] = [];
    for (const endpoint of await webhooks.list([account])) {
      const { settings, status } = endpoint;
      const { locations, notifications } = settings;
      const isFor =
        status !== 'disabled' &&
        (locations === null || locations.includes(location)) &&
        isWanted(notifications, SOURCE, state);
      if (!isFor || !(await maySee(endpoint))) continue;
      deliveries.push({
        ...webhookDelivery.nulls,
        unique_identifier: identify('dlv_'),
        endpoint: endpoint.unique_identifier,
        change: identify('msg_'),
        position,
        place: 0,
        type: `${SOURCE}.${state}`,
        record,
        status: 'pending',
        attempts: 0,
        inserted_at: now(),
        updated_at: now(),
      });
    }
    return deliveries;
  };
}
