/** Lets work of one kind go on one at a time, first come, first served. */

export interface Turns {
  /** Does the work when all that was asked for before is done, however that ended. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const done = last.then(work);
      last = done.catch(() => {});
      return done;
    },
  };
}
