/**
 * The store's contract for webhooks: endpoints, how far each has come in the log of changes,
 * which process delivers to it now, and the results of deliveries.
 * None of it is part of a commit of records, and nothing of a record but identifiers is in it.
 */
import type { DeliveryStatus, WebhookDelivery } from '../../core/objects/webhook-delivery.ts';
import type { WebhookEndpoint, WebhookStatus } from '../../core/objects/webhook-endpoint.ts';

export type { DeliveryStatus, WebhookDelivery } from '../../core/objects/webhook-delivery.ts';
export type {
  SealedSecret,
  WebhookEndpoint,
  WebhookSettings,
  WebhookState,
  WebhookStatus,
} from '../../core/objects/webhook-endpoint.ts';

export type NewWebhookEndpoint = Omit<WebhookEndpoint, 'inserted_at' | 'updated_at'>;

/** Who delivers to an endpoint, as far as callers need to know. */
export interface WebhookLease {
  readonly unique_identifier: string;
  readonly status: WebhookStatus;
  /** `null` where no process delivers to it. */
  readonly lease: string | null;
  /** Milliseconds that are left of it, by the store's clock. */
  readonly left: number;
}

/** Where a list of deliveries goes on: it goes from the newest change to the oldest. */
export type DeliveryCursor = Pick<WebhookDelivery, 'position' | 'place' | 'change'>;

export interface DeliveriesQuery {
  readonly endpoint: string;
  readonly status?: DeliveryStatus | undefined;
  readonly after?: DeliveryCursor | undefined;
  readonly limit: number;
}

/** How long a lease lasts that is not renewed. */
export const LEASE_MS = 30_000;
/** How long finished deliveries are stored. */
export const DELIVERIES_KEPT_MS = 30 * 24 * 60 * 60 * 1000;
