/** Delivers to one endpoint while this process has its lease. */

import type { WebhookEndpoint, WebhookState } from '../../../core/objects/webhook-endpoint.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import { createOutbox, type DeliveryParts, type OutboxTask } from './outbox.ts';
import { TRY_MS } from './sender.ts';
import { begin, type DeliveryEvent, type DeliveryState, next, opensAt } from './state.ts';

/** Pauses between writes to the store; the second if only the position has moved. */
const SETTLE_MS = 500;
const POSITION_MS = 2_000;
const SLEEP_MS = 5_000;
const WATCH_MS = 1_000;

export interface WorkerParts extends DeliveryParts {
  /** The rights with which the endpoint reads; `undefined` if its key has ended, or may no longer have webhooks. */
  readonly principalOf: (endpoint: WebhookEndpoint) => Promise<Principal | undefined>;
  readonly lease: string;
  readonly left: () => number;
}

export type Worker = ReturnType<typeof createWorker>;

export function createWorker(taken: WebhookEndpoint, parts: WorkerParts) {
  const { store, feed, sender, notices, now, pace, principalOf, lease, left } = parts;
  const outbox = createOutbox(taken, parts);
  const aborting = new AbortController();
  const tries = new Set<Promise<void>>();
  let endpoint: WebhookEndpoint = taken;
  let state: DeliveryState = begin(taken);
  let isStopping = false;
  let settledAt = 0;
  let woken = Promise.withResolvers<void>();
  /** The position of the account's last commit, and whether a wait for the next one is pending. */
  let reached = 0;
  let isWatching = false;
  /** Resolves when delivery to the endpoint has ended, by itself or by `stop`. */
  const ended = run().catch((error) => {
    notices.failed(error);
    return leave();
  });

  async function run(): Promise<void> {
    await outbox.load();
    reached = await feed.reached(endpoint.account);
    while (!isOver()) {
      await send();
      if (!(await settle(false))) return leave();
      if (!isOver()) await sleep();
    }
    if (state.is === 'ended') aborting.abort();
    await Promise.all(tries);
    const isOurs = await settle(true);
    if (!isOurs || state.is !== 'ended') return;
    notices.stopped(endpoint.unique_identifier, state.status, state.reason);
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
    if (principal === undefined) return apply({ is: 'key_ended' });
    const lost = await outbox.read(principal, state);
    if (lost !== undefined) return apply({ is: 'changes_lost', how: lost });
    // A try must end before the lease does, or the next process could send later changes of the record meanwhile.
    if (left() <= TRY_MS || opensAt(state) > now()) return;
    for (const task of outbox.due(state)) {
      if (opensAt(state) > now()) return;
      apply({ is: 'started' });
      task.isInFlight = true;
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
      const attempt = await sender.send(endpoint, notification, signal);
      if (signal.aborted) return;
      task.isInFlight = false;
      const { is, retryAfterMs, ...figures } = attempt;
      notices.tried(endpoint.unique_identifier, is === 'delivered' ? is : 'failed');
      const [before, at, attempts] = [state, now(), task.delivery.attempts + 1];
      apply({ is, at, retryAfterMs, random: Math.random() });
      task.delivery = { ...task.delivery, ...figures, attempts, next_at: null, updated_at: at };
      outbox.note(task, attempt, before, state);
    } catch (error) {
      if (signal.aborted) return;
      isStopping = true;
      notices.failed(error);
    }
  }

  /** Saves new results and the position, with pauses. `false`: another process has the lease. */
  async function settle(isLast: boolean): Promise<boolean> {
    const { changed } = outbox;
    const state = unsavedState();
    const names = Object.keys(state);
    if (changed.size === 0 && names.length === 0) return true;
    const pause = pace(changed.size > 0 ? SETTLE_MS : POSITION_MS);
    const isUrgent = isLast || names.some((name) => name !== 'position');
    if (!isUrgent && performance.now() - settledAt < pause) return true;
    const deliveries = [...changed.values()];
    changed.clear();
    endpoint = { ...endpoint, ...state };
    const { unique_identifier } = endpoint;
    const isOurs = await store.webhooks.settle(unique_identifier, lease, state, deliveries);
    settledAt = performance.now();
    return isOurs;
  }

  function unsavedState(): Partial<WebhookState> {
    const { status, reason, failing_since } = state;
    const wanted = { status, reason, failing_since, position: outbox.position };
    const names = Object.keys(wanted) as (keyof typeof wanted)[];
    const differ = names.filter((name) => wanted[name] !== endpoint[name]);
    return Object.fromEntries(differ.map((name) => [name, wanted[name]])) as Partial<WebhookState>;
  }

  async function sleep(): Promise<void> {
    watch();
    const { changed, position } = outbox;
    const isMoved = position !== endpoint.position;
    const settle = pace(changed.size > 0 ? SETTLE_MS : isMoved ? POSITION_MS : SLEEP_MS);
    const due = outbox.wakesAt(state) - now();
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
