/** Takes and renews leases of endpoints, so that one process delivers to each, and starts a worker for each lease. */
import { randomUUID } from 'node:crypto';
import type { WebhookEndpoint } from '../../../core/objects/webhook-endpoint.ts';
import { type Principal, principalOf, readerOf } from '../../../records/auth/principal.ts';
import { LEASE_MS } from '../../../store/books/webhooks.ts';
import { StoreUnavailable } from '../../../store/promises/store.ts';
import { RIGHT } from '../access.ts';
import type { DeliveryParts } from './outbox.ts';
import { Worker } from './worker.ts';

/** How often to read the leases. */
const LOOK_MS = 1_000;
const RENEW_MS = 10_000;
/** Leases taken at a time. */
const TAKEN_AT_ONCE = 50;
/** How long deliveries in flight may take when the process ends. */
const STOPPING_MS = 2_000;
/** How long an API key is cached. */
const TRUSTED_MS = 500;

export class Dispatcher {
  readonly #parts: DeliveryParts;
  readonly #lease = randomUUID();
  readonly #workers = new Map<string, Worker>();
  readonly #principals = new Map<
    string,
    { readonly at: number; readonly found: Promise<Principal | undefined> }
  >();
  /** When the leases were taken or renewed, by this process's clock. */
  #renewedAt = Number.NEGATIVE_INFINITY;
  #statuses: ReadonlyMap<string, number> = new Map();
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#lookLater(0);
  }

  /** How many endpoints there are, by status. */
  get statuses(): ReadonlyMap<string, number> {
    return this.#statuses;
  }

  /** For each endpoint that this process delivers to, when the oldest change was done that it has yet to take. */
  get waiting(): readonly (readonly [endpoint: string, since: number | undefined])[] {
    return Array.from(
      this.#workers,
      ([endpoint, worker]) => [endpoint, worker.waitingSince] as const,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
    const workers = [...this.#workers.values()];
    await Promise.all(workers.map((worker) => worker.stop(STOPPING_MS)));
    if (workers.length > 0) await this.#parts.store.webhooks.release(this.#lease).catch(() => {});
  }

  #lookLater(ms: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().catch((error) => {
        // Clients that write learn from their responses that the store is unreachable.
        if (!(error instanceof StoreUnavailable)) this.#parts.notices.failed(error);
      });
      void this.#looking.then(() => this.#lookLater(this.#parts.pace(LOOK_MS)));
    }, ms).unref();
  }

  async #look(): Promise<void> {
    const { webhooks } = this.#parts.store;
    const leases = await webhooks.leases();
    const byStatus = Map.groupBy(leases, ({ status }) => status);
    this.#statuses = new Map(Array.from(byStatus, ([status, some]) => [status, some.length]));
    const ours = leases.filter(({ lease }) => lease === this.#lease);
    const own = new Set(ours.map((one) => one.unique_identifier));
    for (const [endpoint, worker] of this.#workers) {
      // The endpoint was changed, or another process has its lease.
      if (!own.has(endpoint)) void worker.stop(0);
    }
    const began = performance.now();
    // A lease of ours that has ended without another process taking it: a clock was put forward.
    const hasEnded = ours.some(({ left }) => left <= 0);
    if (hasEnded || (ours.length > 0 && began - this.#renewedAt >= RENEW_MS)) {
      await webhooks.renew(this.#lease);
      this.#renewedAt = began;
    }
    const free = leases.filter(
      ({ unique_identifier, lease, left, status }) =>
        (status === 'enabled' || status === 'failing') &&
        (left <= 0 || lease === this.#lease) &&
        !this.#workers.has(unique_identifier),
    );
    if (free.length === 0 || this.#isClosed) return;
    const wanted = free.slice(0, TAKEN_AT_ONCE).map(({ unique_identifier }) => unique_identifier);
    const taking = performance.now();
    const taken = await webhooks.take(this.#lease, wanted);
    // With older leases, these are renewed when those are.
    if (this.#workers.size === 0) this.#renewedAt = taking;
    for (const endpoint of taken) this.#begin(endpoint, taking);
  }

  #begin(endpoint: WebhookEndpoint, takenAt: number): void {
    const worker = new Worker(endpoint, {
      ...this.#parts,
      principalOf: (one) => this.#principalOf(one),
      lease: this.#lease,
      left: () => LEASE_MS - (performance.now() - Math.max(takenAt, this.#renewedAt)),
    });
    const { unique_identifier } = endpoint;
    this.#workers.set(unique_identifier, worker);
    void worker.ended.then(() => this.#workers.delete(unique_identifier));
  }

  async #principalOf({ key, account }: WebhookEndpoint): Promise<Principal | undefined> {
    const principal = await this.#findPrincipal(key, account);
    const isGood =
      principal?.allow.has(RIGHT) === true &&
      principal.permissions.includes('read') &&
      principal.scope.accounts.has(account);
    return isGood ? principal : undefined;
  }

  #findPrincipal(key: string, account: string): Promise<Principal | undefined> {
    const at = performance.now();
    const known = this.#principals.get(key);
    if (known !== undefined && at - known.at < TRUSTED_MS) return known.found;
    const { store, regions, isOpen } = this.#parts;
    // An administrator's endpoint belongs to the account itself, and does not end with a key.
    const found =
      key === account
        ? isOpen(account).then((is) => (is ? readerOf(account) : undefined))
        : store.keys
            .find(key)
            .then(async (judged) =>
              judged.is === 'valid' ? principalOf(await regions.within(judged.key)) : undefined,
            );
    found.catch(() => this.#principals.delete(key));
    this.#principals.set(key, { at, found });
    return found;
  }
}
