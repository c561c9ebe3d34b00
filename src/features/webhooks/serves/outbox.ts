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
import { type DeliveryState, delayAfter, LONGEST_DELAY_MS, opensAt, triedNext } from './state.ts';

/** Unfinished deliveries of an endpoint at which reading pauses, where all endpoints together have many. */
const MAX_UNFINISHED = 1_000;
/** Bounds an endpoint in any case, and all endpoints together in what they have beyond a thousand each. */
const MOST_UNFINISHED = 20_000;
const MOST_TOGETHER = 50_000;
const MAX_AHEAD = 64;
/** How often what waits for its next try is looked through, at the most. */
const LOOKS_MS = 250;

/** Shares the room in memory beyond a thousand deliveries each: where an endpoint refuses, many wait for their next try. */
export function createRoom() {
  const held = new Map<object, number>();
  let total = 0;
  return {
    hasRoom: () => total < MOST_TOGETHER,
    hold(by: object, unfinished: number): void {
      const now = Math.max(0, unfinished - MAX_UNFINISHED);
      total += now - (held.get(by) ?? 0);
      if (now === 0) held.delete(by);
      else held.set(by, now);
    },
  };
}

export interface DeliveryParts extends Omit<ServeParts, 'pace'>, Serving {
  readonly source: ChangeSource;
  readonly room: ReturnType<typeof createRoom>;
}

export interface OutboxTask {
  /** The change, if it was just read; otherwise it is looked up. */
  found?: SourceChange | undefined;
  /** The delivery as it is, or will be, stored. */
  delivery: WebhookDelivery;
  /** Whether it is stored, or will be with the position, so that the position may pass it. */
  isStored: boolean;
  isInFlight: boolean;
}

