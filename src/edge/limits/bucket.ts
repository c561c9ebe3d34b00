/** A bucket of tokens that fills at a steady rate: how often something may happen. */

export class Bucket {
  /** Its capacity in tokens. */
  readonly most: number;
  readonly #perMs: number;
  #tokens: number;
  #at: number;

  /** Full, at first. Times are milliseconds of any clock that never goes back. */
  constructor(most: number, perSecond: number, now: number) {
    this.most = most;
    this.#perMs = perSecond / 1000;
    this.#tokens = most;
    this.#at = now;
  }

  /** The tokens in it; negative after more were taken than it had. */
  left(now: number): number {
    this.#tokens = Math.min(this.most, this.#tokens + (now - this.#at) * this.#perMs);
    this.#at = now;
    return this.#tokens;
  }

  /** Takes tokens, even more than it has: the next request then waits longer. */
  take(count: number, now: number): void {
    this.#tokens = this.left(now) - count;
  }

  /** Milliseconds until it has that many; it never has more than `most`. */
  msUntil(count: number, now: number): number {
    return Math.max(0, (Math.min(count, this.most) - this.left(now)) / this.#perMs);
  }
}
