/**
 * Shares this thread among the requests that bring much. Their work is done in
 * steps, for a few milliseconds in each turn of the event loop, whatever
 * becomes of it; the rest of the turn is for single requests.
 */
import { FairQueue } from './fair-queue.ts';

/** Of each turn of the event loop, for all such requests together. */
const SLICE_MS = 4;
/** How long one of them goes on before the next has its turn. */
const QUANTUM_MS = 1;

/** Does a small part of some work, a millisecond at most where it can; returns whether that was the last. */
export type Step = () => boolean;

export interface Share {
  /**
   * A connection was accepted. The system gives one in each turn of the event
   * loop, so turns without a slice follow while more come: no longer than a slice.
   */
  connectionCame(): void;
  /** Resolves when all steps are done; the keys take turns, and the work of each. Throws what a step throws. */
  work(key: string, step: Step): Promise<void>;
}

interface Job {
  readonly key: string;
  readonly step: Step;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export function createShare(): Share {
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
      work(began + SLICE_MS);
      sliceEnded = performance.now();
    }
    if (!waiting.isEmpty) schedule();
  };

  const work = (end: number): void => {
    for (let now = end - SLICE_MS; now < end; now = performance.now()) {
      const job = waiting.shift();
      if (job === undefined) return;
      try {
        if (goOn(job.step, now + QUANTUM_MS)) job.resolve();
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
    work(key, step) {
      return new Promise((resolve, reject) => {
        waiting.push(key, { key, step, resolve, reject });
        schedule();
      });
    },
  };
}

/** Whether the work was done by then. */
function goOn(step: Step, until: number): boolean {
  do {
    if (step()) return true;
  } while (performance.now() < until);
  return false;
}
