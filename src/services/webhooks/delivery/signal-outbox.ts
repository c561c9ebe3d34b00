/**
 * The outbox of an endpoint that gets signals: at most once a second it is notified that there are changes, and reads
 * them itself.
 */

import { changeId } from '../../../core/schema/change-id.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import type { MarkLost } from '../../../store/promises/log.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../../../store/promises/webhooks.ts';
import { SIGNAL } from '../notifications.ts';
import { type DeliveryParts, newTask, type Outbox, type OutboxTask } from './outbox.ts';
import type { Attempt, Notification } from './sender.ts';
import { markOf, notificationOf, type SourceChange } from './source.ts';
import { type DeliveryState, opensAt } from './state.ts';

export class SignalOutbox implements Outbox {
  readonly policy = { atOnce: { first: 1, most: 1 }, pausesFrom: 1, failsFrom: 3, everyMs: 1_000 };
  readonly changed = new Map<string, WebhookDelivery>();
  waitingSince: number | undefined;
  position: string | null;
  hasMore = true;
  readonly #endpoint: WebhookEndpoint;
  readonly #parts: DeliveryParts;
  #task: OutboxTask | undefined;
  /** The last change to signal, and the position after the signal is delivered. */
  #last: SourceChange | undefined;
  #readTo: string | null;
  /** Tries since the last success. */
  #attempts = 0;

  constructor(endpoint: WebhookEndpoint, parts: DeliveryParts) {
    this.#endpoint = endpoint;
    this.#parts = parts;
    this.position = endpoint.position;
    this.#readTo = endpoint.position;
  }

  get isEmpty(): boolean {
    return this.#task === undefined && !this.hasMore;
  }

  /** Signals are not stored: the position has not passed an undelivered one, so the log is read again. */
  async load(): Promise<void> {}

  /** Reads to the end of the log: a signal names the last change at the time it is sent. */
  async read(principal: Principal, state: DeliveryState): Promise<MarkLost | undefined> {
    const { source, now } = this.#parts;
    if (this.#task !== undefined || !this.hasMore || opensAt(state) > now()) return undefined;
    this.hasMore = false;
    const after = markOf({ ...this.#endpoint, position: this.#readTo });
    const page = await source.page(this.#endpoint, principal, after);
    if (typeof page === 'string') return page;
    this.waitingSince ??= page.found[0]?.change.occurred_at;
    this.#last = page.found.at(-1) ?? this.#last;
    if (page.last) this.#readTo = changeId(this.#endpoint.account, page.last);
    this.hasMore ||= page.more;
    if (page.more) return undefined;
    if (this.#last === undefined) this.position = this.#readTo;
    else this.#task = newTask(this.#parts, this.#endpoint, this.#last, [SIGNAL, this.#attempts]);
    return undefined;
  }

  due(): readonly OutboxTask[] {
    return this.#task === undefined ? [] : [this.#task];
  }

  wakesAt(state: DeliveryState): number {
    return this.isEmpty ? Number.POSITIVE_INFINITY : opensAt(state);
  }

  async prepare(_: Principal, { found }: OutboxTask): Promise<Notification | undefined> {
    if (found === undefined) return undefined;
    const { account } = this.#endpoint;
    const data = { object: 'changes', account, starting_after: this.position, last: found.id };
    const body = notificationOf(SIGNAL, found.change.occurred_at, JSON.stringify(data));
    return { id: found.id, body };
  }

  note({ delivery }: OutboxTask, { is }: Attempt): void {
    const isDelivered = is === 'delivered';
    const status = isDelivered ? 'delivered' : 'failed';
    this.changed.set(delivery.change, { ...delivery, status });
    if (isDelivered) [this.position, this.waitingSince] = [this.#readTo, undefined];
    // After a failure the log is read again, so that the next signal names the last change by then.
    [this.#task, this.#last, this.#readTo] = [undefined, undefined, this.position];
    this.#attempts = isDelivered ? 0 : delivery.attempts;
    this.hasMore ||= !isDelivered;
  }
}
