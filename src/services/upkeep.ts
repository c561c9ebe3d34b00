/** Upkeep: periodic work on a store, done in small pieces between the commits of others. */
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../store/promises/store.ts';

/** Between two looks. */
const EVERY_MS = 15_000;
/** Between two pieces: others get the larger part of the time. */
const PAUSE_MS = 20;

export interface Upkeep {
  /** Ends when the current piece is done. */
  close(): Promise<void>;
}

/** How often to look whether there is something to do, and how long to rest between two pieces of it. */
export interface UpkeepPace {
  readonly everyMs?: number;
  readonly pauseMs?: () => number;
  /** Before the first look. */
  readonly afterMs?: number;
}

/** The share of its time that this thread works, above which others come first. */
const BUSY = 0.5;

/** A pause between two pieces of work that can wait: the busier this thread is, the longer, and `busyMs` where it has no time left. */
export function yielding(idleMs: number, busyMs: number): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    const short = Math.max(0, utilization - BUSY) / (1 - BUSY);
    return idleMs + (busyMs - idleMs) * short;
  };
}

/**
 * `piece` does some of the work and returns whether there may be more. `failed` gets errors; the next run comes all
 * the same.
 */
export function startUpkeep(
  piece: () => Promise<boolean>,
  failed: (error: unknown) => void,
  { everyMs = EVERY_MS, pauseMs = () => PAUSE_MS, afterMs = 0 }: UpkeepPace = {},
): Upkeep {
  const closing = new AbortController();
  const { signal } = closing;
  const doWork = async (): Promise<void> => {
    try {
      while (!signal.aborted && (await piece())) {
        await pause(pauseMs(), undefined, { signal });
      }
    } catch (error) {
      // An unreachable store is reported to those who write to it.
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
