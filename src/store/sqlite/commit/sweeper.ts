/** Deletes the rows that removals have hidden, between the commits of others. */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../../promises/store.ts';
import type { Connection } from '../file/connection.ts';
import type { Removals } from './removal.ts';

/** Between two sweeps: others get the larger part of the time. */
const PAUSE_MS = 10;
/** While nothing can be written. */
const TROUBLE_MS = 1_000;

export class Sweeper {
  readonly #connection: Connection;
  readonly #removals: Removals;
  readonly #closing = new AbortController();
  #woken = false;
  #busy = false;
  #sweeping: Promise<void> | undefined;

  constructor(connection: Connection, removals: Removals) {
    this.#connection = connection;
    this.#removals = removals;
  }

  /** Sweeps in the background until nothing is left. */
  wake(): void {
    this.#woken = true;
    if (this.#busy) return;
    this.#busy = true;
    this.#sweeping = this.#sweep();
  }

  /** Stops; what is left is swept when the store is served again. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const { signal } = this.#closing;
    let swept = false;
    while (this.#woken && !signal.aborted) {
      this.#woken = false;
      let wait = PAUSE_MS;
      try {
        if (!this.#connection.read(() => this.#removals.unswept)) {
          if (swept) this.#connection.noteRemoved();
          swept = false;
          continue;
        }
        await this.#connection.write(() => this.#removals.sweep());
        swept = true;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        wait = TROUBLE_MS;
      }
      this.#woken = true;
      await pause(wait, undefined, { signal }).catch(() => {});
    }
    this.#busy = false;
  }
}
