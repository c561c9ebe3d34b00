/** Gathers what arrives while what came before it is worked on, in order, up to so much. */

export interface Limits {
  readonly count: number;
  readonly bytes: number;
}

export class Gatherer<T> {
  readonly #limits: Limits;
  readonly #work: (some: readonly T[]) => Promise<void>;
  #waiting: T[] = [];
  #bytes = 0;
  /** Stays what it is where the work has failed: nothing more is begun then. */
  #working: Promise<void> | undefined;

  constructor(limits: Limits, work: (some: readonly T[]) => Promise<void>) {
    this.#limits = limits;
    this.#work = work;
  }

  /** Resolves when there is room for more. Throws what the work has thrown. */
  async add(some: readonly T[], bytes: number): Promise<void> {
    this.#waiting.push(...some);
    this.#bytes += bytes;
    this.#begin();
    const { count, bytes: most } = this.#limits;
    while (this.#waiting.length >= count || this.#bytes >= most) await this.#working;
  }

  /** Resolves when all that was added is done. Throws what the work has thrown. */
  async done(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  #begin(): void {
    if (this.#working !== undefined || this.#waiting.length === 0) return;
    const some = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    this.#working = this.#work(some).then(() => {
      this.#working = undefined;
      this.#begin();
    });
    // Whoever adds more, or waits for the end, is told.
    this.#working.catch(() => {});
  }
}
