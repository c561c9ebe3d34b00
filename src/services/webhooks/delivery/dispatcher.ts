/** Takes and renews leases of endpoints, so that one process delivers to each, and starts a worker for each lease. */
import { randomUUID } from 'node:crypto';
import type { WebhookEndpoint } from '../../../core/objects/webhook-endpoint.ts';
import { type Principal, principalOf, readerOf } from '../../../records/auth/principal.ts';
import { LEASE_MS } from '../../../store/books/webhooks.ts';
import { StoreUnavailable } from '../../../store/promises/store.ts';
import { RIGHT } from '../access.ts';
import type { DeliveryParts } from './outbox.ts';
import { createWorker, type Worker } from './worker.ts';

const LOOK_MS = 1_000;
const RENEW_MS = 10_000;
const TAKEN_AT_ONCE = 50;
/** How long deliveries in flight may take when the process ends. */
const STOPPING_MS = 2_000;
const TRUSTED_MS = 500;

export function createDispatcher(parts: DeliveryParts) {
  const { store, regions, isOpen, pace, notices } = parts;
  const { webhooks } = store;
  const owner = randomUUID();
  const workers = new Map<string, Worker>();
  const principals = new Map<
    string,
    { readonly at: number; readonly found: Promise<Principal | undefined> }
  >();
  /** When the leases were taken or renewed, by this process's clock. */
  let renewedAt = Number.NEGATIVE_INFINITY;
  let statuses: ReadonlyMap<string, number> = new Map();
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function lookLater(ms: number): void {
    if (isClosed) return;
    timer = setTimeout(() => {
      looking = look().catch((error) => {
        // Clients that write learn from their responses that the store is unreachable.
        if (!(error instanceof StoreUnavailable)) notices.failed(error);
      });
      void looking.then(() => lookLater(pace(LOOK_MS)));
    }, ms).unref();
  }

  async function look(): Promise<void> {
    const leases = await webhooks.leases();
    const byStatus = Map.groupBy(leases, ({ status }) => status);
    statuses = new Map(Array.from(byStatus, ([status, some]) => [status, some.length]));
    const ours = leases.filter(({ lease }) => lease === owner);
    const own = new Set(ours.map((one) => one.unique_identifier));
    for (const [endpoint, worker] of workers) {
      // The endpoint was changed, or another process has its lease.
      if (!own.has(endpoint)) void worker.stop(0);
    }
    const began = performance.now();
    // A lease of ours that has ended without another process taking it: a clock was put forward.
    const hasEnded = ours.some(({ left }) => left <= 0);
    if (hasEnded || (ours.length > 0 && began - renewedAt >= RENEW_MS)) {
      await webhooks.renew(owner);
      renewedAt = began;
    }
    const free = leases.filter(
      ({ unique_identifier, lease, left, status }) =>
        (status === 'enabled' || status === 'failing') &&
        (left <= 0 || lease === owner) &&
        !workers.has(unique_identifier),
    );
    if (free.length === 0 || isClosed) return;
    const wanted = free.slice(0, TAKEN_AT_ONCE).map(({ unique_identifier }) => unique_identifier);
    const taking = performance.now();
    const taken = await webhooks.take(owner, wanted);
    // With older leases, these are renewed when those are.
    if (workers.size === 0) renewedAt = taking;
    for (const endpoint of taken) begin(endpoint, taking);
  }

  function begin(endpoint: WebhookEndpoint, takenAt: number): void {
    const worker = createWorker(endpoint, {
      ...parts,
      principalOf: rightsOf,
      lease: owner,
      left: () => LEASE_MS - (performance.now() - Math.max(takenAt, renewedAt)),
    });
    const { unique_identifier } = endpoint;
    workers.set(unique_identifier, worker);
    void worker.ended.then(() => workers.delete(unique_identifier));
  }

  async function rightsOf({ key, account }: WebhookEndpoint): Promise<Principal | undefined> {
    const principal = await findPrincipal(key, account);
    const isGood =
      principal?.allow.has(RIGHT) === true &&
      principal.permissions.includes('read') &&
      principal.scope.accounts.has(account);
    return isGood ? principal : undefined;
  }

  function findPrincipal(key: string, account: string): Promise<Principal | undefined> {
    const at = performance.now();
    const known = principals.get(key);
    if (known !== undefined && at - known.at < TRUSTED_MS) return known.found;
    // An administrator's endpoint belongs to the account itself, and does not end with a key.
    const found =
      key === account
        ? isOpen(account).then((is) => (is ? readerOf(account) : undefined))
        : store.keys
            .find(key)
            .then(async (judged) =>
              judged.is === 'valid' ? principalOf(await regions.within(judged.key)) : undefined,
            );
    found.catch(() => principals.delete(key));
    principals.set(key, { at, found });
    return found;
  }

  return {
    start(): void {
      lookLater(0);
    },
    get statuses(): ReadonlyMap<string, number> {
      return statuses;
    },
    /** For each endpoint that this process delivers to, when the oldest change was done that it has yet to take. */
    get waiting(): readonly (readonly [endpoint: string, since: number | undefined])[] {
      return Array.from(workers, ([endpoint, worker]) => [endpoint, worker.waitingSince] as const);
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await looking;
      const all = [...workers.values()];
      await Promise.all(all.map((worker) => worker.stop(STOPPING_MS)));
      if (all.length > 0) await webhooks.release(owner).catch(() => {});
    },
  };
}
