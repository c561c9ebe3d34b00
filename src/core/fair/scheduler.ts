/**
 * Does the work of large requests in steps, for a few milliseconds in each tick of the event loop; the rest of the tick
 * is for single requests.
 */
import { LoopQueue } from './loop.ts';

/** In each tick, for all large requests together. */
const SLICE_MS = 4;
/** How long one job goes on before the next one. */
const QUANTUM_MS = 1;
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Does a small part of some work, within a millisecond where it can, and returns whether that was the last. */
export type Step = () => boolean;

const queue = new LoopQueue({ least: UNLIMITED, most: UNLIMITED, ms: SLICE_MS });

/** Resolves when all steps are done; the keys are served round-robin, and so are the jobs of one key. Throws what a step throws. */
export function inSteps(key: string, step: Step): Promise<void> {
  return new Promise((resolve, reject) => {
    const work = (): void => {
      try {
        if (isDoneBy(step, performance.now() + QUANTUM_MS)) resolve();
        else queue.push(key, work);
      } catch (error) {
        reject(error);
      }
    };
    queue.push(key, work);
  });
}

function isDoneBy(step: Step, until: number): boolean {
  do {
    if (step()) return true;
  } while (performance.now() < until);
  return false;
}
