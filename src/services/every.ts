/** Repeats work in the background until it is closed. */
import { setTimeout as wait } from 'node:timers/promises';
import type { BackgroundPace } from '../core/pace.ts';
import { isAway, StoreRefusal } from '../store/promises/store.ts';

/** How long closing waits for a store that does not answer. */
const CLOSING_MS = 2_000;

/** Does the work after each pause, and for the last time when it is closed; `round` counts from 1. */
export function repeatEvery(
  ms: number,
  pace: BackgroundPace,
  work: (isLast: boolean, round: number) => Promise<void>,
): AsyncDisposable {
  const closing = new AbortController();
  const { signal } = closing;
  const run = async (): Promise<void> => {
    for (let round = 1, isLast = false; !isLast; round++) {
      await wait(pace(ms), undefined, { signal, ref: false }).catch(() => undefined);
      isLast = signal.aborted;
      await work(isLast, round);
    }
  };
  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.race([running, wait(CLOSING_MS, undefined, { ref: false })]);
    },
  };
}

/** Entries that are dropped one by one; further ones go with their chunk. */
const DROPPED_ALONE = 20;

/**
 * Writes what waits in chunks, and removes it. What the store never accepts is dropped, as it would block the rest: alone,
 * since others in its chunk may be of other accounts. What somebody's own condition in the database refuses waits on, behind
 * the rest. The first such error is thrown once the rest is written.
 */
export async function writeChunks<One>(
  waiting: One[],
  most: number,
  write: (chunk: readonly One[]) => Promise<unknown>,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  let dropped = 0;
  const refused: One[] = [];
  try {
    for (let size = most; waiting.length > 0; ) {
      const chunk = waiting.slice(0, size);
      try {
        await write(chunk);
        size = most;
      } catch (error) {
        if (isAway(error)) throw error;
        failure ??= { error };
        if (chunk.length > 1 && dropped < DROPPED_ALONE) {
          size = Math.ceil(chunk.length / 2);
          continue;
        }
        dropped += 1;
        if (error instanceof StoreRefusal) refused.push(...chunk);
      }
      waiting.splice(0, chunk.length);
    }
  } finally {
    waiting.push(...refused);
  }
  if (failure !== undefined) throw failure.error;
}
