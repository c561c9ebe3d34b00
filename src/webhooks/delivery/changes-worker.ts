/**
 * Delivers each change to an endpoint: several at once, those of one record in
 * their order. What fails is kept beside the position, which goes on.
 */
import type { Principal } from '../../auth/principal.ts';
import { changeId, readChangeId } from '../../schema/change-id.ts';
import type { ChangeMark } from '../../store/log.ts';
import type { WebhookDelivery, WebhookEndpoint, WebhookState } from '../../store/webhooks.ts';
import { Health } from './health.ts';
import { RecordLanes, type Task } from './lanes.ts';
import { delayAfter, GIVE_UP_MS } from './schedule.ts';
import { type Attempt, TRY_MS } from './sender.ts';
import { type FoundChange, markOf } from './source.ts';
import { Window } from './window.ts';
import { Alarm, type Ending, type Worker, type WorkerParts } from './worker.ts';

/** Unfinished deliveries of an endpoint: while there are so many, nothing more is read. */
const MAX_UNFINISHED = 1_000;
/** Changes that are read and not delivered. */
const MAX_AHEAD = 64;
/** Between two writes, and where only the position has moved. */
const SETTLE_MS = 500;
const POSITION_MS = 2_000;
const SLEEP_MS = 5_000;

export class ChangesWorker implements Worker {
  readonly ended: Promise<void>;
  readonly #parts: WorkerParts;
  readonly #alarm = new Alarm();
  readonly #aborting = new AbortController();
  readonly #lanes = new RecordLanes();
  readonly #window = new Window();
  readonly #health: Health;
  readonly #underWay = new Map<Task, Promise<void>>();
  readonly #changed = new Map<string, WebhookDelivery>();
  /** That are pending already, of changes that are still to be read. */
  readonly #known = new Map<string, WebhookDelivery>();
  #endpoint: WebhookEndpoint;
  #state: Partial<WebhookState> = {};
  #readTo: ChangeMark | undefined;
  /** How far the position may go with the next write. */
  #passed: ChangeMark | undefined;
  #reached = 0;
  #hasAll = false;
  #isWaiting = false;
  #isStopping = false;
  #ending: Ending | undefined;
  #settledAt = 0;

