/** Lets work on a whole store yield to requests, by a low priority and by pauses. */
import { getPriority, setPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';

const NICE = 10;
/** Timers are accurate to a millisecond: after less work than this, a pause is not worth it. */
const SLICE_MS = 8;
/** The longest pause: time spent waiting for a slow pipe or disk is not work. */
const LONGEST_MS = 50;

/** Gives all other processes of this machine priority, as far as the system allows. */
export function stepAside(): void {
  try {
    setPriority(Math.max(getPriority(), NICE));
  } catch {
    // Then it runs with normal priority.
  }
}

/** Measures pauses, and takes them. */
export interface PauseClock {
  /** Milliseconds since some moment. */
  elapsed(): number;
  rest(ms: number): Promise<unknown>;
}

export const PAUSE_CLOCK: PauseClock = {
  elapsed: () => performance.now(),
  rest: (ms) => setTimeout(ms),
};

export type Pacing = ReturnType<typeof createPacing>;

/**
 * Pauses in proportion to the work before. A priority is not enough: systems share the processor among sessions first,
 * and it does not apply to the database server that reads for this process.
 */
export function createPacing({ elapsed, rest } = PAUSE_CLOCK) {
  let since = elapsed();

  /** To be called between pieces of the work. */
  return async (): Promise<void> => {
    const worked = elapsed() - since;
    if (worked < SLICE_MS) return;
    await rest(Math.min(worked, LONGEST_MS));
    since = elapsed();
  };
}

/** Hands on batches, with a rest after each. */
export async function* paced<Batch>(batches: AsyncIterable<Batch>, pace: Pacing | undefined) {
  for await (const batch of batches) {
    yield batch;
    await pace?.();
  }
}
