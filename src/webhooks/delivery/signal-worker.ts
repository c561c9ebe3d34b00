/** Tells an endpoint that there are changes, at most once a second: it reads them itself. */
import type { Principal } from '../../auth/principal.ts';
import { changeId } from '../../schema/change-id.ts';
import type { ChangeMark } from '../../store/log.ts';
import type { WebhookDelivery, WebhookEndpoint, WebhookState } from '../../store/webhooks.ts';
import { SIGNAL } from '../notifications.ts';
import { GIVE_UP_MS, probeAfter } from './schedule.ts';
import { type Attempt, TRY_MS } from './sender.ts';
import { type FoundChange, markOf, notificationOf } from './source.ts';
import { Alarm, type Ending, type Worker, type WorkerParts } from './worker.ts';

const EVERY_MS = 1_000;
const SLEEP_MS = 1_000;
/** From then on it counts as failing. */
const FAILURES = 3;

export class SignalWorker implements Worker {
  readonly ended: Promise<void>;
  waitingSince: number | undefined;
  readonly #parts: WorkerParts;
  readonly #alarm = new Alarm();
  readonly #aborting = new AbortController();
  #endpoint: WebhookEndpoint;
  #isStopping = false;
  #failures = 0;
  #next = 0;

  constructor(endpoint: WebhookEndpoint, parts: WorkerParts) {
    this.#endpoint = endpoint;
    this.#parts = parts;
    this.ended = this.#run().catch((error) => parts.notices.failed(error));
  }

  async stop(ms: number): Promise<void> {
    this.#isStopping = true;
    this.#alarm.ring();
    const late = setTimeout(() => this.#aborting.abort(), ms);
    await this.ended;
    clearTimeout(late);
  }

  async #run(): Promise<void> {
    const { feed, now, left, principalOf } = this.#parts;
    const { account } = this.#endpoint;
    let reached = -1;
    while (!this.#isStopping) {
      const wait = this.#next - now();
      if (wait > 0 || left() <= TRY_MS) {
        await this.#alarm.sleep(Math.min(Math.max(wait, 250), SLEEP_MS));
        continue;
      }
      const at = await feed.reached(account);
      if (at === reached) {
        await Promise.race([feed.next(account, reached, SLEEP_MS), this.#alarm.sleep(SLEEP_MS)]);
        continue;
      }
      const principal = await principalOf(this.#endpoint);
      if (principal === undefined) return this.#end({ status: 'paused', reason: 'key_ended' });
      const news = await this.#news(principal);
      if (typeof news === 'string') {
        return this.#end({ status: 'disabled', reason: `changes_${news}` });
      }
      if (!(await this.#tell(news))) return;
      if (this.#failures === 0) reached = at;
    }
  }

  /** Reads to the end of the log: the first change to tell of, and the last of all. */
  async #news(principal: Principal) {
    let after = markOf(this.#endpoint);
    let first: FoundChange | undefined;
    let last: FoundChange | undefined;
    for (;;) {
      const page = await this.#parts.source.page(this.#endpoint, principal, after);
      if (typeof page === 'string') return page;
      first ??= page.found[0];
      last = page.found.at(-1) ?? last;
      after = page.last ?? after;
      if (!page.more || this.#isStopping) return { first, last, after };
    }
  }

  /** `false`: it is delivered to no longer. */
  async #tell(news: {
    readonly first: FoundChange | undefined;
    readonly last: FoundChange | undefined;
    readonly after: ChangeMark | undefined;
  }): Promise<boolean> {
    const { first, last, after } = news;
    const { now, sender, notices } = this.#parts;
    const { account, unique_identifier } = this.#endpoint;
    const position = after === undefined ? {} : { position: changeId(account, after) };
    if (first === undefined || last === undefined) return this.#settle(position, []);
    this.waitingSince = first.change.occurred_at;
    const data = {
      object: 'changes',
      account,
      starting_after: this.#endpoint.position,
      last: last.id,
    };
    const body = notificationOf(SIGNAL, last.change.occurred_at, JSON.stringify(data));
    const attempt = await sender.send(this.#endpoint, { id: last.id, body }, this.#aborting.signal);
    if (this.#aborting.signal.aborted) return false;
    notices.tried(unique_identifier, attempt.is === 'delivered' ? 'delivered' : 'failed');
    const delivery = this.#deliveryOf(last, attempt);
    if (attempt.is === 'delivered') {
      this.#failures = 0;
      this.#next = now() + EVERY_MS;
      this.waitingSince = undefined;
      const works = { status: 'enabled', failing_since: null } as const;
      return this.#settle({ ...position, ...works }, [delivery]);
    }
    this.#failures += 1;
    this.#next = now() + probeAfter(this.#failures - 1, attempt.retryAfterMs);
    const failing_since = this.#endpoint.failing_since ?? now();
    const isOver = now() - failing_since >= GIVE_UP_MS;
    if (attempt.is === 'gone' || isOver) {
      const reason = attempt.is === 'gone' ? 'gone' : 'failing_too_long';
      await this.#end({ status: 'disabled', reason }, { failing_since }, [delivery]);
      return false;
    }
    const status = this.#failures >= FAILURES ? 'failing' : this.#endpoint.status;
    return this.#settle({ failing_since, status }, [delivery]);
  }

  #deliveryOf({ id, change }: FoundChange, attempt: Attempt): WebhookDelivery {
    const { now, identify } = this.#parts;
    return {
      unique_identifier: identify(),
      endpoint: this.#endpoint.unique_identifier,
      change: id,
      position: change.position,
      place: change.place,
      type: SIGNAL,
      record: change.record,
      status: attempt.is === 'delivered' ? 'delivered' : 'failed',
      attempts: this.#failures + 1,
      status_code: attempt.status_code,
      error: attempt.error,
      duration_ms: attempt.duration_ms,
      next_at: null,
      inserted_at: now(),
      updated_at: now(),
    };
  }

  async #end(
    ending: Ending,
    state: Partial<WebhookState> = {},
    deliveries: readonly WebhookDelivery[] = [],
  ): Promise<void> {
    const isHeld = await this.#settle({ ...state, ...ending }, deliveries);
    const { unique_identifier } = this.#endpoint;
    if (isHeld) this.#parts.notices.stopped(unique_identifier, ending.status, ending.reason);
  }

  /** `false`: the lease is another one's. */
  #settle(state: Partial<WebhookState>, deliveries: readonly WebhookDelivery[]): Promise<boolean> {
    const { book, lease } = this.#parts;
    this.#endpoint = { ...this.#endpoint, ...state };
    return book.settle(this.#endpoint.unique_identifier, lease, state, deliveries);
  }
}
