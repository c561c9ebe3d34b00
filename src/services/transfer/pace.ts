/** How work on everything leaves the machine to those who are served by it: by a low priority, and by pauses. */
import { getPriority, setPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';

const NICE = 10;
/** A pause is so many parts of the time that was worked before it. */
const PAUSE = 1;
/** Timers are true to a millisecond: after less work than this, none is worth it. */
const TURN_MS = 8;
/** Whoever has waited for a slow pipe or disk meanwhile has not worked so long. */
const LONGEST_MS = 50;

/** Lets everybody else on this machine go first, as far as the system lets this process say so. */
export function stepAside(): void {
  try {
    setPriority(Math.max(getPriority(), NICE));
  } catch {
    // Then it runs as anybody does.
  }
}

/**
 * Pauses as long as the work before took. A priority does not do that: systems share the processor
 * among sessions first, and the database server that reads for this process knows nothing of it.
 */
export class Pacing {
  #since = performance.now();

  /** To be called between pieces of the work. */
  async rest(): Promise<void> {
    const worked = performance.now() - this.#since;
    if (worked < TURN_MS) return;
    await setTimeout(Math.min(PAUSE * worked, LONGEST_MS));
    this.#since = performance.now();
  }
}

/** The same batches, with a rest after each. */
export async function* paced<Batch>(
  batches: AsyncIterable<Batch>,
  pace: Pacing | undefined,
): AsyncGenerator<Batch, void> {
  for await (const batch of batches) {
    yield batch;
    await pace?.rest();
  }
}
