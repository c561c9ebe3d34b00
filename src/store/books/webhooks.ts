/** The book of webhooks, over the tables of a store: endpoints, their leases and their deliveries. */

import { webhookEndpoint } from '../../core/objects/webhook-endpoint.ts';
import { named } from '../images.ts';
import {
  DELIVERIES_KEPT_MS,
  type DeliveriesQuery,
  type NewWebhookEndpoint,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookLease,
  type WebhookState,
} from '../promises/webhooks.ts';
import { Book } from './book.ts';
import { newRow } from './rows/own-rows.ts';
import { type EndpointRow, stateJson, toDelivery, toEndpoint } from './rows/webhook-rows.ts';
import { webhookStatements as sql } from './sql/webhook-sql.ts';
import type { BookStatement, BookValue } from './tables.ts';

/** Small enough that no writer waits for it long. */
const PURGED_AT_ONCE = 500;
const NEWEST = Number.MAX_SAFE_INTEGER;

const toLease = named<WebhookLease>('unique_identifier', 'status', 'lease', 'left');

export class WebhookBook extends Book {
  async create(endpoint: NewWebhookEndpoint): Promise<WebhookEndpoint> {
    const at = this.now();
    const made = { ...endpoint, inserted_at: at, updated_at: at };
    await this.tables.change(sql.insert, ...newRow(webhookEndpoint, made));
    return made;
  }

  /** Lists endpoints of these accounts, the newest first; of all, where none are named. */
  readonly list = (accounts?: readonly string[]) =>
    accounts === undefined ? this.#endpoints(sql.list) : this.#endpoints(sql.listOf, accounts);

  readonly find = async (unique_identifier: string) =>
    (await this.#endpoints(sql.find, unique_identifier))[0];

  /** Changes the settings, and ends the lease: the process that delivers starts over. `undefined`: no such endpoint. */
  async change(
    unique_identifier: string,
    state: Partial<WebhookState>,
  ): Promise<WebhookEndpoint | undefined> {
    const values = [unique_identifier, stateJson(state), this.now()];
    const [row] = (await this.tables.change<EndpointRow>(sql.change, ...values)).rows;
    return row && toEndpoint(row);
  }

  /** Its deliveries are purged at their usual age. Returns whether it existed. */
  readonly remove = (unique_identifier: string) => this.did(sql.remove, unique_identifier);

  /** Lists the leases of all endpoints. */
  readonly leases = () => this.all(toLease, sql.leases);

  /**
   * Leases those of these endpoints that are enabled or failing and not leased, for `LEASE_MS` by the store's clock.
   */
  readonly take = async (lease: string, endpoints: readonly string[]) =>
    (await this.tables.change<EndpointRow>(sql.take, lease, endpoints)).rows.map(toEndpoint);

  /** Makes all that were taken with that lease last for `LEASE_MS` from now. */
  readonly renew = (lease: string) => this.did(sql.renew, lease);

  readonly release = (lease: string) => this.did(sql.release, lease);

  /**
   * Notes what became of deliveries, and the state that follows, in one commit. Writes nothing and gives `false` where
   * that lease has ended.
   */
  async settle(
    unique_identifier: string,
    lease: string,
    state: Partial<WebhookState>,
    deliveries: readonly WebhookDelivery[],
  ): Promise<boolean> {
    const settled = [sql.settle, unique_identifier, stateJson(state), lease] as const;
    if (deliveries.length === 0) return this.did(...settled);
    const put = [sql.put, JSON.stringify(deliveries)] as const;
    return this.wrote([settled, put]);
  }

  /** Creates or replaces a delivery, and ends the lease. */
  async redeliver(delivery: WebhookDelivery): Promise<void> {
    await this.tables.write([
      [sql.endLease, delivery.endpoint],
      [sql.put, JSON.stringify([delivery])],
    ]);
  }

  /** Makes pending deliveries due now, without their delays. */
  readonly hasten = (endpoint: string) => this.did(sql.hasten, endpoint, this.now());

  /** All that are pending, in the order of their changes. */
  readonly pending = (endpoint: string) => this.#deliveries(sql.pending, endpoint);

  /** The newest change first. */
  deliveries({ endpoint, status, after, limit }: DeliveriesQuery) {
    const { position = NEWEST, place = NEWEST, change = '' } = after ?? {};
    const values = [endpoint, status ?? null, position, place, change, limit];
    return this.#deliveries(sql.deliveries, ...values);
  }

  /** Finds the delivery of a change, or one by its own unique identifier. */
  async delivery(
    endpoint: string,
    by: { readonly change: string } | { readonly unique_identifier: string },
  ): Promise<WebhookDelivery | undefined> {
    const [found] = await ('change' in by
      ? this.#deliveries(sql.ofChange, endpoint, by.change)
      : this.#deliveries(sql.withIdentifier, endpoint, by.unique_identifier));
    return found;
  }

  /** Removes some finished deliveries that are older than `DELIVERIES_KEPT_MS`; returns whether there may be more. */
  async purge(): Promise<boolean> {
    const before = this.now() - DELIVERIES_KEPT_MS;
    const { count } = await this.tables.change(sql.purge, before, PURGED_AT_ONCE);
    return count === PURGED_AT_ONCE;
  }

  readonly #endpoints = (statement: BookStatement, ...values: readonly BookValue[]) =>
    this.all(toEndpoint, statement, ...values);

  readonly #deliveries = (statement: BookStatement, ...values: readonly BookValue[]) =>
    this.all(toDelivery, statement, ...values);
}
