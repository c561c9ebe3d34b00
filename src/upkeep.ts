/** Upkeep: work on a store that is due now and then, done in small pieces between the commits of others. */
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from './store/store.ts';

/** Between two looks. */
const EVERY_MS = 15_000;
/** Between two pieces: others get the larger part of the time. */
const PAUSE_MS = 20;

export interface Upkeep {
  /** Ends when the piece that is under way is done. */
  close(): Promise<void>;
}

/** How much of its time this thread is busy, where it has its hands full. */
const BUSY = 0.5;

/** A pause between two pieces of work that can wait: a long one while this thread has its hands full. */
export function yielding(idleMs: number, busyMs: number): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization > BUSY ? busyMs : idleMs;
  };
}

/**
 * `piece` does some of the work and tells whether there may be more; `failed` is
 * told of what went wrong, and the next look comes all the same. The first comes
 * after `afterMs`.
 */
export function startUpkeep(
  piece: () => Promise<boolean>,
  failed: (error: unknown) => void,
  {
    everyMs = EVERY_MS,
    pauseMs = () => PAUSE_MS,
    afterMs = 0,
  }: { everyMs?: number; pauseMs?: () => number; afterMs?: number } = {},
): Upkeep {
  const closing = new AbortController();
  const { signal } = closing;
  const doWork = async (): Promise<void> => {
    try {
      while (!signal.aborted && (await piece())) {
        await pause(pauseMs(), undefined, { signal });
      }
    } catch (error) {
      // Whoever wants to write is told that the store is out of reach.
      if (!signal.aborted && !(error instanceof StoreUnavailable)) failed(error);
    }
  };
  const run = async (): Promise<void> => {
    if (afterMs > 0) await pause(afterMs, undefined, { signal, ref: false }).catch(() => undefined);
    while (!signal.aborted) {
      await doWork();
      await pause(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}