  constructor(endpoint: WebhookEndpoint, parts: WorkerParts) {
    this.#endpoint = endpoint;
    this.#parts = parts;
    this.#readTo = markOf(endpoint);
    this.#health = new Health(endpoint.status === 'failing');
    this.ended = this.#run().catch((error) => {
      parts.notices.failed(error);
      return this.#letGo();
    });
  }

  get waitingSince(): number | undefined {
    let since: number | undefined;
    for (const { found, delivery } of this.#lanes.heads()) {
      const at = found?.change.occurred_at ?? delivery.inserted_at;
      since = Math.min(since ?? at, at);
    }
    return since;
  }

  async stop(ms: number): Promise<void> {
    this.#isStopping = true;
    this.#alarm.ring();
    const late = setTimeout(() => this.#aborting.abort(), ms);
    await this.ended;
    clearTimeout(late);
  }

  async #run(): Promise<void> {
    const { book, feed, principalOf, notices } = this.#parts;
    const { unique_identifier, account } = this.#endpoint;
    for (const delivery of await book.pending(unique_identifier)) {
      const mark = readChangeId(account, delivery.change);
      if (mark === undefined) continue;
      // What the position has not passed is read again, in its order.
      if (isBehind(this.#readTo, mark)) this.#known.set(delivery.change, delivery);
      else this.#lanes.add({ mark, found: undefined, delivery, isKept: true });
    }
    this.#reached = await feed.reached(account);
    while (!this.#isStopping && this.#ending === undefined) {
      const principal = await principalOf(this.#endpoint);
      if (principal === undefined) {
        this.#ending = { status: 'paused', reason: 'key_ended' };
        break;
      }
      await this.#read(principal);
      this.#start(principal);
      if (!(await this.#settle(false))) return this.#letGo();
      if (this.#ending === undefined && !this.#isStopping) await this.#alarm.sleep(this.#wait());
    }
    if (this.#ending !== undefined) this.#aborting.abort();
    await Promise.all(this.#underWay.values());
    if (this.#ending !== undefined) Object.assign(this.#state, this.#ending);
    const isHeld = await this.#settle(true);
    if (isHeld && this.#ending !== undefined) {
      notices.stopped(unique_identifier, this.#ending.status, this.#ending.reason);
    }
  }

  /** Another process may have the endpoint by now: what is under way is nothing to it. */
  async #letGo(): Promise<void> {
    this.#isStopping = true;
    this.#aborting.abort();
    await Promise.all(this.#underWay.values());
  }

  async #read(principal: Principal): Promise<void> {
    if (this.#health.isFailing || this.#lanes.size >= MAX_UNFINISHED) return;
    this.#pass();
    if (this.#hasAll || this.#window.size >= MAX_AHEAD) return;
    const page = await this.#parts.source.page(this.#endpoint, principal, this.#readTo);
    if (typeof page === 'string') {
      this.#ending = { status: 'disabled', reason: `changes_${page}` };
      return;
    }
    for (const found of page.found) this.#take(found);
    if (page.last !== undefined) {
      this.#window.push(page.last, undefined);
      this.#readTo = page.last;
    }
    this.#hasAll = !page.more;
  }

  /** Behind one that is kept it is kept at once: the position need not wait for it. */
  #take(found: FoundChange): void {
    const { change, id } = found;
    if (this.#lanes.has(id)) return;
    const { position, place, record, resource, outcome } = change;
    const { identify, now } = this.#parts;
    const known = this.#known.get(id);
    this.#known.delete(id);
    const delivery: WebhookDelivery = known ?? {
      unique_identifier: identify(),
      endpoint: this.#endpoint.unique_identifier,
      change: id,
      position,
      place,
      type: `${resource}.${outcome}`,
      record,
      status: 'pending',
      attempts: 0,
      status_code: null,
      error: null,
      duration_ms: null,
      next_at: null,
      inserted_at: now(),
      updated_at: now(),
    };
    const task: Task = { mark: change, found, delivery, isKept: known !== undefined };
    const [head] = this.#lanes.of(record);
    this.#lanes.add(task);
    this.#window.push(change, task);
    if (head?.isKept === true && !task.isKept) this.#keep(task, {});
  }

  #start(principal: Principal): void {
    const now = this.#parts.now();
    // A try must be over while the lease lasts: whoever has it next would send others of the record meanwhile.
    if (now < this.#health.holdUntil || this.#parts.left() <= TRY_MS) return;
    const heads = [...this.#lanes.heads()].filter((task) => !this.#underWay.has(task));
    if (this.#health.isFailing) {
      if (this.#underWay.size > 0) return;
      // Each has its turn: one that always fails must not hide that the endpoint works again.
      const probe = heads.sort((a, b) => triedAt(a) - triedAt(b))[0];
      if (probe !== undefined) this.#deliver(principal, probe);
      else if (this.#lanes.size === 0) this.#health.forget();
      return;
    }
    for (const task of heads) {
      if (this.#underWay.size >= this.#health.atOnce) return;
      if ((task.delivery.next_at ?? 0) <= now) this.#deliver(principal, task);
    }
  }

  #deliver(principal: Principal, task: Task): void {
    const delivering = this.#send(principal, task)
      .then(
        (attempt) => {
          if (!this.#aborting.signal.aborted) this.#note(task, attempt);
        },
        (error) => {
          if (this.#aborting.signal.aborted) return;
          this.#isStopping = true;
          this.#parts.notices.failed(error);
        },
      )
      .finally(() => {
        this.#underWay.delete(task);
        this.#alarm.ring();
      });
    this.#underWay.set(task, delivering);
  }

  /** `undefined`: there is nothing to be sent any longer, for that reason. */
  async #send(principal: Principal, task: Task): Promise<Attempt | string> {
    const { source, sender } = this.#parts;
    const { mark, delivery } = task;
    const found =
      task.found ?? (await source.find(this.#endpoint, { ...mark, record: delivery.record }));
    if (found === undefined)
      return 'The log of changes no longer has this change, or it is damaged.';
    if (!source.maySee(principal, found)) return 'The API key of the endpoint may not see it.';
    const body = await source.body(this.#endpoint, principal, found);
    return sender.send(this.#endpoint, { id: found.id, body }, this.#aborting.signal);
  }

  #note(task: Task, attempt: Attempt | string): void {
    const { notices, now } = this.#parts;
    const { unique_identifier } = this.#endpoint;
    if (typeof attempt === 'string') {
      this.#finish(task, { status: 'failed', error: attempt, next_at: null });
      return;
    }
    notices.tried(unique_identifier, attempt.is === 'delivered' ? 'delivered' : 'failed');
    const { status_code, error, duration_ms } = attempt;
    const attempts = task.delivery.attempts + 1;
    const tried = { attempts, status_code, error, duration_ms, next_at: null };
    if (attempt.is === 'delivered') {
      this.#finish(task, { ...tried, status: 'delivered' });
      this.#works();
      return;
    }
    if (attempt.is === 'gone') {
      this.#keep(task, tried);
      this.#ending = { status: 'disabled', reason: 'gone' };
      return;
    }
    const at = now();
    const wasFailing = this.#health.isFailing;
    const probe = this.#health.failed(at, attempt.retryAfterMs, this.#underWay.size === 1);
    const since = this.#endpoint.failing_since ?? at;
    if (this.#endpoint.failing_since === null) this.#change({ failing_since: since });
    if (at - since >= GIVE_UP_MS) this.#ending = { status: 'disabled', reason: 'failing_too_long' };
    if (probe !== undefined) {
      if (!wasFailing) this.#change({ status: 'failing' });
      this.#keep(task, { ...tried, next_at: probe });
      return;
    }
    const delay = delayAfter(attempts, attempt.retryAfterMs);
    if (delay === undefined) this.#finish(task, { ...tried, status: 'failed' });
    else this.#keep(task, { ...tried, next_at: at + delay });
  }

  /** The endpoint works: what waited because it did not is tried now. */
  #works(): void {
    if (this.#health.isFailing) {
      const now = this.#parts.now();
      for (const task of this.#lanes.heads()) {
        if (!this.#underWay.has(task)) task.delivery = { ...task.delivery, next_at: now };
      }
    }
    this.#health.works();
    const { status, failing_since } = this.#endpoint;
    if (status === 'failing' || failing_since !== null) {
      this.#change({ status: 'enabled', failing_since: null });
    }
  }

  #change(state: Partial<WebhookState>): void {
    this.#endpoint = { ...this.#endpoint, ...state };
    Object.assign(this.#state, state);
  }

  /** The store is to have it, and all that wait behind it. */
  #keep(task: Task, what: Partial<WebhookDelivery>): void {
    this.#write(task, what);
    for (const other of this.#lanes.of(task.delivery.record)) {
      if (!other.isKept) this.#write(other, {});
    }
  }

  #finish(task: Task, what: Partial<WebhookDelivery>): void {
    this.#write(task, what);
    this.#lanes.finish(task);
  }

  #write(task: Task, what: Partial<WebhookDelivery>): void {
    task.delivery = { ...task.delivery, ...what, updated_at: this.#parts.now() };
    task.isKept = true;
    this.#changed.set(task.delivery.change, task.delivery);
  }

  #pass(): void {
    this.#passed = this.#window.pass() ?? this.#passed;
  }

  /** Writes what has changed, not too often. `false`: the lease is another one's. */
  async #settle(isLast: boolean): Promise<boolean> {
    const since = performance.now() - this.#settledAt;
    const isState = Object.keys(this.#state).length > 0;
    const isDelivery = this.#changed.size > 0;
    const isDue = isState || since >= (isDelivery ? SETTLE_MS : POSITION_MS);
    if (!isLast && !isDue) return true;
    this.#pass();
    const passed = this.#passed;
    if (passed === undefined && !isState && !isDelivery) return true;
    const { unique_identifier, account } = this.#endpoint;
    const position = passed === undefined ? {} : { position: changeId(account, passed) };
    const state = { ...this.#state, ...position };
    const deliveries = [...this.#changed.values()];
    this.#state = {};
    this.#passed = undefined;
    this.#changed.clear();
    const { book, lease } = this.#parts;
    const isHeld = await book.settle(unique_identifier, lease, state, deliveries);
    this.#settledAt = performance.now();
    return isHeld;
  }

  /** Milliseconds until there is something to do, as far as is known. */
  #wait(): number {
    const now = this.#parts.now();
    this.#waitForChanges();
    const isMoved = this.#window.size > 0 || this.#passed !== undefined;
    const settle = this.#changed.size > 0 ? SETTLE_MS : isMoved ? POSITION_MS : SLEEP_MS;
    let next = Math.min(SLEEP_MS, settle);
    if (!this.#hasAll && !this.#health.isFailing && this.#window.size < MAX_AHEAD) {
      if (this.#lanes.size < MAX_UNFINISHED) next = 0;
    }
    const isFree = this.#underWay.size < this.#health.atOnce;
    for (const task of isFree ? this.#lanes.heads() : []) {
      if (this.#underWay.has(task)) continue;
      const due = this.#health.isFailing ? 0 : (task.delivery.next_at ?? 0);
      next = Math.min(next, Math.max(due, this.#health.holdUntil) - now);
    }
    // Where the lease is about to end it is soon longer, or lost.
    return Math.max(next, this.#parts.left() <= TRY_MS ? 250 : 0);
  }

  #waitForChanges(): void {
    if (!this.#hasAll || this.#isWaiting) return;
    this.#isWaiting = true;
    const { feed } = this.#parts;
    void feed.next(this.#endpoint.account, this.#reached, SLEEP_MS / 5).then((reached) => {
      this.#isWaiting = false;
      if (reached > this.#reached) {
        this.#reached = reached;
        this.#hasAll = false;
        this.#alarm.ring();
      } else if (!this.#isStopping) this.#waitForChanges();
    });
  }
}

function triedAt({ delivery }: Task): number {
  return delivery.attempts === 0 ? 0 : delivery.updated_at;
}

/** Whether a change comes after a place in the log; after none, all do. */
function isBehind(place: ChangeMark | undefined, mark: ChangeMark): boolean {
  if (place === undefined || place.position !== mark.position) {
    return mark.position > (place?.position ?? 0);
  }
  return mark.place > place.place;
}
