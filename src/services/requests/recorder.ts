/**
 * Writes the log of requests into the store, apart from the commits of records: refusals within about a second,
 * activity within about ten. Until then they are in memory, and lost in a crash.
 */

import type { Activity } from '../../core/objects/requests/activity.ts';
import { type BackgroundPace, realPace } from '../../core/pace.ts';
import type { RequestBook } from '../../store/books/log/requests.ts';
import type { RefusedRequest } from '../../store/promises/requests.ts';
import { StoreUnavailable, StoreUnsure } from '../../store/promises/store.ts';
import { repeatEvery, writeChunks } from '../every.ts';
import { ActivityCounter, type CountKey } from './activity-counter.ts';
import { WaitingRefusals } from './waiting-refusals.ts';

const EVERY_MS = 1_000;
/** Activity is written with every tenth of these. */
const ACTIVITY_EVERY = 10;
/** Written at once: the commits of others wait for no more than that. */
const REFUSED_TOGETHER = 100;
const ACTIVITY_TOGETHER = 500;
/** This many different counts are written sooner. */
const MANY_COUNTS = 5_000;

export interface RecorderParts {
  readonly book: Pick<RequestBook, 'note' | 'accountsAmong'>;
  /** The clock, in milliseconds since 1970. */
  readonly now: () => number;
  readonly pace?: BackgroundPace;
  /** Called with errors, except of a store that accepts no writes. */
  readonly failed: (error: unknown) => void;
}

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder({ book, now, pace = realPace, failed }: RecorderParts) {
  const refusals = new WaitingRefusals();
  const counter = new ActivityCounter();

  const writeRefused = () =>
    writeChunks(
      () => refusals.first(REFUSED_TOGETHER),
      (chunk) => book.note(chunk, []),
      (count) => refusals.removeFirst(count),
    );

  /** Without what was done in accounts that were removed meanwhile: their activity is removed with them. */
  const ofStanding = async (some: readonly Activity[]): Promise<readonly Activity[]> => {
    const named = new Set(some.map(({ account }) => account).filter((account) => account !== ''));
    const standing = named.size === 0 ? [] : await book.accountsAmong([...named]);
    return some.filter(({ account }) => account === '' || standing.includes(account));
  };

  const writeActivity = async (): Promise<void> => {
    const taken = counter.take();
    for (let written = 0; written < taken.length; written += ACTIVITY_TOGETHER) {
      try {
        await book.note([], await ofStanding(taken.slice(written, written + ACTIVITY_TOGETHER)));
      } catch (error) {
        // Counts that may have been written would be counted twice.
        const lost =
          error instanceof StoreUnavailable && !(error instanceof StoreUnsure)
            ? 0
            : ACTIVITY_TOGETHER;
        counter.putBack(taken.slice(written + lost));
        throw error;
      }
    }
  };

  const write = async (all: boolean): Promise<void> => {
    try {
      await writeRefused();
      if (all || counter.size >= MANY_COUNTS) await writeActivity();
    } catch (error) {
      // Clients that write learn from their answers that the store accepts no writes.
      if (!(error instanceof StoreUnavailable)) failed(error);
    }
  };

  const repeating = repeatEvery(EVERY_MS, pace, (isLast, round) =>
    write(isLast || round % ACTIVITY_EVERY === 0),
  );

  return {
    /** Whether another refusal of this key will be written: there are limits per second. */
    takes: (key: string | null) => refusals.takes(key),
    refused: (request: RefusedRequest): void => refusals.add(request),
    done: (what: CountKey, count: number): void => counter.add(what, count, now()),
    /** Writes what is left, unless the store takes long, and stops. */
    close: () => repeating[Symbol.asyncDispose](),
  };
}
