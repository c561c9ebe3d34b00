/**
 * Shares this thread among large requests. Their work is done in steps, for a
 * few milliseconds in each turn of the event loop; the rest of the turn is for
 * single requests.
 */
import { FairQueue } from './queue.ts';

/** In each turn of the event loop, for all large requests together. */
const SLICE_MS = 4;
/** How long one job goes on before the next one has its turn. */
const QUANTUM_MS = 1;

/** Does a small part of some work, within a millisecond where it can, and returns whether that was the last. */
export type Step = () => boolean;

export interface Scheduler {
  /**
   * A connection was accepted. The system gives one in each turn of the event
   * loop, so turns without a slice follow while more come: no longer than a slice.
   */
  connectionCame(): void;
  /** Resolves when all steps are done; the keys take turns, and so do the jobs of one key. Throws what a step throws. */
  run(key: string, step: Step): Promise<void>;
}

interface Job {
  readonly key: string;
  readonly step: Step;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createScheduler(): Scheduler {
  const waiting = new FairQueue<Job>();
  let scheduled = false;
  let mayMoreCome = false;
  let sliceEnded = 0;

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(slice);
  };

  const slice = (): void => {
    scheduled = false;
    const began = performance.now();
    const waits = mayMoreCome && began < sliceEnded + SLICE_MS;
    mayMoreCome = false;
    if (!waits) {
      runUntil(began + SLICE_MS);
      sliceEnded = performance.now();
    }
    if (!waiting.isEmpty) schedule();
  };

  const runUntil = (end: number): void => {
    for (let now = end - SLICE_MS; now < end; now = performance.now()) {
      const job = waiting.shift();
      if (job === undefined) return;
      try {
        if (isDoneBy(job.step, now + QUANTUM_MS)) job.resolve();
        else waiting.push(job.key, job);
      } catch (error) {
        job.reject(error);
      }
    }
  };

  return {
    connectionCame() {
      mayMoreCome = true;
    },
    run(key, step) {
      return new Promise((resolve, reject) => {
        waiting.push(key, { key, step, resolve, reject });
        schedule();
      });
    },
  };
}

/** Works until then at most; whether all was done. */
function isDoneBy(step: Step, until: number): boolean {
  do {
    if (step()) return true;
  } while (performance.now() < until);
  return false;
}
