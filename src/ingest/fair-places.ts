/** Lets work of one kind go on so many at a time, the keys in turn. */
import { FairQueue } from './fair-queue.ts';

export interface FairPlaces {
  /** Does the work when less than so many are being done and it is its key's turn. */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createFairPlaces(atOnce: number): FairPlaces {
  let free = atOnce;
  const waiting = new FairQueue<() => void>();
  return {
    async take(key, work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(key, resolve));
      try {
        return await work();
      } finally {
        // The next one takes this one's place.
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