/** Names the notifications after which nothing earlier of a record is told. */
const ENDS = /\.(?:deleted|erased|wiped)$/;
const ENDED = 'The record was removed or erased since, and that is told in its place.';

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
  /** The first task of each queue that is not under way: due, or waiting for its next try. */
  const ready = new Map<string, OutboxTask>();
  const waiting = new Map<string, OutboxTask>();
  /** When what waits is looked at again. */
  let looksAt = 0;
  /** The kinds that were tried since it last took anything. */
  const tried = new Set<string>();
  /**
   * Records of which a notification was given up, which is not stored yet: sent after a restart, it would come behind what
   * is sent now. The number says which of them was when.
   */
  const held = new Map<string, number>();
  let givenUp = 0;
  /** Notifications that were tried while nothing was answered, and wait for the next such try. */
  const postponed = new Set<OutboxTask>();
  let probes = 0;
  let readTo = readChangeId(endpoint.account, endpoint.position ?? '');
  let reached: string | null = endpoint.position;

  /** The change up to which everything is delivered, or stored as pending. */
  function position(): string | null {
    const left = ahead.findIndex(({ task }) => task?.isStored === false);
    const last = ahead.splice(0, left < 0 ? ahead.length : left).at(-1);
    if (last !== undefined) reached = changeId(endpoint.account, last.cursor);
    return reached;
  }

  function mayRead(): boolean {
    parts.room.hold(changes, changes.size);
    const most = parts.room.hasRoom() ? MOST_UNFINISHED : MAX_UNFINISHED;
    if (!hasMore || changes.size >= most) return false;
    return position() !== undefined && ahead.length < MAX_AHEAD;
  }

  /**
   * Adds a change. It is stored where it has to wait, so that the position need not wait for it: behind another one of its
   * record that is, and where nothing is sent now.
   */
  function add(found: SourceChange, waits: boolean): void {
    const { change, id, type } = found;
    if (changes.has(id)) return;
    const stored = pending.get(id);
    pending.delete(id);
    const { position, place, record } = change;
    const of = { endpoint: endpoint.unique_identifier, change: id, type, position, place, record };
    const delivery = stored ?? parts.store.webhooks.pendingOf(of);
    const task: OutboxTask = {
      ...{ found, delivery, isStored: stored !== undefined, isInFlight: false },
    };
    if (isOfAll(type)) for (const queue of queues.values()) endAll(queue, queue.length);
    const head = queue(task);
    ahead.push({ cursor: change, task });
    if ((head.isStored || waits) && !task.isStored) write(task, {});
    if (head.isStored) endBefore(record);
  }

  /** Adds a task to its record's queue, and returns the first task there. */
  function queue(task: OutboxTask): OutboxTask {
    changes.add(task.delivery.change);
    const { record } = task.delivery;
    const queue = queues.getOrInsertComputed(record, () => []);
    queue.push(task);
    if (queue.length === 1) place(record);
    return queue[0] ?? task;
  }

  /** Puts the first task of a record where it is found. */
  function place(record: string): void {
    ready.delete(record);
    waiting.delete(record);
    const head = queues.get(record)?.[0];
    if (head === undefined || head.isInFlight || held.has(record)) return;
    if (isDue(head.delivery, parts.now())) ready.set(record, head);
    else {
      waiting.set(record, head);
      looksAt = Math.min(looksAt, head.delivery.next_at ?? 0);
    }
  }

  /** Finds what has become due among what waits: not for each try, since much may wait. */
  function wake(): void {
    const now = parts.now();
    if (!isOver(looksAt, now, LONGEST_DELAY_MS)) return;
    let first = Number.POSITIVE_INFINITY;
    for (const [record, { delivery }] of waiting) {
      if (isDue(delivery, now)) place(record);
      else first = Math.min(first, delivery.next_at ?? 0);
    }
    looksAt = Math.max(first, now + LOOKS_MS);
  }

  /** Ends what waits of a record that was removed or erased since: its order would keep that back. */
  function endBefore(record: string): void {
    const queue = queues.get(record) ?? [];
    endAll(
      queue,
      queue.findLastIndex(({ delivery }) => ENDS.test(delivery.type)),
    );
  }

  /** Ends the first tasks of a queue, but for one that is under way. */
  function endAll(queue: OutboxTask[], count: number): void {
    const ended = queue.slice(0, Math.max(0, count)).filter(({ isInFlight }) => !isInFlight);
    for (const task of ended) finish(task, { status: 'failed', error: ENDED, next_at: null });
  }

  /**
   * Every task is a probe once, the oldest try first: one that always fails must not hide that the endpoint works again. In
   * turn with the newest that was not tried: what a gateway does not let through may be what came first.
   */
  function probe(among: Iterable<OutboxTask>): OutboxTask | undefined {
    let oldest: OutboxTask | undefined;
    let newest: OutboxTask | undefined;
    for (const task of among) {
      const at = triedAt(task);
      if (oldest === undefined || at < triedAt(oldest)) oldest = task;
      if (at === 0 && task.delivery.change > (newest?.delivery.change ?? '')) newest = task;
    }
    return probes % 2 === 0 ? (newest ?? oldest) : oldest;
  }

  /** Stores a task as pending, with all that wait behind it. */
  function store(task: OutboxTask, next_at: number | null): void {
    write(task, { next_at });
    // It is looked up when it is tried again: there may be many that wait.
    task.found = undefined;
    const { record } = task.delivery;
    for (const other of queues.get(record) ?? []) {
      if (!other.isStored) write(other, {});
    }
    endBefore(record);
    place(record);
  }

  function finish(task: OutboxTask, what: Partial<WebhookDelivery>): void {
    write(task, what);
    const { record, change, status } = task.delivery;
    if (status === 'failed') held.set(record, ++givenUp);
    changes.delete(change);
    postponed.delete(task);
    const left = (queues.get(record) ?? []).filter((one) => one !== task);
    if (left.length === 0) queues.delete(record);
    else queues.set(record, left);
    place(record);
  }

  function write(task: OutboxTask, what: Partial<WebhookDelivery>): void {
    task.delivery = { ...task.delivery, ...what, updated_at: parts.now() };
    task.isStored = true;
    changed.set(task.delivery.change, task.delivery);
  }

  /** Whether nothing is sent before a time but kinds that were not tried since it last took something. */
  const isShut = (state: DeliveryState): boolean => {
    const until = triedNext(state);
    return until !== null && !isOver(until, parts.now(), LONGEST_DELAY_MS);
  };

  /** Finds a task that may be tried now; `undefined`: there is none, or another try has to end first. */
  function next(state: DeliveryState): OutboxTask | undefined {
    if (opensAt(state) === Number.POSITIVE_INFINITY) return undefined;
    wake();
    if (isShut(state)) {
      // A receiver that hangs with one kind may take others.
      if (state.inFlight === 0)
        for (const task of ready.values()) if (!tried.has(task.delivery.type)) return task;
      return undefined;
    }
    if (state.is === 'down') return probe([...ready.values(), ...waiting.values()]);
    if (state.is === 'waiting') return probe(ready.values());
    const [first] = ready.values();
    return first;
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
      let since: number | undefined;
      for (const [head] of queues.values()) {
        const at = head?.found?.change.occurred_at ?? head?.delivery.inserted_at;
        if (at !== undefined && at < (since ?? Number.POSITIVE_INFINITY)) since = at;
      }
      return since;
    },
    get isEmpty(): boolean {
      return changes.size === 0;
    },
    get position(): string | null {
      return position();
    },
    /** Whether something waits until what was given up is stored. */
    get isHeld(): boolean {
      return held.size > 0;
    },
    /** Gives what is to be called when all that has changed until now is stored. */
    storing(): () => void {
      const upTo = givenUp;
      return () => {
        for (const [record, nth] of held) {
          if (nth > upTo) continue;
          held.delete(record);
          place(record);
        }
      };
    },
    /** Gives its room to others. */
    leave(): void {
      parts.room.hold(changes, 0);
    },
    /** Reads what is pending; again, the notifications of states that were added since. */
    async load(isAgain = false): Promise<void> {
      const { unique_identifier, position } = endpoint;
      for (const delivery of await parts.store.webhooks.pending(unique_identifier)) {
        const { change, record } = delivery;
        const isOfChange = statesOf(delivery) === undefined;
        if (isAgain && (isOfChange || changes.has(change) || changed.has(change))) continue;
        // Changes beyond the position are read again, in order. Identifiers sort like the log.
        if (isOfChange && change > (position ?? '')) pending.set(change, delivery);
        else {
          queue({ delivery, isStored: true, isInFlight: false });
          endBefore(record);
        }
      }
    },
    async read(principal: Principal, state: DeliveryState): Promise<CursorLost | undefined> {
      if (!mayRead()) return undefined;
      hasMore = false;
      const page = await parts.source.page(endpoint, principal, readTo);
      if (typeof page === 'string') return page;
      for (const found of page.found) add(found, isShut(state));
      if (page.last !== undefined) ahead.push({ cursor: page.last });
      readTo = page.last ?? readTo;
      hasMore ||= page.more;
      return undefined;
    },
    /** Takes the next task to be tried, if there is one that may be. */
    take(state: DeliveryState): OutboxTask | undefined {
      const task = next(state);
      if (task === undefined) return undefined;
      const { type, record } = task.delivery;
      tried.add(type);
      postponed.delete(task);
      if (state.is !== 'sending') probes += 1;
      task.isInFlight = true;
      place(record);
      return task;
    },
    /** The time of the next read or try. */
    wakesAt(state: DeliveryState): number {
      if (mayRead() || next(state) !== undefined) return 0;
      if (queues.size === 0) return Number.POSITIVE_INFINITY;
      return Math.max(opensAt(state), state.is === 'down' || ready.size > 0 ? 0 : looksAt);
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
      // While nothing answers at all, no delivery loses the tries that it has.
      const counts = before.is !== 'down' || attempt.is !== 'unanswered';
      const attempts = task.delivery.attempts + (counts ? 1 : 0);
      task.delivery = { ...task.delivery, attempts };
      const delay = delayAfter(attempts, attempt.retryAfterMs);
      if (attempt.is === 'delivered') {
        finish(task, { status: 'delivered' });
        tried.clear();
        // The endpoint works again, so postponed deliveries are tried now.
        for (const one of postponed) {
          one.delivery = { ...one.delivery, next_at: now };
          place(one.delivery.record);
        }
        postponed.clear();
      } else if (after.is === 'ended') store(task, null);
      else if (!counts) {
        postponed.add(task);
        store(task, triedNext(after) ?? now);
      } else if (delay === undefined) finish(task, { status: 'failed' });
      else store(task, now + delay);
    },
  };
}

/** Whether it tells of all records of the account at once. */
const isOfAll = (type: string): boolean => type.endsWith('.wiped');

function isDue({ next_at }: WebhookDelivery, now: number): boolean {
  return next_at === null || isOver(next_at, now, LONGEST_DELAY_MS);
}

function triedAt({ delivery }: OutboxTask): number {
  return delivery.duration_ms === null ? 0 : delivery.updated_at;
}
