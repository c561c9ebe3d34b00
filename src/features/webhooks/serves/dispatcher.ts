/** Takes and renews leases of endpoints, so that one process delivers to each, and starts a worker for each lease. */
import { randomUUID } from 'node:crypto';
import { type EachAccount, eachUnwatched, isEverybodys } from '../../../core/each-account.ts';
import { type Principal, principalOf, readerOf } from '../../../records/auth/principal.ts';
import type { ServeParts, Serving } from '../../../services/served.ts';
import { isAway, wholeAccount } from '../../../store/promises/store.ts';
import { RIGHT, type WebhookEndpoint, type WebhookState } from '../declares.ts';
import { endingOf, LEASE_MS } from '../store.ts';
import { createOutbox, createRoom, type DeliveryParts, type OutboxTask } from './outbox.ts';
import { type Sender, TRY_MS } from './sender.ts';
import { createSource } from './source.ts';
import { begin, type DeliveryEvent, type DeliveryState, next, triedNext } from './state.ts';

const LOOK_MS = 1_000;
const RENEW_MS = 10_000;
const TAKEN_AT_ONCE = 50;
/** How long deliveries in flight may take when the process ends. */
const STOPPING_MS = 2_000;
const TRUSTED_MS = 500;
const FAILED = 'webhooks were not delivered; they are retried';

interface DispatcherParts extends Omit<ServeParts, 'pace'>, Serving {
  readonly sender: Sender;
}

