/** Ends bodies that arrive too slowly: their senders could otherwise occupy memory without limit. */
import type { IncomingMessage } from 'node:http';

const SWEEP_MS = 5_000;
/** How much each window must bring. */
export const WINDOW_MS = 30_000;
export const WINDOW_BYTES = 30_720;

export const TOO_SLOW =
  'The body arrives too slowly: send at least 30 KiB every 30 seconds until it is whole.';

export interface Arriving {
  readonly request: IncomingMessage;
  readonly arrived: number;
  /** When the window began, by `performance.now`, and how much had arrived; 0 where there is no window. */
  windowBegan: number;
  windowHad: number;
  /** Called once when a window has brought too little. */
  tooSlow(): void;
}

/** A body that arrives in full costs only an entry in an array: all entries are checked every five seconds. */
export class LeastSpeed {
  readonly #arriving = new Slots<Arriving>();
  #timer: NodeJS.Timeout | undefined;

  /** Returns a place, to be left when everything has arrived or nothing more is awaited. */
  watch(one: Arriving): number {
    this.#timer ??= setInterval(() => this.#sweep(performance.now()), SWEEP_MS).unref();
    return this.#arriving.take(one);
  }

  leave(place: number): void {
    this.#arriving.leave(place);
  }

  watches(request: IncomingMessage): boolean {
    return this.#arriving.there().some((one) => one.request === request);
  }

  #sweep(now: number): void {
    for (const one of this.#arriving.there()) {
      if (one.windowBegan !== 0 && now - one.windowBegan < WINDOW_MS) continue;
      const tooSlow = one.windowBegan !== 0 && one.arrived - one.windowHad < WINDOW_BYTES;
      one.windowBegan = now;
      one.windowHad = one.arrived;
      if (tooSlow) one.tooSlow();
    }
  }
}

/**
 * A set whose entries come and go all the time. As V8's own sets change, their old tables stay linked, with all
 * entries: an entry of such a set stays in memory until the old generation is collected, and costs each young
 * collection until then.
 */
export class Slots<Thing> {
  readonly #things: (Thing | undefined)[] = [];
  readonly #free: number[] = [];

  /** Gives its slot, which it must leave once. */
  take(thing: Thing): number {
    const slot = this.#free.pop() ?? this.#things.length;
    this.#things[slot] = thing;
    return slot;
  }

  leave(slot: number): void {
    this.#things[slot] = undefined;
    this.#free.push(slot);
  }

  there(): readonly Thing[] {
    return this.#things.filter((thing) => thing !== undefined);
  }
}
