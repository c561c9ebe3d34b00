/**
 * What a store promises about webhooks: the endpoints that notifications go to, how far
 * each has come in the log of changes, who delivers to it now, and what became of deliveries.
 * None of it is part of a commit of records, and nothing of a record but identifiers is in it.
 */

export type WebhookStatus = 'enabled' | 'failing' | 'paused' | 'disabled';

export interface WebhookSettings {
  readonly url: string;
  readonly description: string | null;
  /** Such as `event.created`, `*.deleted` or `*`. */
  readonly notifications: readonly string[];
  /** Unique identifiers of the only locations whose changes are sent; `null`: of all. */
  readonly locations: readonly string[] | null;
  readonly deliver: 'changes' | 'signal';
  readonly payload: 'thin' | 'full';
}

export interface SealedSecret {
  /** Encrypted by a key that is not in the store. */
  readonly sealed: string;
  /** When it ends, in milliseconds since 1970; `null`: it is the one that stays. */
  readonly until: number | null;
}

/** What of an endpoint changes; all of it can be changed by itself. */
export interface WebhookState {
  /** The unique identifier of the key that sees for it: what that may not see is not sent. */
  readonly key: string;
  readonly settings: WebhookSettings;
  /** The newest first. */
  readonly secrets: readonly SealedSecret[];
  readonly status: WebhookStatus;
  /** Why it is not enabled, or who stopped it. */
  readonly reason: string | null;
  /** When the first of the deliveries failed since the last success, in milliseconds since 1970. */
  readonly failing_since: number | null;
  /** The change up to which all are delivered, or kept to be; `null`: none yet. */
  readonly position: string | null;
}

export interface NewWebhookEndpoint extends WebhookState {
  readonly unique_identifier: string;
  readonly account: string;
}

export interface WebhookEndpoint extends NewWebhookEndpoint {
  readonly inserted_at: number;
  readonly updated_at: number;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** What became of one change at one endpoint. */
export interface WebhookDelivery {
  readonly unique_identifier: string;
  readonly endpoint: string;
  /** The unique identifier of the change. */
  readonly change: string;
  /** Of the change, in the log of the account. */
  readonly position: number;
  readonly place: number;
  readonly type: string;
  readonly record: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Of the last answer; `null` where there was none. */
  readonly status_code: number | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  /** When it is to be tried next; `null` where it waits for another one, or is finished. */
  readonly next_at: number | null;
  readonly inserted_at: number;
  readonly updated_at: number;
}

/** Who delivers to an endpoint, as far as anybody needs to know. */
export interface WebhookLease {
  readonly unique_identifier: string;
  readonly status: WebhookStatus;
  /** `null` where nobody does. */
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
/** How long finished deliveries are kept. */
export const DELIVERIES_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export interface WebhookBook {
  create(endpoint: NewWebhookEndpoint): Promise<WebhookEndpoint>;
  /** Of these accounts, the newest first; not said: of all. */
  list(accounts?: readonly string[]): Promise<readonly WebhookEndpoint[]>;
  find(unique_identifier: string): Promise<WebhookEndpoint | undefined>;
  /** Changes what is said, and ends the lease: whoever delivers starts over. `undefined`: there is no such endpoint. */
  change(
    unique_identifier: string,
    state: Partial<WebhookState>,
  ): Promise<WebhookEndpoint | undefined>;
  /** Its deliveries go when they are as old as any. Tells whether it was there. */
  remove(unique_identifier: string): Promise<boolean>;

  /** Of all endpoints. */
  leases(): Promise<readonly WebhookLease[]>;
  /** Takes those of these endpoints that are enabled or failing and that nobody else has, for `LEASE_MS` by the store's clock. */
  take(lease: string, endpoints: readonly string[]): Promise<readonly WebhookEndpoint[]>;
  /** Makes all that were taken with that lease last for `LEASE_MS` from now. */
  renew(lease: string): Promise<void>;
  release(lease: string): Promise<void>;
  /**
   * Notes what became of deliveries, and the state that follows, in one commit.
   * Writes nothing and gives `false` where the endpoint is not held by that lease any more.
   */
  settle(
    unique_identifier: string,
    lease: string,
    state: Partial<WebhookState>,
    deliveries: readonly WebhookDelivery[],
  ): Promise<boolean>;

  /** Creates or replaces a delivery, and ends the lease. */
  redeliver(delivery: WebhookDelivery): Promise<void>;
  /** Lets those that are pending be tried from now on, whatever they waited for. */
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
  /** Removes some finished deliveries that are older than `DELIVERIES_KEPT_MS`; tells whether there may be more. */
  purge(): Promise<boolean>;
}
