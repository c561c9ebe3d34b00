/** Gathers arriving items into chunks, in order and up to a limit, while earlier chunks are processed. */

export interface ChunkLimits {
  readonly count: number;
  readonly bytes: number;
  /** Chunks in progress at a time. While one is, only a full one begins. */
  readonly atOnce: number;
}

export class Gatherer<T> {
  readonly #limits: ChunkLimits;
  readonly #work: (some: readonly T[]) => Promise<void>;
  #waiting: T[] = [];
  #bytes = 0;
  /** Failed work stays here, and nothing more begins. */
  readonly #working = new Set<Promise<void>>();
  #failed = false;

  constructor(limits: ChunkLimits, work: (some: readonly T[]) => Promise<void>) {
    this.#limits = limits;
    this.#work = work;
  }

  /** Resolves when there is room for more. Throws errors of the work. */
  async add(some: readonly T[], bytes: number): Promise<void> {
    this.#waiting.push(...some);
    this.#bytes += bytes;
    this.#begin();
    while (this.#full) await Promise.race(this.#working);
  }

  /** Resolves when all items are processed. Throws errors of the work. */
  async done(): Promise<void> {
    while (this.#working.size > 0) await Promise.race(this.#working);
  }

  get #full(): boolean {
    const { count, bytes } = this.#limits;
    return this.#waiting.length >= count || this.#bytes >= bytes;
  }

  #begin(): void {
    if (this.#failed || this.#waiting.length === 0) return;
    const { size } = this.#working;
    if (size > 0 && (size >= this.#limits.atOnce || !this.#full)) return;
    const some = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    const working = this.#work(some).then(
      () => {
        this.#working.delete(working);
        this.#begin();
      },
      (error: unknown) => {
        this.#failed = true;
        throw error;
      },
    );
    this.#working.add(working);
    // `add` and `done` throw the error.
    working.catch(() => {});
  }
}
