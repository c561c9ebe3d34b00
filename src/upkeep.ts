/** Upkeep: work on a store that is due now and then, done in small pieces between the commits of others. */
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
    pauseMs = PAUSE_MS,
    afterMs = 0,
  }: { everyMs?: number; pauseMs?: number; afterMs?: number } = {},
): Upkeep {
  const closing = new AbortController();
  const { signal } = closing;
  const doWork = async (): Promise<void> => {
    try {
      while (!signal.aborted && (await piece())) {
        await pause(pauseMs, undefined, { signal });
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
