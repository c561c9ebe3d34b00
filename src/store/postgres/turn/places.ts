/** A limited number of permits for concurrent work, given first come, first served. */
import { StoreUnavailable } from '../../promises/store.ts';

export class Places {
  readonly #most: number;
  readonly #patienceMs: number;
  readonly #waiting: (() => void)[] = [];
  #used = 0;

  /** `patienceMs` is how long a request waits; 0: as long as it takes. */
  constructor(most: number, patienceMs: number) {
    this.#most = most;
    this.#patienceMs = patienceMs;
  }

  get used(): number {
    return this.#used;
  }

  /** Does the work when there is a place for it. Throws `StoreUnavailable` where that takes too long. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#used >= this.#most) await this.#turn();
    else this.#used += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#used -= 1;
      else next();
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(come), 1);
        reject(
          new StoreUnavailable('The store cannot be used now: too many requests wait for it.'),
        );
      };
      const timer = this.#patienceMs === 0 ? undefined : setTimeout(giveUp, this.#patienceMs);
      const come = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push(come);
    });
  }
}
