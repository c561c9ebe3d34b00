/**
 * Notifies waiting requests when their account has a new commit: one query for all of them, and none while none wait.
 */
import type { ChangeLog } from '../../store/promises/log.ts';

/** The pauses between queries: short after a commit, then longer and longer. */
const SOONEST_MS = 50;
const LATEST_MS = 500;

interface Waiter {
  /** The position after which to notify. */
  readonly beyond: number;
  readonly notify: (position: number) => void;
}

export class Waiters {
  readonly #log: ChangeLog;
  readonly #waiting = new Map<string, Set<Waiter>>();
  #pause = SOONEST_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: ChangeLog) {
    this.#log = log;
  }

  /**
   * The position of the last commit of an account once it is beyond `beyond`; `beyond` itself after `ms` milliseconds.
   */
  next(account: string, beyond: number, ms: number): Promise<number> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(account) ?? new Set();
      this.#waiting.set(account, waiting);
      const waiter: Waiter = {
        beyond,
        notify: (position) => {
          clearTimeout(timer);
          waiting.delete(waiter);
          if (waiting.size === 0 && this.#waiting.get(account) === waiting) {
            this.#waiting.delete(account);
          }
          resolve(position);
        },
      };
      const timer = setTimeout(() => waiter.notify(beyond), ms);
      waiting.add(waiter);
      this.#lookLater();
    });
  }

  /** A new waiter does not delay a query that is due. */
  #lookLater(): void {
    this.#timer ??= setTimeout(() => void this.#look(), this.#pause);
  }

  async #look(): Promise<void> {
    const began = performance.now();
    let notified = false;
    try {
      const positions = await this.#log.positions([...this.#waiting.keys()]);
      for (const [account, position] of positions)
        notified = this.#notify(account, position) || notified;
    } catch {
      // Waiters continue to wait, and learn from their next read that the store is unreachable.
    }
    // If a query takes long, there are fewer.
    const least = Math.max(SOONEST_MS, 20 * (performance.now() - began));
    this.#pause = Math.min(notified ? least : Math.max(2 * this.#pause, least), LATEST_MS);
    this.#timer = undefined;
    if (this.#waiting.size > 0) this.#lookLater();
  }

  /** Whether any waiter was notified. */
  #notify(account: string, position: number): boolean {
    let notified = false;
    for (const waiter of [...(this.#waiting.get(account) ?? [])]) {
      if (position <= waiter.beyond) continue;
      waiter.notify(position);
      notified = true;
    }
    return notified;
  }
}
