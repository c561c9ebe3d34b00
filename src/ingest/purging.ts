/** Purges the receipts of repeatable requests when they have expired, whether or not new ones come. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Store, StoreUnavailable } from '../store/store.ts';

/** Between two looks. */
const EVERY_MS = 15_000;
/** Between two pieces of one purge: others get the larger part of the time. */
const PAUSE_MS = 20;

export interface Purging {
  /** Ends when the piece that is under way is done. */
  close(): Promise<void>;
}

/** `failed` is told of what went wrong; the next look comes all the same. */
export function startPurging(
  store: Pick<Store, 'purgeReceipts'>,
  failed: (error: unknown) => void,
  everyMs = EVERY_MS,
): Purging {
  const closing = new AbortController();
  const { signal } = closing;
  const purge = async (): Promise<void> => {
    try {
      while (!signal.aborted && (await store.purgeReceipts())) {
        await pause(PAUSE_MS, undefined, { signal });
      }
    } catch (error) {
      // Whoever wants to write is told that the store is out of reach.
      if (!signal.aborted && !(error instanceof StoreUnavailable)) failed(error);
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await purge();
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
