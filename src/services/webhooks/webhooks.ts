/** The entry point for webhooks: their endpoints, and delivery to them. */

import type { Observer } from '../../core/observe/observers.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import { createDispatcher } from './delivery/dispatcher.ts';
import type { DeliveryParts } from './delivery/outbox.ts';
import { createSender } from './delivery/sender.ts';
import { createSource } from './delivery/source.ts';
import { createWebhookEndpoints, type EndpointsParts } from './endpoints.ts';

export interface WebhookParts
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
