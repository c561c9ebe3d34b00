/**
 * The outbox of an endpoint: what it is to be sent, several at once, those of one record in order. Failed deliveries
 * are stored by themselves, so that the position advances past them.
 */

import { type WebhookDelivery, webhookDelivery } from '../../../core/objects/webhook-delivery.ts';
import type { WebhookEndpoint } from '../../../core/objects/webhook-endpoint.ts';
import type { BackgroundPace } from '../../../core/pace.ts';
import { changeId } from '../../../core/schema/change-id.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import type { Regions } from '../../../records/auth/region.ts';
import type { Feed } from '../../../records/changes/feed.ts';
import type { ChangeMark, MarkLost } from '../../../store/promises/log.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { WebhookNotices } from '../notices.ts';
import { delayAfter } from './schedule.ts';
import type { Attempt, Notification, Sender } from './sender.ts';
import { type ChangeSource, isOfLog, markOf, type SourceChange } from './source.ts';
import { type DeliveryState, opensAt } from './state.ts';

/** Unfinished deliveries of an endpoint at which reading pauses. */
const MAX_UNFINISHED = 1_000;
/** Changes that may be read beyond the position. */
const MAX_AHEAD = 64;

export interface DeliveryParts {
  readonly store: Store;
  readonly regions: Regions;
  readonly source: ChangeSource;
  readonly sender: Sender;
  readonly feed: Pick<Feed, 'next' | 'reached'>;
  readonly isOpen: (account: string) => Promise<boolean>;
  readonly identify: (prefix: string) => string;
  readonly now: () => number;
  readonly pace: BackgroundPace;
  readonly notices: WebhookNotices;
}

export interface OutboxTask {
  /** The change, if it was just read; otherwise it is looked up. */
  readonly found?: SourceChange;
  /** The delivery as it is, or will be, stored. */
  delivery: WebhookDelivery;
  /** Whether it is stored, or will be with the position, so that the position may pass it. */
  isStored: boolean;
  isInFlight: boolean;
}

export class Outbox {
  /** Deliveries to store, by change. */
  readonly changed = new Map<string, WebhookDelivery>();
  /** The log may have unread changes. */
  hasMore = true;
  readonly #endpoint: WebhookEndpoint;
  readonly #parts: DeliveryParts;
  /** Queues by record: only the first task of each is sent. */
  readonly #queues = new Map<string, OutboxTask[]>();
  /** Identifiers of the changes in queues. */
  readonly #changes = new Set<string>();
  /** Stored deliveries of changes beyond the position, which are read again. */
  readonly #pending = new Map<string, WebhookDelivery>();
  /** Changes beyond the position, in the order of the log; without a task if the endpoint does not get them. */
  readonly #ahead: { readonly mark: ChangeMark; readonly task?: OutboxTask }[] = [];
  #readTo: ChangeMark | undefined;
  #position: string | null;

  constructor(endpoint: WebhookEndpoint, parts: DeliveryParts) {
    this.#endpoint = endpoint;
    this.#parts = parts;
    this.#readTo = markOf(endpoint);
    this.#position = endpoint.position;
  }

