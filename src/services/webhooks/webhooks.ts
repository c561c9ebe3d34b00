/** The entry point for webhooks: their endpoints, and delivery to them. */
import type { StateNotifications } from '../../core/objects/own-object.ts';
import { type WebhookDelivery, webhookDelivery } from '../../core/objects/webhook-delivery.ts';
import type { WebhookEndpoint } from '../../core/objects/webhook-endpoint.ts';
import type { Observer } from '../../core/observe/observers.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import type { BookWrite } from '../../store/books/tables.ts';
import type { Store } from '../../store/promises/store.ts';
import { createDispatcher } from './delivery/dispatcher.ts';
import type { DeliveryParts } from './delivery/outbox.ts';
import { createSender } from './delivery/sender.ts';
import { createSource } from './delivery/source.ts';
import { createWebhookEndpoints, type EndpointsParts } from './endpoints.ts';
import { isWanted } from './notifications.ts';

interface WebhookParts
  extends Omit<EndpointsParts, 'sealed'>,
    Pick<DeliveryParts, 'regions' | 'feed' | 'pace' | 'notices'> {
  /** `undefined`: no secret can be read, and nothing is delivered. */
  readonly sealer: Sealer | undefined;
  readonly observer?: Pick<Observer, 'show'> | undefined;
}

export function createWebhooks(parts: WebhookParts) {
  const { store, resources, regions, feed, outbound, sealer, now, pace, notices } = parts;
  const sealed = sealer && { sealer, sender: createSender(outbound, sealer, now) };
  const [root] = resources;
  const isOpen = async (account: string): Promise<boolean> => {
    const scope = { accounts: new Set([account]), anchors: undefined };
    return root !== undefined && (await store.find(root.shape, account, scope)) !== undefined;
  };
  const dispatcher =
    sealed &&
    createDispatcher({
      store,
      regions,
      feed,
      isOpen,
      now,
      pace,
      notices,
      identify: createIdentifiers(now),
      source: createSource(store, resources),
      sender: sealed.sender,
    });
  if (dispatcher !== undefined) {
    parts.observer?.show({
      webhook_endpoints: () => dispatcher.statuses,
      webhook_lag_seconds: () => dispatcher.waiting,
    });
  }
  return {
    endpoints: createWebhookEndpoints({ store, resources, outbound, sealed, now }),
    start: (): void => dispatcher?.start(),
    /** Ends soon, so that other processes can take over. */
    close: async (): Promise<void> => dispatcher?.close(),
  };
}

/**
 * The writes of such a notification's deliveries to the endpoints of its account, for one commit with the state.
 * Endpoints that get signals only are told of changes alone.
 */
export function createAnnouncer(
  { of, right }: StateNotifications,
  { webhooks, keys, log }: Store,
  now: () => number,
) {
  const identify = createIdentifiers(now);

  const maySee = async ({ key, account }: WebhookEndpoint): Promise<boolean> => {
    if (key === account) return true;
    const judged = await keys.find(key);
    return judged.is === 'valid' && judged.key.allow.includes(right);
  };

  return async (
    one: Readonly<Record<'unique_identifier' | 'account' | 'location', string>>,
    state: string,
  ): Promise<readonly BookWrite[]> => {
    const { unique_identifier: record, account, location } = one;
    const position = (await log.last(account))?.position ?? 0;
    const deliveries: WebhookDelivery[] = [];
    for (const endpoint of await webhooks.list([account])) {
      const { settings, status } = endpoint;
      const { locations, notifications } = settings;
      const isFor =
        status !== 'disabled' &&
        (locations === null || locations.includes(location)) &&
        isWanted(notifications, of, state);
      if (!isFor || !(await maySee(endpoint))) continue;
      deliveries.push({
        ...webhookDelivery.nulls,
        unique_identifier: identify('dlv_'),
        endpoint: endpoint.unique_identifier,
        change: identify('msg_'),
        position,
        place: 0,
        type: `${of}.${state}`,
        record,
        status: 'pending',
        attempts: 0,
        inserted_at: now(),
        updated_at: now(),
      });
    }
    return webhooks.putting(deliveries);
  };
}
