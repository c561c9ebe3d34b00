/** Webhooks: endpoints, who delivers to them, and what became of deliveries. */
import { stateJson, toDelivery, toEndpoint } from '../webhook-rows.ts';
import {
  DELIVERIES_KEPT_MS,
  type DeliveriesQuery,
  LEASE_MS,
  type NewWebhookEndpoint,
  type WebhookBook,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookLease,
  type WebhookState,
  type WebhookStatus,
} from '../webhooks.ts';
import type { Context } from './context.ts';
import { webhookStatements } from './statements/webhooks.ts';

/** Small enough that no writer waits for it long. */
const PURGED_AT_ONCE = 500;
const NEWEST = Number.MAX_SAFE_INTEGER;

export class Webhooks implements WebhookBook {
  readonly #context: Context;
  readonly #statements: ReturnType<typeof webhookStatements>;

  constructor(context: Context) {
    this.#context = context;
    this.#statements = webhookStatements(context.connection.database);
  }

  async create(endpoint: NewWebhookEndpoint): Promise<WebhookEndpoint> {
    const { connection, now } = this.#context;
    const { unique_identifier, account, key, settings, secrets, ...state } = endpoint;
    const { status, reason, failing_since, position } = state;
    const at = now();
    await connection.write(() =>
      this.#statements.insert.run(
        ...[unique_identifier, account, key, JSON.stringify(settings), JSON.stringify(secrets)],
        ...[status, reason, failing_since, position, at, at],
      ),
    );
    return { ...endpoint, inserted_at: at, updated_at: at };
  }

  async list(accounts?: readonly string[]): Promise<readonly WebhookEndpoint[]> {
    const { list, listOf } = this.#statements;
    return this.#context.connection.read(() =>
      (accounts === undefined ? list.all() : listOf.all(JSON.stringify(accounts))).map(toEndpoint),
    );
  }

  async find(unique_identifier: string): Promise<WebhookEndpoint | undefined> {
    return this.#context.connection.read(() => {
      const row = this.#statements.find.get(unique_identifier);
      return row && toEndpoint(row);
    });
  }

  async change(
    unique_identifier: string,
    state: Partial<WebhookState>,
  ): Promise<WebhookEndpoint | undefined> {
    const { connection, now } = this.#context;
    const row = await connection.write(() =>
      this.#statements.change.get(unique_identifier, stateJson(state), now()),
    );
    return row && toEndpoint(row);
  }

  async remove(unique_identifier: string): Promise<boolean> {
    const { connection } = this.#context;
    const removed = await connection.write(() => this.#statements.remove.run(unique_identifier));
    return Number(removed.changes) > 0;
  }

  async leases(): Promise<readonly WebhookLease[]> {
    const { connection, now } = this.#context;
    return connection.read(() =>
      this.#statements.leases.all().map(([unique_identifier, status, lease, until]) => ({
        unique_identifier,
        status: status as WebhookStatus,
        lease,
        left: until - now(),
      })),
    );
  }

  async take(lease: string, endpoints: readonly string[]): Promise<readonly WebhookEndpoint[]> {
    const { connection, now } = this.#context;
    const rows = await connection.write(() =>
      this.#statements.take.all(lease, now() + LEASE_MS, JSON.stringify(endpoints), now()),
    );
    return rows.map(toEndpoint);
  }

  async renew(lease: string): Promise<void> {
    const { connection, now } = this.#context;
    await connection.write(() => this.#statements.renew.run(lease, now() + LEASE_MS));
  }

  async release(lease: string): Promise<void> {
    await this.#context.connection.write(() => this.#statements.release.run(lease));
  }

  async settle(
    unique_identifier: string,
    lease: string,
    state: Partial<WebhookState>,
    deliveries: readonly WebhookDelivery[],
  ): Promise<boolean> {
    return this.#context.connection.write(() => {
      const held = this.#statements.settle.run(unique_identifier, stateJson(state), lease);
      if (Number(held.changes) === 0) return false;
      if (deliveries.length > 0) this.#statements.put.run(JSON.stringify(deliveries));
      return true;
    });
  }

  async redeliver(delivery: WebhookDelivery): Promise<void> {
    await this.#context.connection.write(() => {
      this.#statements.put.run(JSON.stringify([delivery]));
      this.#statements.endLease.run(delivery.endpoint);
    });
  }

  async hasten(endpoint: string): Promise<void> {
    const { connection, now } = this.#context;
    await connection.write(() => this.#statements.hasten.run(endpoint, now()));
  }

  async pending(endpoint: string): Promise<readonly WebhookDelivery[]> {
    return this.#context.connection.read(() =>
      this.#statements.pending.all(endpoint).map(toDelivery),
    );
  }

  async deliveries({ endpoint, status, after, limit }: DeliveriesQuery) {
    const { position = NEWEST, place = NEWEST, change = '' } = after ?? {};
    return this.#context.connection.read(() =>
      this.#statements.deliveries
        .all(endpoint, status ?? null, position, place, change, limit)
        .map(toDelivery),
    );
  }

  async delivery(
    endpoint: string,
    by: { readonly change: string } | { readonly unique_identifier: string },
  ): Promise<WebhookDelivery | undefined> {
    const { ofChange, withIdentifier } = this.#statements;
    return this.#context.connection.read(() => {
      const row =
        'change' in by
          ? ofChange.get(endpoint, by.change)
          : withIdentifier.get(endpoint, by.unique_identifier);
      return row && toDelivery(row);
    });
  }

  async purge(): Promise<boolean> {
    const { connection, now } = this.#context;
    const purged = await connection.write(() =>
      this.#statements.purge.run(now() - DELIVERIES_KEPT_MS, PURGED_AT_ONCE),
    );
    return Number(purged.changes) === PURGED_AT_ONCE;
  }
}
