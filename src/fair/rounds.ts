/**
 * Lets reads begin one in each turn of the event loop, or a few, the keys in
 * rounds: a page or a piece of a body takes the thread that serves some time,
 * and whatever else there is to do comes between them.
 */

/** For how long turns without a read follow while connections come: for about as long as a read takes. */
const GIVES_WAY_MS = 5;

export interface Rounds {
  /** A connection was accepted: the system gives one in each turn of the event loop, and more may come. */
  connectionCame(): void;
  /** Resolves when a read of this key may begin. */
  turn(key: string): Promise<void>;
}

/** `atOnce` of them begin in a turn. */
export function createRounds(atOnce = 1): Rounds {
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
  const begin = (): void => {
    const [first] = waiting;
    if (first === undefined) return;
    const [key, reads] = first;
    const read = reads.shift();
    // The key goes to the end of the round.
    waiting.delete(key);
    if (reads.length > 0) waiting.set(key, reads);
    read?.();
  };
  const next = (): void => {
    if (waiting.size === 0) {
      taken = false;
      return;
    }
    setImmediate(next);
    if (givesWay()) return;
    for (let count = 0; count < atOnce; count += 1) begin();
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
