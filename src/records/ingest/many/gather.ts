/** Gathers what arrives while what came before it is worked on, in order, up to a limit. */

export interface ChunkLimits {
  readonly count: number;
  readonly bytes: number;
  /** How many chunks are worked on at a time: next to another one, only a full one is begun. */
  readonly atOnce: number;
}

export class Gatherer<T> {
  readonly #limits: ChunkLimits;
  readonly #work: (some: readonly T[]) => Promise<void>;
  #waiting: T[] = [];
  #bytes = 0;
  /** Work that has failed stays here: then nothing more is begun. */
  readonly #working = new Set<Promise<void>>();
  #failed = false;

  constructor(limits: ChunkLimits, work: (some: readonly T[]) => Promise<void>) {
    this.#limits = limits;
    this.#work = work;
  }

  /** Resolves when there is room for more. Throws what the work has thrown. */
  async add(some: readonly T[], bytes: number): Promise<void> {
    this.#waiting.push(...some);
    this.#bytes += bytes;
    this.#begin();
    while (this.#full) await Promise.race(this.#working);
  }

  /** Resolves when all that was added is done. Throws what the work has thrown. */
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
    // `add` and `done` throw it.
    working.catch(() => {});
  }
}
