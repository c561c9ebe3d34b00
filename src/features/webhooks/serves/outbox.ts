/**
 * The outbox of an endpoint: what it is to be sent, several at once, those of one record in order. Failed deliveries
 * are stored by themselves, so that the position advances past them.
 */
import { changeId, readChangeId } from '../../../core/schema/id.ts';
import type { Principal } from '../../../records/auth/principal.ts';
import type { ServeParts, Serving } from '../../../services/served.ts';
import { isOver } from '../../../store/believed-time.ts';
import type { ChangeCursor, CursorLost } from '../../../store/promises/log.ts';
import type { WebhookDelivery, WebhookEndpoint } from '../declares.ts';
import type { Attempt, Notification } from './sender.ts';
import { type ChangeSource, type SourceChange, statesOf } from './source.ts';
import { type DeliveryState, delayAfter, LONGEST_DELAY_MS, opensAt } from './state.ts';

/** Unfinished deliveries of an endpoint at which reading pauses. */
const MAX_UNFINISHED = 1_000;
const MAX_AHEAD = 64;

export interface DeliveryParts extends Omit<ServeParts, 'pace'>, Serving {
  readonly source: ChangeSource;
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

export function createOutbox(endpoint: WebhookEndpoint, parts: DeliveryParts) {
  const changed = new Map<string, WebhookDelivery>();
  let hasMore = true;
  /** Queues by record: only the first task of each is sent. */
  const queues = new Map<string, OutboxTask[]>();
  const changes = new Set<string>();
  /** Stored deliveries of changes beyond the position, which are read again. */
  const pending = new Map<string, WebhookDelivery>();
  /** Changes beyond the position, in the order of the log; without a task if the endpoint does not get them. */
  const ahead: { readonly cursor: ChangeCursor; readonly task?: OutboxTask }[] = [];
  let readTo = readChangeId(endpoint.account, endpoint.position ?? '');
  let reached: string | null = endpoint.position;

  /** The change up to which everything is delivered, or stored as pending. */
  function position(): string | null {
    const left = ahead.findIndex(({ task }) => task?.isStored === false);
    const last = ahead.splice(0, left < 0 ? ahead.length : left).at(-1);
    if (last !== undefined) reached = changeId(endpoint.account, last.cursor);
    return reached;
  }

  function mayRead({ is }: DeliveryState): boolean {
    if (!hasMore || is === 'failing' || changes.size >= MAX_UNFINISHED) return false;
    return position() !== undefined && ahead.length < MAX_AHEAD;
  }

  /** Adds a change; stored, too, where an earlier one of its record is, so that the position need not wait for it. */
  function add(found: SourceChange): void {
    const { change, id, type } = found;
    if (changes.has(id)) return;
    const stored = pending.get(id);
    pending.delete(id);
    const { position, place, record } = change;
    const of = { endpoint: endpoint.unique_identifier, change: id, type, position, place, record };
    const delivery = stored ?? parts.store.webhooks.pendingOf(of);
    const task = { found, delivery, isStored: stored !== undefined, isInFlight: false };
    const head = queue(task);
    ahead.push({ cursor: change, task });
    if (head.isStored && !task.isStored) write(task, {});
  }

  /** Adds a task to its record's queue, and returns the first task there. */
  function queue(task: OutboxTask): OutboxTask {
    changes.add(task.delivery.change);
    const queue = queues.getOrInsertComputed(task.delivery.record, () => []);
    queue.push(task);
    return queue[0] ?? task;
  }

  function heads(): OutboxTask[] {
    return [...queues.values()].flatMap(([head]) => head ?? []);
  }

  function idle(): OutboxTask[] {
    return heads().filter(({ isInFlight }) => !isInFlight);
  }

  /** Stores a task as pending, with all that wait behind it. */
  function store(task: OutboxTask, next_at: number | null): void {
    write(task, { next_at });
    for (const other of queues.get(task.delivery.record) ?? []) {
      if (!other.isStored) write(other, {});
    }
  }

  function finish(task: OutboxTask, what: Partial<WebhookDelivery>): void {
    write(task, what);
    const { record, change } = task.delivery;
    changes.delete(change);
    const queue = queues.get(record);
    queue?.shift();
    if (queue?.length === 0) queues.delete(record);
  }

  function write(task: OutboxTask, what: Partial<WebhookDelivery>): void {
    task.delivery = { ...task.delivery, ...what, updated_at: parts.now() };
    task.isStored = true;
    changed.set(task.delivery.change, task.delivery);
  }

  return {
    changed,
    get hasMore() {
      return hasMore;
    },
    /** Says that the log may have unread changes. */
    expectMore(): void {
      hasMore = true;
    },
    /** The time of the oldest change in the log so far that is not delivered. */
    get waitingSince(): number | undefined {
      const since = heads().map(
        ({ found, delivery }) => found?.change.occurred_at ?? delivery.inserted_at,
      );
      return since.length === 0 ? undefined : Math.min(...since);
    },
    get isEmpty(): boolean {
      return changes.size === 0;
    },
    get position(): string | null {
      return position();
    },
    /** Reads what is pending; again, the notifications of states that were added since. */
    async load(isAgain = false): Promise<void> {
      const { unique_identifier, position } = endpoint;
      for (const delivery of await parts.store.webhooks.pending(unique_identifier)) {
        const { change } = delivery;
        const isOfChange = statesOf(delivery) === undefined;
        if (isAgain && (isOfChange || changes.has(change) || changed.has(change))) continue;
        // Changes beyond the position are read again, in order. Identifiers sort like the log.
        if (isOfChange && change > (position ?? '')) pending.set(change, delivery);
        else queue({ delivery, isStored: true, isInFlight: false });
      }
    },
    async read(principal: Principal, state: DeliveryState): Promise<CursorLost | undefined> {
      if (!mayRead(state)) return undefined;
      hasMore = false;
      const page = await parts.source.page(endpoint, principal, readTo);
      if (typeof page === 'string') return page;
      for (const found of page.found) add(found);
      if (page.last !== undefined) ahead.push({ cursor: page.last });
      readTo = page.last ?? readTo;
      hasMore ||= page.more;
      return undefined;
    },
    due({ is }: DeliveryState): readonly OutboxTask[] {
      const now = parts.now();
      // Every task is the probe once, the oldest try first: one that always fails must not hide that the endpoint works
      // again.
      if (is === 'failing') return idle().sort((a, b) => triedAt(a) - triedAt(b));
      return idle().filter(({ delivery }) => isDue(delivery, now));
    },
    /** The time of the next read or try. */
    wakesAt(state: DeliveryState): number {
      if (mayRead(state)) return 0;
      const [opens, now] = [opensAt(state), parts.now()];
      let first = Number.POSITIVE_INFINITY;
      for (const { delivery } of opens < first ? idle() : []) {
        const isNow = state.is === 'failing' || isDue(delivery, now);
        const at = isNow ? 0 : (delivery.next_at ?? 0);
        first = Math.min(first, Math.max(at, opens));
      }
      return first;
    },
    /** Makes the notification of a task; `undefined` if there is nothing to send. */
    async prepare(principal: Principal, task: OutboxTask): Promise<Notification | undefined> {
      const sent = await parts.source.notification(endpoint, principal, task);
      if (typeof sent !== 'string') return sent;
      finish(task, { status: 'failed', error: sent, next_at: null });
      return undefined;
    },
    /** Notes the end of a try. The task's delivery has its figures already. */
    note(task: OutboxTask, attempt: Attempt, before: DeliveryState, after: DeliveryState): void {
      const now = parts.now();
      const delay = delayAfter(task.delivery.attempts, attempt.retryAfterMs);
      if (attempt.is === 'delivered') {
        finish(task, { status: 'delivered' });
        // The endpoint works again, so postponed deliveries are tried now.
        for (const one of before.is === 'failing' ? idle() : [])
          one.delivery = { ...one.delivery, next_at: now };
      } else if (after.is === 'ended') store(task, null);
      else if (after.is === 'failing') store(task, after.until);
      else if (delay === undefined) finish(task, { status: 'failed' });
      else store(task, now + delay);
    },
  };
}

function isDue({ next_at }: WebhookDelivery, now: number): boolean {
  return next_at === null || isOver(next_at, now, LONGEST_DELAY_MS);
}

function triedAt({ delivery }: OutboxTask): number {
  return delivery.attempts === 0 ? 0 : delivery.updated_at;
}
