/**
 * The store's contract for webhooks: endpoints, how far each has come in the log of changes,
 * which process delivers to it now, and the results of deliveries.
 * None of it is part of a commit of records, and nothing of a record but identifiers is in it.
 */
import type { DeliveryStatus, WebhookDelivery } from '../../core/objects/webhook-delivery.ts';
import type {
  WebhookEndpoint,
  WebhookState,
  WebhookStatus,
} from '../../core/objects/webhook-endpoint.ts';

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

export interface WebhookBook {
  create(endpoint: NewWebhookEndpoint): Promise<WebhookEndpoint>;
  /** Of these accounts, the newest first; not said: of all. */
  list(accounts?: readonly string[]): Promise<readonly WebhookEndpoint[]>;
  find(unique_identifier: string): Promise<WebhookEndpoint | undefined>;
  /** Changes the settings, and ends the lease: the process that delivers starts over. `undefined`: no such endpoint. */
  change(
    unique_identifier: string,
    state: Partial<WebhookState>,
  ): Promise<WebhookEndpoint | undefined>;
  /** Its deliveries are purged at their usual age. Returns whether it existed. */
  remove(unique_identifier: string): Promise<boolean>;

  /** Of all endpoints. */
  leases(): Promise<readonly WebhookLease[]>;
  /**
   * Leases those of these endpoints that are enabled or failing and not leased, for `LEASE_MS` by the store's clock.
   */
  take(lease: string, endpoints: readonly string[]): Promise<readonly WebhookEndpoint[]>;
  /** Makes all that were taken with that lease last for `LEASE_MS` from now. */
  renew(lease: string): Promise<void>;
  release(lease: string): Promise<void>;
  /**
   * Notes what became of deliveries, and the state that follows, in one commit. Writes nothing and gives `false` where
   * that lease has ended.
   */
  settle(
    unique_identifier: string,
    lease: string,
    state: Partial<WebhookState>,
    deliveries: readonly WebhookDelivery[],
  ): Promise<boolean>;

  /** Creates or replaces a delivery, and ends the lease. */
  redeliver(delivery: WebhookDelivery): Promise<void>;
  /** Makes pending deliveries due now, without their delays. */
  hasten(endpoint: string): Promise<void>;
  /** All that are pending, in the order of their changes. */
  pending(endpoint: string): Promise<readonly WebhookDelivery[]>;
  /** The newest change first. */
  deliveries(query: DeliveriesQuery): Promise<readonly WebhookDelivery[]>;
  /** Of one change, or by its own unique identifier. */
  delivery(
    endpoint: string,
    by: { readonly change: string } | { readonly unique_identifier: string },
  ): Promise<WebhookDelivery | undefined>;
  /** Removes some finished deliveries that are older than `DELIVERIES_KEPT_MS`; returns whether there may be more. */
  purge(): Promise<boolean>;
}
