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
  readonly tell: (position: number) => void;
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
        tell: (position) => {
          clearTimeout(timer);
          waiting.delete(waiter);
          if (waiting.size === 0 && this.#waiting.get(account) === waiting) {
            this.#waiting.delete(account);
          }
          resolve(position);
        },
      };
      const timer = setTimeout(() => waiter.tell(beyond), ms);
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
    let told = false;
    try {
      const positions = await this.#log.positions([...this.#waiting.keys()]);
      for (const [account, position] of positions) told = this.#tell(account, position) || told;
    } catch {
      // They wait on, and learn from their next read that the store is out of reach.
    }
    // Where a look takes long, there are fewer.
    const least = Math.max(SOONEST_MS, 20 * (performance.now() - began));
    this.#pause = Math.min(told ? least : Math.max(2 * this.#pause, least), LATEST_MS);
    this.#timer = undefined;
    if (this.#waiting.size > 0) this.#lookLater();
  }

  /** Whether any waiter was notified. */
  #tell(account: string, position: number): boolean {
    let told = false;
    for (const waiter of [...(this.#waiting.get(account) ?? [])]) {
      if (position <= waiter.beyond) continue;
      waiter.tell(position);
      told = true;
    }
    return told;
  }
}
