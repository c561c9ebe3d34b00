/**
 * Notifies waiting requests when their account has a new commit: one look for all of them, and none while none wait.
 */
import type { ChangeLog } from '../../store/promises/log.ts';

/** Between two looks: the first soon after something happened, those that follow ever later. */
const SOONEST_MS = 50;
const LATEST_MS = 500;

interface Waiter {
  /** The position that the account is to pass. */
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

  /** A new waiter does not put off a look that is due already. */
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
      // They wait on, and learn from their next read that the store is out of reach.
    }
    // Where a look takes long, there are fewer.
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
