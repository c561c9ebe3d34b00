/** Delivers to one endpoint while this process has its lease. */

import type { WebhookEndpoint, WebhookState } from '../../../core/objects/webhook-endpoint.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import { type DeliveryParts, Outbox, type OutboxTask } from './outbox.ts';
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
  /** Milliseconds that are left of the lease. */
  readonly left: () => number;
}

export class Worker {
  /** Resolves when delivery to the endpoint has ended, by itself or by `stop`. */
  readonly ended: Promise<void>;
  readonly #parts: WorkerParts;
  readonly #outbox: Outbox;
  readonly #aborting = new AbortController();
  readonly #tries = new Set<Promise<void>>();
  /** The endpoint as the store has it. */
  #endpoint: WebhookEndpoint;
  #state: DeliveryState;
  #isStopping = false;
  #settledAt = 0;
  #woken = Promise.withResolvers<void>();
  /** The position of the account's last commit, and whether a wait for the next one is pending. */
  #reached = 0;
  #isWatching = false;

  constructor(endpoint: WebhookEndpoint, parts: WorkerParts) {
    this.#outbox = new Outbox(endpoint, parts);
    this.#endpoint = endpoint;
    this.#parts = parts;
    this.#state = begin(endpoint);
    this.ended = this.#run().catch((error) => {
      parts.notices.failed(error);
      return this.#leave();
    });
  }

  /** The time of the oldest change in the log so far that the endpoint has not received. */
  get waitingSince(): number | undefined {
    return this.#outbox.waitingSince;
  }

  /** Stops, waiting up to this many milliseconds for deliveries in flight. */
  async stop(ms: number): Promise<void> {
    this.#isStopping = true;
    this.#woken.resolve();
    const late = setTimeout(() => this.#aborting.abort(), ms);
    await this.ended;
    clearTimeout(late);
  }

  async #run(): Promise<void> {
    const { feed, notices } = this.#parts;
    await this.#outbox.load();
    this.#reached = await feed.reached(this.#endpoint.account);
    while (!this.#isOver) {
      await this.#send();
      if (!(await this.#settle(false))) return this.#leave();
      if (!this.#isOver) await this.#sleep();
    }
    if (this.#state.is === 'ended') this.#aborting.abort();
    await Promise.all(this.#tries);
    const isOurs = await this.#settle(true);
    if (!isOurs || this.#state.is !== 'ended') return;
    notices.stopped(this.#endpoint.unique_identifier, this.#state.status, this.#state.reason);
  }

  get #isOver(): boolean {
    return this.#isStopping || this.#state.is === 'ended';
  }

  #apply(event: DeliveryEvent): void {
    this.#state = next(this.#state, event);
  }

  /** Another process may have the lease: deliveries in flight no longer count. */
  async #leave(): Promise<void> {
    this.#isStopping = true;
    this.#aborting.abort();
    await Promise.all(this.#tries);
  }

  async #send(): Promise<void> {
    const { principalOf, now, left } = this.#parts;
    const principal = await principalOf(this.#endpoint);
    if (principal === undefined) return this.#apply({ is: 'key_ended' });
    const lost = await this.#outbox.read(principal, this.#state);
    if (lost !== undefined) return this.#apply({ is: 'changes_lost', how: lost });
    // A try must end before the lease does, or the next process could send later changes of the record meanwhile.
    if (left() <= TRY_MS || opensAt(this.#state) > now()) return;
    for (const task of this.#outbox.due(this.#state)) {
      if (opensAt(this.#state) > now()) return;
      this.#apply({ is: 'started' });
      task.isInFlight = true;
      const trying = this.#try(principal, task).finally(() => {
        this.#tries.delete(trying);
        this.#woken.resolve();
      });
      this.#tries.add(trying);
    }
    if (this.#outbox.isEmpty) this.#apply({ is: 'emptied' });
  }

  async #try(principal: Principal, task: OutboxTask): Promise<void> {
    const { sender, notices, now } = this.#parts;
    const { signal } = this.#aborting;
    try {
      const notification = await this.#outbox.prepare(principal, task);
      if (notification === undefined) return this.#apply({ is: 'discarded' });
      const attempt = await sender.send(this.#endpoint, notification, signal);
      if (signal.aborted) return;
      task.isInFlight = false;
      const { is, retryAfterMs, ...figures } = attempt;
      notices.tried(this.#endpoint.unique_identifier, is === 'delivered' ? is : 'failed');
      const [before, at, attempts] = [this.#state, now(), task.delivery.attempts + 1];
      this.#apply({ is, at, retryAfterMs, random: Math.random() });
      task.delivery = { ...task.delivery, ...figures, attempts, next_at: null, updated_at: at };
      this.#outbox.note(task, attempt, before, this.#state);
    } catch (error) {
      if (signal.aborted) return;
      this.#isStopping = true;
      notices.failed(error);
    }
  }

  /** Saves new results and the position, with pauses. `false`: another process has the lease. */
  async #settle(isLast: boolean): Promise<boolean> {
    const { store, lease } = this.#parts;
    const { changed } = this.#outbox;
    const state = this.#unsavedState();
    const names = Object.keys(state);
    if (changed.size === 0 && names.length === 0) return true;
    const pause = this.#parts.pace(changed.size > 0 ? SETTLE_MS : POSITION_MS);
    const isUrgent = isLast || names.some((name) => name !== 'position');
    if (!isUrgent && performance.now() - this.#settledAt < pause) return true;
    const deliveries = [...changed.values()];
    changed.clear();
    this.#endpoint = { ...this.#endpoint, ...state };
    const { unique_identifier } = this.#endpoint;
    const isOurs = await store.webhooks.settle(unique_identifier, lease, state, deliveries);
    this.#settledAt = performance.now();
    return isOurs;
  }

  #unsavedState(): Partial<WebhookState> {
    const { status, reason, failing_since } = this.#state;
    const wanted = { status, reason, failing_since, position: this.#outbox.position };
    const names = Object.keys(wanted) as (keyof typeof wanted)[];
    const differ = names.filter((name) => wanted[name] !== this.#endpoint[name]);
    return Object.fromEntries(differ.map((name) => [name, wanted[name]])) as Partial<WebhookState>;
  }

  /** Waits until there is work, or a try has ended. */
  async #sleep(): Promise<void> {
    this.#watch();
    const { changed, position } = this.#outbox;
    const isMoved = position !== this.#endpoint.position;
    const settle = this.#parts.pace(
      changed.size > 0 ? SETTLE_MS : isMoved ? POSITION_MS : SLEEP_MS,
    );
    const due = this.#outbox.wakesAt(this.#state) - this.#parts.now();
    // A lease that is about to end will soon be renewed, or lost.
    const least = this.#parts.left() <= TRY_MS ? 250 : 1;
    const timer = setTimeout(this.#woken.resolve, Math.max(Math.min(settle, due), least));
    await this.#woken.promise;
    clearTimeout(timer);
    this.#woken = Promise.withResolvers();
  }

  #watch(): void {
    if (this.#outbox.hasMore || this.#isWatching || this.#isOver) return;
    this.#isWatching = true;
    const { feed } = this.#parts;
    void feed.next(this.#endpoint.account, this.#reached, WATCH_MS).then((reached) => {
      this.#isWatching = false;
      if (reached <= this.#reached) return this.#watch();
      this.#reached = reached;
      this.#outbox.hasMore = true;
      this.#woken.resolve();
    });
  }
}
