/** The memory of the rows of a stream, from their first byte to their answer. */
import { ApiError } from '../../core/errors.ts';
import type { MemoryReservation } from '../fair/memory.ts';

/** Fewer bytes do not count: a connection costs as much anyway. */
const FREE_BYTES = 65_536;
/** Reserved at a time: small rows come and go without another reservation. */
const PIECE_BYTES = 65_536;
/** Bytes of memory that a byte of a row takes, at most. */
const WEIGHT = 4;

export class RowMemory {
  readonly #memory: MemoryReservation;
  /** Bytes of the line that has begun. */
  #begun = 0;
  /** Bytes of rows that are not answered yet. */
  #unanswered = 0;
  #wake = (): void => {};

  constructor(memory: MemoryReservation) {
    this.#memory = memory;
  }

  /** Sets how much has arrived of a line without its end. Throws as `take` does. */
  begun(bytes: number): void | Promise<void> {
    this.#begun = bytes;
    if (!this.#fits()) return this.#wait();
  }

  /**
   * Rows have arrived whole. Where memory is short, waits for answers to those before them; throws `memory_limited` or
   * `service_unavailable` if there are none to wait for.
   */
  take(bytes: number): void | Promise<void> {
    const before = this.#unanswered;
    this.#unanswered += bytes;
    if (!this.#fits()) return this.#wait(before);
  }

  /** This much was answered. */
  give(bytes: number): void {
    this.#unanswered -= bytes;
    this.#fits();
    this.#wake();
  }

  async #wait(before = this.#unanswered): Promise<void> {
    let awaited = before;
    while (!this.#fits()) {
      if (awaited === 0) throw this.#refusal();
      const had = this.#unanswered;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      awaited -= had - this.#unanswered;
    }
  }

  #fits(): boolean {
    const beyond = Math.max(0, this.#begun + this.#unanswered - FREE_BYTES);
    return this.#memory.tryHold(WEIGHT * PIECE_BYTES * Math.ceil(beyond / PIECE_BYTES));
  }

  #refusal(): ApiError {
    const { code } = this.#memory.refusal();
    return new ApiError(code, {
      message:
        code === 'memory_limited'
          ? 'Your large requests already use all the memory that one caller may use. Send the rows from this line on when some of them are answered.'
          : 'Large requests already use all the memory set aside for them. Send the rows from this line on later.',
    });
  }
}
