/** Runs one task at a time, lowest rank first. A full queue drops the task of the highest rank. */

interface Waiting {
  readonly rank: number;
  readonly network: string;
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

export class FewestFirst {
  readonly #most: number;
  readonly #refusal: (ofNetwork: boolean) => Error;
  #isBusy = false;
  /** Waiting attempts, in the order in which they are served. */
  readonly #waiting: Waiting[] = [];

  /** `refusal`: the error for what finds no room, and whether its network has others waiting. */
  constructor(most: number, refusal: (ofNetwork: boolean) => Error) {
    this.#most = most;
    this.#refusal = refusal;
  }

  async run<T>(rank: number, network: string, work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#wait(rank, network);
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      this.#isBusy = next !== undefined;
      next?.begin();
    }
  }

  #wait(rank: number, network: string): Promise<void> {
    return new Promise((begin, refuse) => {
      const after = this.#waiting.findIndex((other) => other.rank > rank);
      const one = { rank, network, begin, refuse };
      this.#waiting.splice(after === -1 ? this.#waiting.length : after, 0, one);
      if (this.#waiting.length <= this.#most) return;
      const last = this.#waiting.pop();
      last?.refuse(this.#refusal(this.#waiting.some((other) => other.network === last.network)));
    });
  }
}
