/** Lets work of one kind go on so many at a time, first come, first served. */

export interface Turns {
  /** Does the work when less than so many are being done, and all that was asked for before was begun. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurns(atOnce: number): Turns {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return {
    async take(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        // Whoever has waited longest takes this one's place.
        const next = waiting.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
