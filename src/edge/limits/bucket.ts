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