export function createDispatcher(given: DispatcherParts) {
  const { store, resources, regions, pace, log, each = eachUnwatched } = given;
  const endpoints = each('webhooks');
  const parts = { ...given, source: createSource(store, resources), room: createRoom(), endpoints };
  const [root] = resources;
  const { webhooks } = store;
  const owner = randomUUID();
  const workers = new Map<string, Worker>();
  const principals = new Map<string, { at: number; found: Promise<Principal | undefined> }>();
  /** When the leases were taken or renewed, by this process's clock. */
  let renewedAt = Number.NEGATIVE_INFINITY;
  let statuses: ReadonlyMap<string, number> = new Map();
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** Whether something has changed that the next look is about. */
  let isHurried = false;
  /** Leases of the process that served before, which is gone, are ended: deliveries need not wait for that. */
  let isAlone = store.processes === 'one';

  function lookLater(ms: number): void {
    if (isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      isHurried = false;
      looking = look().catch((error) => {
        // Clients that write learn from their responses that the store is unreachable.
        if (!isAway(error)) log.warned(FAILED, error);
      });
      void looking.then(() => lookLater(isHurried ? 0 : pace(LOOK_MS)));
    }, ms).unref();
  }

  /** Ends what is under way by a lease that is to end, so that the endpoint is delivered to as it is now. */
  async function end(endpoint: string): Promise<void> {
    await workers.get(endpoint)?.stop(0);
    await webhooks.free(endpoint, owner);
    hurry();
  }

  function hurry(): void {
    isHurried = true;
    if (timer === undefined) return;
    clearTimeout(timer);
    lookLater(0);
  }

  async function look(): Promise<void> {
    if (isAlone) await webhooks.releaseAll();
    isAlone = false;
    const leases = await webhooks.leases();
    const byStatus = Map.groupBy(leases, ({ status }) => status);
    statuses = new Map(Array.from(byStatus, ([status, some]) => [status, some.length]));
    const ours = leases.filter(({ lease }) => lease === owner);
    const own = new Set(ours.map((one) => one.unique_identifier));
    // What has no worker may have been taken for one that never began.
    for (const { unique_identifier, lease } of leases)
      if (lease === endingOf(owner)) void end(unique_identifier).catch(() => undefined);
    // The endpoint was changed, or another process has its lease.
    for (const [endpoint, worker] of workers) if (!own.has(endpoint)) void worker.stop(0);
    for (const { unique_identifier, announced } of ours)
      workers.get(unique_identifier)?.announced(announced);
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
        !workers.has(unique_identifier) &&
        !endpoints.rests(unique_identifier),
    );
    if (free.length === 0 || isClosed) return;
    const wanted = free.slice(0, TAKEN_AT_ONCE).map(({ unique_identifier }) => unique_identifier);
    const taking = performance.now();
    const taken = await webhooks.take(owner, wanted);
    // With older leases, these are renewed when those are.
    if (workers.size === 0) renewedAt = taking;
    const left = () => LEASE_MS - (performance.now() - Math.max(taking, renewedAt));
    for (const endpoint of taken) {
      const worker = createWorker(endpoint, {
        ...parts,
        principalOf: rightsOf,
        lease: owner,
        left,
      });
      const { unique_identifier } = endpoint;
      workers.set(unique_identifier, worker);
      void worker.ended.then(() => workers.delete(unique_identifier));
    }
  }

  async function isOpen(account: string): Promise<boolean> {
    return !!root && !!(await store.find(root.shape, account, wholeAccount(account)));
  }

  async function rightsOf(endpoint: WebhookEndpoint, isAgain = false): Promise<Rights> {
    const { key, account } = endpoint;
    const principal = await findPrincipal(key, account);
    const isGood =
      principal?.allow.has(RIGHT) === true &&
      principal.permissions.includes('read') &&
      principal.scope.accounts.has(account);
    if (isGood) return principal;
    principals.delete(key);
    if ((await store.accounts.find(account))?.becomes) return 'later';
    // It may have been emptied until now.
    return isAgain ? undefined : rightsOf(endpoint, true);
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
    /** Looks at once: an endpoint was changed. */
    hurry,
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

/** Pauses between writes to the store; the second if only the position has moved. */
const SETTLE_MS = 500;
const POSITION_MS = 2_000;
const SLEEP_MS = 5_000;
const WATCH_MS = 1_000;

/** `undefined`: the key has ended, or may no longer have webhooks. `later`: the account is emptied, which is to be told. */
type Rights = Principal | 'later' | undefined;

interface WorkerParts extends DeliveryParts, DispatcherParts {
  /** Endpoints that fail rest, each by itself. */
  readonly endpoints: EachAccount;
  readonly principalOf: (endpoint: WebhookEndpoint) => Promise<Rights>;
  readonly lease: string;
  readonly left: () => number;
}

type Worker = ReturnType<typeof createWorker>;

class NotOurs extends Error {}

/** Delivers to one endpoint while this process has its lease. */
function createWorker(taken: WebhookEndpoint, parts: WorkerParts) {
  const { store, feed, sender, log, now, pace, principalOf, lease, left } = parts;
  const outbox = createOutbox(taken, parts);
  const aborting = new AbortController();
  const tries = new Set<Promise<void>>();
  let endpoint: WebhookEndpoint = taken;
  let state: DeliveryState = begin(taken);
  let isStopping = false;
  let isResting = false;
  let settledAt = 0;
  let woken = Promise.withResolvers<void>();
  /** The position of the account's last commit, and whether a wait for the next one is pending. */
  let reached = 0;
  let isWatching = false;
  /** How many notifications of states were announced, as far as is known, and whether some are to be read. */
  let announced: number | undefined;
  let hasAnnounced = false;
  /** Resolves when delivery to the endpoint has ended, by itself or by `stop`. */
  const ended = run()
    .catch((error) => {
      failed(error);
      return leave();
    })
    .finally(() => outbox.leave());

  async function run(): Promise<void> {
    await outbox.load();
    reached = await feed.reached(endpoint.account);
    while (!isOver()) {
      if (hasAnnounced) {
        hasAnnounced = false;
        await outbox.load(true);
      }
      await send();
      if (!(await settle(false))) return leave();
      if (!isOver()) await sleep();
    }
    if (state.is === 'ended') aborting.abort();
    await Promise.all(tries);
    const isSettled = await settle(true);
    if (!isSettled || state.is !== 'ended') return;
    log.webhookStopped(endpoint.unique_identifier, state.status, state.reason);
  }

  function failed(error: unknown): void {
    const { account, unique_identifier } = endpoint;
    if (isEverybodys(error)) log.warned(FAILED, error);
    else parts.endpoints.failed(account, error, unique_identifier);
  }

  function isOver(): boolean {
    return isStopping || state.is === 'ended';
  }

  function apply(event: DeliveryEvent): void {
    state = next(state, event);
  }

  /** Another process may have the lease: deliveries in flight no longer count. */
  async function leave(): Promise<void> {
    isStopping = true;
    aborting.abort();
    await Promise.all(tries);
  }

  async function send(): Promise<void> {
    const principal = await principalOf(endpoint);
    isResting = principal === 'later';
    if (principal === 'later') return;
    if (principal === undefined) return apply({ is: 'key_ended' });
    const lost = await outbox.read(principal, state);
    if (lost !== undefined) return apply({ is: 'changes_lost', how: lost });
    // A try must end before the lease does, or the next process could send later changes of the record meanwhile.
    if (left() <= TRY_MS) return;
    for (;;) {
      const task = outbox.take(state);
      if (task === undefined) break;
      apply({ is: 'started' });
      const trying = deliver(principal, task).finally(() => {
        tries.delete(trying);
        woken.resolve();
      });
      tries.add(trying);
    }
    if (outbox.isEmpty) apply({ is: 'emptied' });
  }

  async function deliver(principal: Principal, task: OutboxTask): Promise<void> {
    const { signal } = aborting;
    try {
      const notification = await outbox.prepare(principal, task);
      if (notification === undefined) return apply({ is: 'discarded' });
      const attempt = await sender.send(endpoint, notification, { signal, isOurs });
      if (signal.aborted) return;
      task.isInFlight = false;
      const { is, retryAfterMs, isForAll, ...figures } = attempt;
      parts.notified?.(endpoint.unique_identifier, is === 'delivered' ? is : 'failed');
      const [before, at] = [state, now()];
      const [elapsed, random] = [performance.now(), Math.random()];
      apply({ is, at, elapsed, retryAfterMs, isForAll, random });
      task.delivery = { ...task.delivery, ...figures, next_at: null, updated_at: at };
      outbox.note(task, attempt, before, state);
    } catch (error) {
      if (signal.aborted) return;
      isStopping = true;
      if (error instanceof NotOurs) aborting.abort();
      else failed(error);
    }
  }

  /** Throws `NotOurs` where the endpoint is another one by now, is gone, or another process delivers to it. */
  async function isOurs(): Promise<void> {
    if (!(await store.webhooks.isLeased(endpoint.unique_identifier, lease))) throw new NotOurs();
  }

  /** Saves new results and the position, with pauses. `false`: another process has the lease. */
  async function settle(isLast: boolean): Promise<boolean> {
    const { changed } = outbox;
    const state = unsavedState();
    const names = Object.keys(state);
    if (changed.size === 0 && names.length === 0) return true;
    const pause = pace(changed.size > 0 ? SETTLE_MS : POSITION_MS);
    const isUrgent = isLast || outbox.isHeld || names.some((name) => name !== 'position');
    if (!isUrgent && performance.now() - settledAt < pause) return true;
    const deliveries = [...changed.values()];
    changed.clear();
    const stored = outbox.storing();
    endpoint = { ...endpoint, ...state };
    const { unique_identifier } = endpoint;
    const isOurs = await store.webhooks.settle(unique_identifier, lease, state, deliveries);
    if (isOurs) stored();
    settledAt = performance.now();
    if (!isStopping) parts.endpoints.done(unique_identifier);
    return isOurs;
  }

  function unsavedState(): Partial<WebhookState> {
    const { status, reason, failing_since, strikes } = state;
    const until = triedNext(state);
    const next_at = until !== null && until > now() ? until : null;
    const { position } = outbox;
    const wanted = { status, reason, failing_since, strikes, next_at, position };
    const names = Object.keys(wanted) as (keyof typeof wanted)[];
    const differ = names.filter((name) => wanted[name] !== endpoint[name]);
    return Object.fromEntries(differ.map((name) => [name, wanted[name]])) as Partial<WebhookState>;
  }

  async function sleep(): Promise<void> {
    watch();
    const { changed, position } = outbox;
    const isMoved = position !== endpoint.position;
    const settle = pace(changed.size > 0 ? SETTLE_MS : isMoved ? POSITION_MS : SLEEP_MS);
    const due = isResting ? WATCH_MS : outbox.wakesAt(state) - now();
    // A lease that is about to end will soon be renewed, or lost.
    const least = left() <= TRY_MS ? 250 : 1;
    const timer = setTimeout(woken.resolve, Math.max(Math.min(settle, due), least));
    await woken.promise;
    clearTimeout(timer);
    woken = Promise.withResolvers();
  }

  function watch(): void {
    if (outbox.hasMore || isWatching || isOver()) return;
    isWatching = true;
    void feed.next(endpoint.account, reached, WATCH_MS).then((position) => {
      isWatching = false;
      if (position <= reached) return watch();
      reached = position;
      outbox.expectMore();
      woken.resolve();
    });
  }

  return {
    ended,
    /** Says how many notifications of states there were: others than before are read. */
    announced(count: number): void {
      hasAnnounced ||= count !== announced;
      announced = count;
      if (hasAnnounced) woken.resolve();
    },
    /** The time of the oldest change in the log so far that the endpoint has not received. */
    get waitingSince(): number | undefined {
      return outbox.waitingSince;
    },
    /** Stops, waiting up to this many milliseconds for deliveries in flight. */
    async stop(ms: number): Promise<void> {
      isStopping = true;
      woken.resolve();
      const late = setTimeout(() => aborting.abort(), ms);
      await ended;
      clearTimeout(late);
    },
  };
}
