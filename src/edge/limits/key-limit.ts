/** The limits of one key: requests a second, and concurrent requests. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type ErrorCode, type FaultValues } from '../../core/errors.ts';
import { Bucket } from './bucket.ts';

const MS_PER_SECOND = 1000;
/** How often a waiting request checks that its client is still connected. */
const LOOK_MS = 250;

/** The limits of a key; `undefined` for none. */
export interface Limits {
  /** The requests a second. */
  readonly rate: number | undefined;
  /** The most concurrent requests. */
  readonly concurrent: number | undefined;
}

/** A quota as answers state it: a number of requests in a number of seconds. */
interface Policy {
  readonly quota: number;
  readonly seconds: number;
}

/** Returns the quota in whole numbers, as the headers require: per minute if the rate per second is fractional. */
function policyOf(rate: number): Policy {
  return Number.isInteger(rate)
    ? { quota: rate, seconds: 1 }
    : { quota: Math.max(1, Math.round(rate * 60)), seconds: 60 };
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
  #last:
    | { readonly code: ErrorCode; readonly seconds: number; readonly error: ApiError }
    | undefined;

  constructor(limits: Limits, now: number) {
    const { rate, concurrent } = limits;
    this.limits = limits;
    const policies: string[] = [];
    if (rate !== undefined) {
      const { quota, seconds } = policyOf(rate);
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
    return this.#underWay === 0 && (this.#bucket === undefined || this.#isFull(now));
  }

  /**
   * Lets a request begin, to be ended by `end`; or returns `rate_limited` or `concurrency_limited`, and the request
   * does not count. A `slowed` request begins at any rate.
   */
  begin(slowed: boolean, now: number): ApiError | undefined {
    const { concurrent } = this.limits;
    if (concurrent !== undefined && this.#underWay >= concurrent) {
      return this.#refuse('concurrency_limited', { most: concurrent }, 1);
    }
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

  #isFull(now: number): boolean {
    return this.#secondsUntilFull(now) === 0;
  }

  #secondsUntilNext(now: number): number {
    return Math.max(1, Math.ceil((this.#bucket?.msUntil(1, now) ?? 0) / MS_PER_SECOND));
  }

  #secondsUntilFull(now: number): number {
    const most = this.#bucket?.most ?? 0;
    return Math.ceil((this.#bucket?.msUntil(most, now) ?? 0) / MS_PER_SECOND);
  }

  #refuse(
    code: 'rate_limited' | 'concurrency_limited',
    limit: FaultValues,
    seconds: number,
  ): ApiError {
    if (this.#last?.code === code && this.#last.seconds === seconds) return this.#last.error;
    const values = code === 'rate_limited' ? { ...limit, seconds } : limit;
    const error = new ApiError(code, { values, headers: { 'Retry-After': String(seconds) } });
    this.#last = { code, seconds, error };
    return error;
  }
}
