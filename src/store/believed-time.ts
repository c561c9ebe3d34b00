/**
 * Whether the clock can be trusted for removing old data. A machine that starts with a wrong clock, and gets the right
 * time a minute later, would remove data that must be stored for a year. So the store saves the latest time that it has
 * seen, and nothing is removed while the clock is more than a day ahead of that, until it has been so for an hour.
 */
import type { Store } from './promises/store.ts';

/** The interval between checks of the clock. */
const LOOK_MS = 15_000;
/** The interval between saved times. */
const NOTED_MS = 3_600_000;
export const AHEAD_MS = 86_400_000;
const PROVEN_MS = 3_600_000;
/** A clock that is behind by more than a correction of its drift. */
const BEHIND_MS = 3_600_000;

export interface Clocks {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since this process began, unaffected by changes of the clock. */
  readonly elapsed?: () => number;
}

export class BelievedTime {
  readonly #store: Pick<Store, 'seenTime' | 'noteTime'>;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  readonly #doubted: (seen: number) => void;
  #lookAt = Number.NEGATIVE_INFINITY;
  #noteAt = Number.NEGATIVE_INFINITY;
  #aheadSince: number | undefined;
  #isBehind = false;
  #last: Promise<boolean> | undefined;

  /** Calls `doubted` once when the clock is found ahead of the time that the store has seen, or more than an hour behind. */
  constructor(
    store: Pick<Store, 'seenTime' | 'noteTime'>,
    { now, elapsed = () => performance.now() }: Clocks,
    doubted: (seen: number) => void,
  ) {
    this.#store = store;
    this.#now = now;
    this.#elapsed = elapsed;
    this.#doubted = doubted;
  }

  /** Whether anything may be removed for its age. */
  holds(): Promise<boolean> {
    const at = this.#elapsed();
    if (this.#last !== undefined && at < this.#lookAt) return this.#last;
    this.#lookAt = at + LOOK_MS;
    this.#last = this.#look(at).catch((error: unknown) => {
      this.#last = undefined;
      throw error;
    });
    return this.#last;
  }

  async #look(at: number): Promise<boolean> {
    const now = this.#now();
    const seen = (await this.#store.seenTime()) ?? now;
    const isBehind = seen - now > BEHIND_MS;
    if (isBehind && !this.#isBehind) this.#doubted(seen);
    this.#isBehind = isBehind;
    if (now - seen > AHEAD_MS) {
      if (this.#aheadSince === undefined) this.#doubted(seen);
      this.#aheadSince ??= at;
      if (at - this.#aheadSince < PROVEN_MS) return false;
    } else if (at < this.#noteAt) {
      return true;
    }
    this.#aheadSince = undefined;
    this.#noteAt = at + NOTED_MS;
    await this.#store.noteTime(now);
    return true;
  }
}
