/**
 * Slots for work of one kind: a fixed number, each occupied while the work is done. Waiting groups (accounts, API
 * keys, networks) are served round-robin, and none gets more than its share.
 */

export interface SlotLimits {
  readonly slots: number;
  /**
   * How many one group may occupy. All of them only where the work waits for nothing outside this service: it soon
   * ends, and then another group is served.
   */
  readonly ofGroup: number;
  /** How much may wait. Where it is left out, the requests that bring the work are bounded already. */
  readonly waiting?: {
    readonly most: number;
    readonly ofGroup: number;
    /** The error for what finds no room: `ofGroup` where the group itself has taken all that it may. */
    readonly refusal: (ofGroup: boolean) => Error;
  };
  /** How long work waits; 0, or left out: as long as it takes. */
  readonly patience?: { readonly ms: number; readonly refusal: () => Error };
}

/** Gives a slot back; a second call does nothing. */
export type Release = () => void;

export class FairSlots {
  readonly #limits: SlotLimits;
  #free: number;
  readonly #occupied = new Map<string, number>();
  /** Waiting callers by key, in the order in which they are served. */
  readonly #waiting = new Map<string, ((release: Release) => void)[]>();
  #inAll = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#free = limits.slots;
  }

  /**
   * Resolves when a slot is free and the group is the next to be served. Throws the refusal
   * where too much waits, and the signal's reason where it is aborted before.
   */
  async acquire(group: string, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    const release = this.tryAcquire(group);
    if (release !== undefined) return release;
    this.#refuse(group);
    return this.#waitForSlot(group, signal);
  }

  tryAcquire(group: string): Release | undefined {
    return this.#free === 0 || !this.#hasShare(group) ? undefined : this.#take(group);
  }

  async run<T>(group: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(group, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  isIdle(group: string): boolean {
    return !this.#occupied.has(group);
  }

  #hasShare(group: string): boolean {
    return (this.#occupied.get(group) ?? 0) < this.#limits.ofGroup;
  }

  #refuse(group: string): void {
    const { waiting } = this.#limits;
    if (waiting === undefined) return;
    const own = this.#waiting.get(group)?.length ?? 0;
    if (own >= waiting.ofGroup) throw waiting.refusal(own > 0 || !this.#hasShare(group));
    if (this.#inAll >= waiting.most) throw waiting.refusal(false);
  }

  #waitForSlot(group: string, signal: AbortSignal | undefined): Promise<Release> {
    const { ms = 0, refusal } = this.#limits.patience ?? {};
    return new Promise((resolve, reject) => {
      const own = this.#waiting.get(group) ?? [];
      const end = (): void => {
        signal?.removeEventListener('abort', leave);
        clearTimeout(timer);
      };
      const begin = (release: Release): void => {
        end();
        resolve(release);
      };
      const leave = (): void => {
        end();
        own.splice(own.indexOf(begin), 1);
        if (own.length === 0) this.#waiting.delete(group);
        this.#inAll -= 1;
        reject(signal?.aborted ? signal.reason : refusal?.());
      };
      const timer = ms > 0 ? setTimeout(leave, ms) : undefined;
      own.push(begin);
      this.#waiting.set(group, own);
      this.#inAll += 1;
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  #take(group: string): Release {
    this.#free -= 1;
    this.#occupied.set(group, (this.#occupied.get(group) ?? 0) + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#release(group);
      isTaken = false;
    };
  }

  #release(group: string): void {
    this.#free += 1;
    const occupied = (this.#occupied.get(group) ?? 1) - 1;
    if (occupied === 0) this.#occupied.delete(group);
    else this.#occupied.set(group, occupied);
    // Work that comes while the group has a slot goes before what the group has left to do.
    const own = this.#waiting.get(group);
    if (own !== undefined) {
      this.#waiting.delete(group);
      this.#waiting.set(group, own);
    }
    this.#next();
  }

  /** Gives a slot to the waiting group below its share that has the fewest, and moves that group to the end. */
  #next(): void {
    let next: string | undefined;
    let least = this.#limits.ofGroup;
    for (const group of this.#waiting.keys()) {
      const occupied = this.#occupied.get(group) ?? 0;
      if (occupied >= least) continue;
      [next, least] = [group, occupied];
      if (occupied === 0) break;
    }
    const own = next === undefined ? undefined : this.#waiting.get(next);
    if (next === undefined || own === undefined) return;
    const begin = own.shift();
    this.#waiting.delete(next);
    if (own.length > 0) this.#waiting.set(next, own);
    this.#inAll -= 1;
    begin?.(this.#take(next));
  }
}
