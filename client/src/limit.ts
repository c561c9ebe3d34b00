/** The rate limit of the key, as requests with many rows share it: how many rows to send at once, and which request sends next. */
import { unlessAborted } from './wait.ts';

/** One request at a time waits for the limit, and the others wait for that one. */
export class Limit {
  #quota = Number.POSITIVE_INFINITY;
  #first: object | undefined;
  #moved: Promise<void> = Promise.resolve();
  #move: () => void = () => {};

  /** How many rows the key may send at once. */
  get quota(): number {
    return this.#quota;
  }

  /** Reads `RateLimit-Policy`, such as `"rate";q=100;w=1`. */
  hear(headers: Headers): void {
    const [, quota] = /"rate";q=(\d+)/.exec(headers.get('RateLimit-Policy') ?? '') ?? [];
    if (quota !== undefined) this.#quota = Math.max(1, Number(quota));
  }

  /** Resolves when no other request waits for the limit. */
  async reached(by: object, signal: AbortSignal | undefined): Promise<void> {
    while (this.#first !== undefined && this.#first !== by)
      await unlessAborted(this.#moved, signal);
  }

  /** Whether it is the first, and so waits for the limit itself. */
  join(by: object): boolean {
    if (this.#first === undefined) {
      this.#first = by;
      this.#moved = new Promise((move) => {
        this.#move = move;
      });
    }
    return this.#first === by;
  }

  leave(by: object): void {
    if (this.#first !== by) return;
    this.#first = undefined;
    this.#move();
  }
}
