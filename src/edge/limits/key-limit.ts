/** Limits of keys: requests a second, and concurrent requests. Processes that share a port report their use to each other. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type ErrorCode, type FaultValues } from '../../core/errors.ts';
import type { Principal } from '../../records/auth/principal.ts';

/** The number of limits beyond which those in their initial state are dropped. */
const MANY = 1_000;

/** How often processes report. In between, each may let a burst through, whose excess counts against the next. */
const REPORT_MS = 100;

export interface Spent {
  readonly key: string;
  readonly rate: number | undefined;
  readonly concurrent: number | undefined;
  readonly count: number;
}

/** The channel to and from the other processes. */
export interface SpentExchange {
  send(spent: readonly Spent[]): void;
  /** Subscribes, once: `take` gets the reports of other processes. */
  receive(take: (spent: readonly Spent[]) => void): void;
}

/** Returns the limit of a key, if it has one. `rate`, in requests a second, is for keys without one. */
export function createKeyLimits(
  rate: number | undefined,
  exchange?: SpentExchange,
  clock: Pick<Performance, 'now'> = performance,
) {
  const limits = new Map<string, KeyLimit>();
  let enough = MANY;

  const forget = (): void => {
    const now = clock.now();
    for (const [key, limit] of limits) if (limit.isIdle(now)) limits.delete(key);
    enough = Math.max(MANY, 2 * limits.size);
  };

  const report = (): void => {
    const spent = Array.from(limits, ([key, limit]): Spent => {
      return { key, ...limit.limits, count: limit.takeSpent() };
    }).filter(({ count }) => count > 0);
    if (spent.length > 0) exchange?.send(spent);
  };
  if (exchange !== undefined) setInterval(report, REPORT_MS).unref();

  const limitOf = (principal: Pick<Principal, 'key' | 'rate' | 'concurrent'>) => {
    const own = principal.rate ?? rate;
    const { concurrent } = principal;
    if (own === undefined && concurrent === undefined) return undefined;
    const known = limits.get(principal.key);
    if (known?.limits.rate === own && known?.limits.concurrent === concurrent) return known;
    if (limits.size >= enough) forget();
    const limit = new KeyLimit({ rate: own, concurrent }, clock.now());
    limits.set(principal.key, limit);
    return limit;
  };
  exchange?.receive((spent) => {
    for (const { count, ...of } of spent) limitOf(of)?.takenElsewhere(count, clock.now());
  });
  return limitOf;
}

const MS_PER_SECOND = 1000;
/** How often a waiting request checks that its client is still connected. */
const LOOK_MS = 250;

/** The limits of a key; `undefined` for none. */
interface Limits {
  readonly rate: number | undefined;
  readonly concurrent: number | undefined;
}

export class KeyLimit {
  readonly limits: Limits;
  /** The value of `RateLimit-Policy`, the same in every answer. */
  readonly policy: string;
  readonly #bucket: Bucket | undefined;
  #rate: FaultValues = {};
  #underWay = 0;
  /** Requests since the last report to the other processes. */
  #unreported = 0;
  /** The last error, reused because creating one costs more than sending it in a flood. */
  #last: { readonly code: ErrorCode; readonly seconds: number; error: ApiError } | undefined;

  constructor(limits: Limits, now: number) {
    const { rate, concurrent } = limits;
    this.limits = limits;
    const policies: string[] = [];
    if (rate !== undefined) {
      // The headers require whole numbers.
      const seconds = Number.isInteger(rate) ? 1 : 60;
      const quota = Math.max(1, Math.round(rate * seconds));
      this.#bucket = new Bucket(quota, rate, now);
      policies.push(`"rate";q=${quota};w=${seconds}`);
      this.#rate = { most: quota, per: seconds === 1 ? 'second' : 'minute' };
    }
    if (concurrent !== undefined)
      policies.push(`"concurrent";q=${concurrent};qu="concurrent-requests"`);
    this.policy = policies.join(', ');
  }

  /** Returns whether the limit is in its initial state, and may be dropped. */
  isIdle(now: number): boolean {
    return this.#underWay === 0 && this.#secondsUntilFull(now) === 0;
  }

