/** Limits how much work of one kind goes on at once; the keys that wait take turns. */
import { FairQueue } from './queue.ts';

export class FairSemaphore {
  #permits: number;
  readonly #waiting = new FairQueue<() => void>();

  constructor(permits: number) {
    this.#permits = permits;
  }

  /** Resolves with a permit when one is free and it is the key's turn; `release` gives it back. */
  async acquire(key: string): Promise<void> {
    if (this.#permits > 0) this.#permits -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(key, resolve));
  }

  release(): void {
    // The next one gets this permit.
    const next = this.#waiting.shift();
    if (next === undefined) this.#permits += 1;
    else next();
  }

  /** Does the work with a permit. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    await this.acquire(key);
    try {
      return await work();
    } finally {
      this.release();
    }
  }
}
