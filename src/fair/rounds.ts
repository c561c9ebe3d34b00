/**
 * Lets reads of pages begin one in each turn of the event loop, the keys in
 * rounds: a page takes some milliseconds of the thread that serves, and
 * whatever else there is to do comes between two of them.
 */

/** For how long turns without a read follow while connections come: for about as long as a read takes. */
const GIVES_WAY_MS = 5;

export interface Rounds {
  /** A connection was accepted: the system gives one in each turn of the event loop, and more may come. */
  connectionCame(): void;
  /** Resolves when a read of this key may begin. */
  turn(key: string): Promise<void>;
}

export function createRounds(): Rounds {
  const waiting = new Map<string, (() => void)[]>();
  let taken = false;
  let mayMoreCome = false;
  let gaveWay = 0;
  const givesWay = (): boolean => {
    if (mayMoreCome) {
      mayMoreCome = false;
      const now = performance.now();
      if (gaveWay === 0) gaveWay = now;
      if (now < gaveWay + GIVES_WAY_MS) return true;
    }
    gaveWay = 0;
    return false;
  };
  const next = (): void => {
    const [first] = waiting;
    if (first === undefined) {
      taken = false;
      return;
    }
    if (givesWay()) {
      setImmediate(next);
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
    connectionCame() {
      mayMoreCome = true;
    },
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