  /** Lets a request begin, to be ended by `end`, or returns why not; a `slowed` one begins at any rate. */
  begin(slowed: boolean, now: number): ApiError | undefined {
    const { concurrent } = this.limits;
    if (concurrent !== undefined && this.#underWay >= concurrent)
      return this.#refuse('concurrency_limited', { most: concurrent }, 1);
    if (!slowed && this.#bucket !== undefined) {
      if (this.#bucket.left(now) < 1)
        return this.#refuse('rate_limited', this.#rate, this.#secondsUntilNext(now));
      this.#take(1, now);
    }
    this.#underWay += 1;
    return undefined;
  }

  end(): void {
    this.#underWay -= 1;
  }

  /** Counts rows in addition to their request, even if they exceed what is left. */
  charge(rows: number, now: number): void {
    if (rows > 0) this.#take(rows, now);
  }

  /** The rows of a stream to take at once, few enough that single requests come in between. */
  get together(): number {
    return this.#bucket === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(1, Math.floor(this.#bucket.most / 2));
  }

  /** Resolves when this many rows may be taken, or `isOver` says that the client has gone. */
  async pace(rows: number, isOver: () => boolean, clock = performance): Promise<void> {
    const bucket = this.#bucket;
    if (bucket === undefined) return;
    const wanted = Math.min(rows, this.together);
    for (;;) {
      if (isOver()) return;
      const ms = bucket.msUntil(wanted, clock.now());
      if (ms === 0) break;
      await pause(Math.min(ms, LOOK_MS));
    }
    this.#take(rows, clock.now());
  }

  /** Returns the requests since the last call, to report to other processes. */
  takeSpent(): number {
    const spent = this.#unreported;
    this.#unreported = 0;
    return spent;
  }

  /** Counts requests that another process has let through. */
  takenElsewhere(count: number, now: number): void {
    this.#bucket?.take(count, now);
  }

  /** Returns the value of `RateLimit`: what is left, and the seconds until there is more. */
  state(now: number): string {
    const { concurrent } = this.limits;
    const states: string[] = [];
    if (this.#bucket !== undefined) {
      const left = Math.max(0, Math.floor(this.#bucket.left(now)));
      const seconds = left === 0 ? this.#secondsUntilNext(now) : this.#secondsUntilFull(now);
      states.push(`"rate";r=${left};t=${seconds}`);
    }
    if (concurrent !== undefined) states.push(`"concurrent";r=${concurrent - this.#underWay}`);
    return states.join(', ');
  }

  #take(count: number, now: number): void {
    if (this.#bucket === undefined) return;
    this.#bucket.take(count, now);
    this.#unreported += count;
  }

  #secondsUntilNext(now: number): number {
    return Math.max(1, Math.ceil((this.#bucket?.msUntil(1, now) ?? 0) / MS_PER_SECOND));
  }

  #secondsUntilFull(now: number): number {
    const most = this.#bucket?.most ?? 0;
    return Math.ceil((this.#bucket?.msUntil(most, now) ?? 0) / MS_PER_SECOND);
  }

  #refuse(code: 'rate_limited' | 'concurrency_limited', limit: FaultValues, seconds: number) {
    if (this.#last?.code === code && this.#last.seconds === seconds) return this.#last.error;
    const values = code === 'rate_limited' ? { ...limit, seconds } : limit;
    const error = new ApiError(code, { values, headers: { 'Retry-After': String(seconds) } });
    this.#last = { code, seconds, error };
    return error;
  }
}

/** A token bucket that fills at a steady rate and so limits how often something may happen. */
export class Bucket {
  readonly most: number;
  readonly #perMs: number;
  #tokens: number;
  #at: number;

  /** Creates a full bucket. Times are milliseconds of any monotonic clock. */
  constructor(most: number, perSecond: number, now: number) {
    this.most = most;
    this.#perMs = perSecond / 1000;
    this.#tokens = most;
    this.#at = now;
  }

  /** Returns the tokens left; negative after an overdraft. */
  left(now: number): number {
    this.#tokens = Math.min(this.most, this.#tokens + (now - this.#at) * this.#perMs);
    this.#at = now;
    return this.#tokens;
  }

  /** Takes tokens, even more than are left: the next request then waits longer. */
  take(count: number, now: number): void {
    this.#tokens = this.left(now) - count;
  }

  /** Returns the milliseconds until that many tokens are left; there are never more than `most`. */
  msUntil(count: number, now: number): number {
    return Math.max(0, (Math.min(count, this.most) - this.left(now)) / this.#perMs);
  }
}
