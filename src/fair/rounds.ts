/**
 * Lets reads of pages begin one in each turn of the event loop, the keys in
 * rounds: a page takes some milliseconds of the thread that serves, and
 * whatever else there is to do comes between two of them.
 */

export interface Rounds {
  /** Resolves when a read of this key may begin. */
  turn(key: string): Promise<void>;
}

export function createRounds(): Rounds {
  const waiting = new Map<string, (() => void)[]>();
  let taken = false;
  const next = (): void => {
    const [first] = waiting;
    if (first === undefined) {
      taken = false;
      return;
    }
    const [key, reads] = first;
    const begin = reads.shift();
    // The key goes to the end of the round.
    waiting.delete(key);
    if (reads.length > 0) waiting.set(key, reads);
    setImmediate(next);
    begin?.();
  };
  return {
    turn(key) {
      if (!taken) {
        taken = true;
        setImmediate(next);
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const reads = waiting.get(key);
        if (reads === undefined) waiting.set(key, [resolve]);
        else reads.push(resolve);
      });
    },
  };
}
