/** Webhooks: endpoints, who delivers to them, and what became of deliveries. */
import { type EndpointRow, stateJson, toDelivery, toEndpoint } from '../webhook-rows.ts';
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
import * as statements from './statements/webhooks.ts';
import { inTransaction } from './turn/transaction.ts';
import { type Call, call } from './wire/session.ts';
import { textArray } from './wire/values.ts';

/** So that nobody waits for it long. */
const PURGED_AT_ONCE = 500;
const NEWEST = Number.MAX_SAFE_INTEGER;

export class Webhooks implements WebhookBook {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async create(endpoint: NewWebhookEndpoint): Promise<WebhookEndpoint> {
    const { unique_identifier, account, key, settings, secrets, ...state } = endpoint;
    const { status, reason, failing_since, position } = state;
    const at = this.#context.now();
    await this.#context.sessions.run(
      call(
        statements.insert,
        ...[unique_identifier, account, key, JSON.stringify(settings), JSON.stringify(secrets)],
        ...[status, reason, failing_since, position, at, at],
      ),
    );
    return { ...endpoint, inserted_at: at, updated_at: at };
  }

  async list(accounts?: readonly string[]): Promise<readonly WebhookEndpoint[]> {
    return this.#endpoints(
      accounts === undefined
        ? call(statements.list)
        : call(statements.listOf, textArray([...accounts])),
    );
  }

  async find(unique_identifier: string): Promise<WebhookEndpoint | undefined> {
    const [found] = await this.#endpoints(call(statements.find, unique_identifier));
    return found;
  }

  async change(
    unique_identifier: string,
    state: Partial<WebhookState>,
  ): Promise<WebhookEndpoint | undefined> {
    const [changed] = await this.#endpoints(
      call(statements.change, unique_identifier, stateJson(state), this.#context.now()),
    );
    return changed;
  }

  async remove(unique_identifier: string): Promise<boolean> {
    const { count } = await this.#context.sessions.run(call(statements.remove, unique_identifier));
    return count > 0;
  }

  async leases(): Promise<readonly WebhookLease[]> {
    const rows = await this.#context.sessions.rows(call(statements.leases));
    return rows.map(([unique_identifier, status, lease, left]) => ({
      unique_identifier,
      status: status as WebhookStatus,
      lease,
      left,
    }));
  }

  async take(lease: string, endpoints: readonly string[]): Promise<readonly WebhookEndpoint[]> {
    return this.#endpoints(call(statements.take, lease, LEASE_MS, textArray([...endpoints])));
  }

  async renew(lease: string): Promise<void> {
    await this.#context.sessions.run(call(statements.renew, lease, LEASE_MS));
  }

  async release(lease: string): Promise<void> {
    await this.#context.sessions.run(call(statements.release, lease));
  }

  async settle(
    unique_identifier: string,
    lease: string,
    state: Partial<WebhookState>,
    deliveries: readonly WebhookDelivery[],
  ): Promise<boolean> {
    const settled = call(statements.settle, unique_identifier, stateJson(state), lease);
    if (deliveries.length === 0) return (await this.#context.sessions.run(settled)).count > 0;
    return inTransaction(this.#context.sessions, async (session) => {
      const { count } = await session.run(settled);
      if (count > 0) await session.run(call(statements.put, JSON.stringify(deliveries)));
      return count > 0;
    });
  }

  async redeliver(delivery: WebhookDelivery): Promise<void> {
    await inTransaction(this.#context.sessions, (session) =>
      Promise.all([
        session.run(call(statements.endLease, delivery.endpoint)),
        session.run(call(statements.put, JSON.stringify([delivery]))),
      ]),
    );
  }

  async hasten(endpoint: string): Promise<void> {
    await this.#context.sessions.run(call(statements.hasten, endpoint, this.#context.now()));
  }

  async pending(endpoint: string): Promise<readonly WebhookDelivery[]> {
    return (await this.#context.sessions.rows(call(statements.pending, endpoint))).map(toDelivery);
  }

  async deliveries({ endpoint, status, after, limit }: DeliveriesQuery) {
    const { position = NEWEST, place = NEWEST, change = '' } = after ?? {};
    const rows = await this.#context.sessions.rows(
      call(statements.deliveries, endpoint, status ?? null, position, place, change, limit),
    );
    return rows.map(toDelivery);
  }

  async delivery(
    endpoint: string,
    by: { readonly change: string } | { readonly unique_identifier: string },
  ): Promise<WebhookDelivery | undefined> {
    const [row] = await this.#context.sessions.rows(
      'change' in by
        ? call(statements.ofChange, endpoint, by.change)
        : call(statements.withIdentifier, endpoint, by.unique_identifier),
    );
    return row && toDelivery(row);
  }

  async purge(): Promise<boolean> {
    const before = this.#context.now() - DELIVERIES_KEPT_MS;
    const { count } = await this.#context.sessions.run(
      call(statements.purge, before, PURGED_AT_ONCE),
    );
    return count === PURGED_AT_ONCE;
  }

  async #endpoints(asked: Call<EndpointRow>): Promise<readonly WebhookEndpoint[]> {
    return (await this.#context.sessions.rows(asked)).map(toEndpoint);
  }
}
