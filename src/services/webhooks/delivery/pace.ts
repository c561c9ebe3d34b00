/**
 * The rate of notifications: as fast as this thread can while it has little else to do, and slowly while requests
 * occupy it. A client waits for its response; a notification can be sent later.
 */
import { performance } from 'node:perf_hooks';
import { FairQueue } from '../../../core/fair/queue.ts';

/** The share of time that this thread may be busy before sending slows down. */
const BUSY = 0.85;
/** Notifications a second. */
const SLOWEST = 200;
const FASTEST = 10_000;
const LOOK_MS = 100;
const TICK_MS = 10;
/** Unused capacity of up to this time may be used at once. */
const SAVED_MS = 50;

/** The new rate of notifications a second, after a period in which the thread was busy for that share. */
export function paceAfter(perSecond: number, utilization: number): number {
  return utilization > BUSY
    ? Math.max(SLOWEST, perSecond * 0.7)
    : Math.min(FASTEST, perSecond * 1.25);
}

export class SendingPace {
  readonly #waiting = new FairQueue<() => void>();
  #perSecond = SLOWEST;
  #credit = 1;
  #earnedAt = performance.now();
  #lookedAt = this.#earnedAt;
  #last = performance.eventLoopUtilization();
  #timer: NodeJS.Timeout | undefined;

  /** Resolves when a notification may be sent; waiting accounts are served round-robin. */
  wait(account: string): Promise<void> {
    this.#earn();
    if (this.#waiting.isEmpty && this.#credit >= 1) {
      this.#credit -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#waiting.push(account, resolve);
      this.#timer ??= setTimeout(() => this.#tick(), TICK_MS);
    });
  }

  #tick(): void {
    this.#timer = undefined;
    this.#earn();
    for (; this.#credit >= 1 && !this.#waiting.isEmpty; this.#credit -= 1)
      this.#waiting.shift()?.();
    if (!this.#waiting.isEmpty) this.#timer = setTimeout(() => this.#tick(), TICK_MS);
  }

  #earn(): void {
    const now = performance.now();
    if (now - this.#lookedAt >= LOOK_MS) {
      const use = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(use, this.#last);
      this.#perSecond = paceAfter(this.#perSecond, utilization);
      this.#last = use;
      this.#lookedAt = now;
    }
    const most = Math.max(1, (this.#perSecond * SAVED_MS) / 1000);
    const earned = (this.#perSecond * (now - this.#earnedAt)) / 1000;
    this.#credit = Math.min(most, this.#credit + earned);
    this.#earnedAt = now;
  }
}
