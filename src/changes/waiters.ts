/** Tells those who wait when their account has a new commit: one look for all of them, and none while nobody waits. */
import type { ChangeLog } from '../store/log.ts';

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
  #looking = false;

  constructor(log: ChangeLog) {
    this.#log = log;
  }

  /** How many wait. */
  get count(): number {
    let count = 0;
    for (const waiting of this.#waiting.values()) count += waiting.size;
    return count;
  }

  /** The position of the last commit of an account as soon as it is beyond one; that one after so many milliseconds. */
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
      this.#lookSoon();
    });
  }

  #lookSoon(): void {
    this.#pause = SOONEST_MS;
    if (this.#looking) return;
    clearTimeout(this.#timer);
    this.#lookLater();
  }

  #lookLater(): void {
    this.#timer = setTimeout(() => void this.#look(), this.#pause);
  }

  async #look(): Promise<void> {
    this.#looking = true;
    const began = performance.now();
    try {
      const positions = await this.#log.positions([...this.#waiting.keys()]);
      for (const [account, position] of positions) this.#tell(account, position);
    } catch {
      // Whoever reads next is told that the store is out of reach.
      for (const waiting of this.#waiting.values()) {
        for (const { beyond, tell } of [...waiting]) tell(beyond);
      }
    }
    this.#looking = false;
    // Where a look takes long, there are fewer.
    const took = performance.now() - began;
    this.#pause = Math.min(Math.max(2 * this.#pause, 20 * took), LATEST_MS);
    if (this.#waiting.size > 0) this.#lookLater();
  }

  #tell(account: string, position: number): void {
    for (const waiter of [...(this.#waiting.get(account) ?? [])]) {
      if (position > waiter.beyond) waiter.tell(position);
    }
  }
}