  /** The time of the oldest change in the log so far that is not delivered. */
  get waitingSince(): number | undefined {
    const since = this.#heads().map(
      ({ found, delivery }) => found?.change.occurred_at ?? delivery.inserted_at,
    );
    return since.length === 0 ? undefined : Math.min(...since);
  }

  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  /** The change up to which everything is delivered, or stored as pending. */
  get position(): string | null {
    const left = this.#ahead.findIndex(({ task }) => task?.isStored === false);
    const last = this.#ahead.splice(0, left < 0 ? this.#ahead.length : left).at(-1);
    if (last !== undefined) this.#position = changeId(this.#endpoint.account, last.mark);
    return this.#position;
  }

  /** Loads pending deliveries from the store. */
  async load(): Promise<void> {
    const { unique_identifier, position } = this.#endpoint;
    for (const delivery of await this.#parts.store.webhooks.pending(unique_identifier)) {
      // Changes beyond the position are read again, in order. Identifiers sort like the log.
      if (isOfLog(delivery) && delivery.change > (position ?? ''))
        this.#pending.set(delivery.change, delivery);
      else this.#queue({ delivery, isStored: true, isInFlight: false });
    }
  }

  /** Reads more of the log if there is room. */
  async read(principal: Principal, state: DeliveryState): Promise<MarkLost | undefined> {
    if (!this.#mayRead(state)) return undefined;
    this.hasMore = false;
    const page = await this.#parts.source.page(this.#endpoint, principal, this.#readTo);
    if (typeof page === 'string') return page;
    for (const found of page.found) this.#add(found);
    if (page.last !== undefined) this.#ahead.push({ mark: page.last });
    this.#readTo = page.last ?? this.#readTo;
    this.hasMore ||= page.more;
    return undefined;
  }

  #mayRead({ is }: DeliveryState): boolean {
    if (!this.hasMore || is === 'failing' || this.#changes.size >= MAX_UNFINISHED) return false;
    return this.position !== undefined && this.#ahead.length < MAX_AHEAD;
  }

  /**
   * Adds a change. If an earlier one of its record is stored as pending, it is stored, too, so that the position need
   * not wait for it.
   */
  #add(found: SourceChange): void {
    const { change, id } = found;
    if (this.#changes.has(id)) return;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    const delivery = pending ?? this.#newDelivery(found);
    const task = { found, delivery, isStored: pending !== undefined, isInFlight: false };
    const head = this.#queue(task);
    this.#ahead.push({ mark: change, task });
    if (head.isStored && !task.isStored) this.#write(task, {});
  }

  #newDelivery({ change: { position, place, record }, id, type }: SourceChange): WebhookDelivery {
    const { identify, now } = this.#parts;
    return {
      ...webhookDelivery.nulls,
      unique_identifier: identify('dlv_'),
      endpoint: this.#endpoint.unique_identifier,
      change: id,
      position,
      place,
      type,
      record,
      status: 'pending',
      attempts: 0,
      inserted_at: now(),
      updated_at: now(),
    };
  }

  /** Adds a task to its record's queue, and returns the first task there. */
  #queue(task: OutboxTask): OutboxTask {
    this.#changes.add(task.delivery.change);
    const queue = this.#queues.getOrInsertComputed(task.delivery.record, () => []);
    queue.push(task);
    return queue[0] ?? task;
  }

  #heads(): OutboxTask[] {
    return [...this.#queues.values()].flatMap(([head]) => head ?? []);
  }

  /** The deliveries that can be tried now. */
  due({ is }: DeliveryState): readonly OutboxTask[] {
    const now = this.#parts.now();
    // Every task is the probe once, the oldest try first: one that always fails must not hide that the endpoint works
    // again.
    if (is === 'failing') return this.#idle().sort((a, b) => triedAt(a) - triedAt(b));
    return this.#idle().filter(({ delivery }) => (delivery.next_at ?? 0) <= now);
  }

  /** The time of the next read or try. */
  wakesAt(state: DeliveryState): number {
    if (this.#mayRead(state)) return 0;
    const opens = opensAt(state);
    let first = Number.POSITIVE_INFINITY;
    for (const { delivery } of opens < first ? this.#idle() : []) {
      const at = state.is === 'failing' ? 0 : (delivery.next_at ?? 0);
      first = Math.min(first, Math.max(at, opens));
    }
    return first;
  }

  #idle(): OutboxTask[] {
    return this.#heads().filter(({ isInFlight }) => !isInFlight);
  }

  /** Makes the notification of a task; `undefined` if there is nothing to send. */
  async prepare(principal: Principal, task: OutboxTask): Promise<Notification | undefined> {
    const sent = await this.#parts.source.notification(this.#endpoint, principal, task);
    if (typeof sent !== 'string') return sent;
    this.#finish(task, { status: 'failed', error: sent, next_at: null });
    return undefined;
  }

  /** Notes the end of a try. The task's delivery has its figures already. */
  note(task: OutboxTask, attempt: Attempt, before: DeliveryState, after: DeliveryState): void {
    const now = this.#parts.now();
    const delay = delayAfter(task.delivery.attempts, attempt.retryAfterMs);
    if (attempt.is === 'delivered') {
      this.#finish(task, { status: 'delivered' });
      // The endpoint works again, so postponed deliveries are tried now.
      for (const one of before.is === 'failing' ? this.#idle() : []) {
        one.delivery = { ...one.delivery, next_at: now };
      }
    } else if (after.is === 'ended') this.#store(task, null);
    else if (after.is === 'failing') this.#store(task, after.until);
    else if (delay === undefined) this.#finish(task, { status: 'failed' });
    else this.#store(task, now + delay);
  }

  /** Stores a task as pending, with all that wait behind it. */
  #store(task: OutboxTask, next_at: number | null): void {
    this.#write(task, { next_at });
    for (const other of this.#queues.get(task.delivery.record) ?? []) {
      if (!other.isStored) this.#write(other, {});
    }
  }

  #finish(task: OutboxTask, what: Partial<WebhookDelivery>): void {
    this.#write(task, what);
    const { record, change } = task.delivery;
    this.#changes.delete(change);
    const queue = this.#queues.get(record);
    queue?.shift();
    if (queue?.length === 0) this.#queues.delete(record);
  }

  #write(task: OutboxTask, what: Partial<WebhookDelivery>): void {
    task.delivery = { ...task.delivery, ...what, updated_at: this.#parts.now() };
    task.isStored = true;
    this.changed.set(task.delivery.change, task.delivery);
  }
}

function triedAt({ delivery }: OutboxTask): number {
  return delivery.attempts === 0 ? 0 : delivery.updated_at;
}
