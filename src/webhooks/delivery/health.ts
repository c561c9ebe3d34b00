/** How an endpoint fares: how many tries it gets at once, and whether it is only probed now and then. */
import { probeAfter } from './schedule.ts';

/** Tries under way: so many to begin with, one more for each success, half of them after a failure. */
const AT_ONCE_FIRST = 4;
const AT_ONCE = 16;
/** So many failures one after the other, and the endpoint is probed until it works again. */
const FAILURES = 10;

export class Health {
  /** One after the other, none of them followed by a success. */
  #failures: number;
  #atOnce = AT_ONCE_FIRST;
  #holdUntil = 0;

  constructor(isFailing: boolean) {
    this.#failures = isFailing ? FAILURES : 0;
  }

  get isFailing(): boolean {
    return this.#failures >= FAILURES;
  }

  /** How many tries may be under way. */
  get atOnce(): number {
    return this.isFailing ? 1 : this.#atOnce;
  }

  /** Nothing is sent before this time; in milliseconds since 1970. */
  get holdUntil(): number {
    return this.#holdUntil;
  }

  /**
   * Notes a try that failed at that time; `isNews` unless it was one of several that
   * were under way when the endpoint began to fail. Gives the time of the next probe
   * if the endpoint is failing.
   */
  failed(at: number, retryAfterMs: number, isNews: boolean): number | undefined {
    this.#atOnce = Math.max(1, this.#atOnce >> 1);
    if (!this.isFailing || isNews) this.#failures += 1;
    if (this.isFailing) {
      this.#holdUntil = at + probeAfter(this.#failures - FAILURES, retryAfterMs);
      return this.#holdUntil;
    }
    if (retryAfterMs > 0) this.#holdUntil = at + probeAfter(0, retryAfterMs);
    return undefined;
  }

  /** Notes a success. */
  works(): void {
    if (this.isFailing) this.#holdUntil = 0;
    this.#failures = 0;
    this.#atOnce = Math.min(AT_ONCE, this.#atOnce + 1);
  }

  /** There is nothing left to probe with: what comes next is sent as to an endpoint that works. */
  forget(): void {
    this.#failures = 0;
  }
}
