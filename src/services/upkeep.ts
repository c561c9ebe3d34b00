/** Upkeep: periodic work on a store, done in small pieces between the commits of others. */
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type BackgroundPace, realPace } from '../core/pace.ts';
import { isAway } from '../store/promises/store.ts';

const EVERY_MS = 15_000;
/** The pause between two pieces: others get the larger part of the time. */
const PAUSE_MS = 20;

export interface Upkeep {
  close(): Promise<void>;
}

/** A task of upkeep. */
export interface Task {
  /** Does a piece of the work, and returns whether there may be more, after how many pauses. */
  readonly piece: () => Promise<boolean | number | undefined>;
  readonly failure: string;
  readonly times?: UpkeepTimes;
}

/** How often to check for work, and how long to pause between two pieces of it. */
export interface UpkeepTimes {
  readonly everyMs?: number;
  /** `lateMs`: for how long there has been more to do each time. */
  readonly pauseMs?: (lateMs: number) => number;
  readonly afterMs?: number;
}

/** The share of its time that this thread works, above which others come first. */
const BUSY = 0.5;

interface Yielding {
  /** After how long work that is never done is late enough to wait no longer for a thread with time. */
  readonly patienceMs?: number;
  readonly used?: Pick<typeof performance, 'eventLoopUtilization'>;
}

/**
 * The pause between two pieces of work: the busier this thread is, the longer, up to `busyMs`; and the shorter again, the
 * longer there has been more to do. So work that grows with what the thread does keeps up with it, and comes to an end.
 */
export function yielding(
  idleMs: number,
  busyMs: number,
  { patienceMs = Number.POSITIVE_INFINITY, used = performance }: Yielding = {},
): (lateMs?: number) => number {
  let last = used.eventLoopUtilization();
  return (lateMs = 0) => {
    const now = used.eventLoopUtilization();
    const { utilization } = used.eventLoopUtilization(now, last);
    last = now;
    const short = Math.max(0, utilization - BUSY) / (1 - BUSY);
    const patience = Math.max(0, 1 - lateMs / patienceMs);
    return idleMs + (busyMs - idleMs) * short * patience;
  };
}

/** `piece` is that of a task; `failed` gets errors, after which upkeep continues. */
export function startUpkeep(
  piece: Task['piece'],
  failed: (error: unknown) => void,
  { everyMs = EVERY_MS, pauseMs = () => PAUSE_MS, afterMs = 0 }: UpkeepTimes = {},
  pace: BackgroundPace = realPace,
): Upkeep {
  const closing = new AbortController();
  const { signal } = closing;
  /** Since when there has been more to do each time, also after errors. */
  let since: number | undefined;
  const doWork = async (): Promise<void> => {
    try {
      for (let did = await piece(); did; did = await piece()) {
        const now = performance.now();
        since ??= now;
        await pause(pace(Number(did) * pauseMs(now - since)), undefined, { signal });
      }
      since = undefined;
    } catch (error) {
      // Clients that write learn of an unreachable store from their responses.
      if (!signal.aborted && !isAway(error)) failed(error);
    }
  };
  const run = async (): Promise<void> => {
    if (afterMs > 0)
      await pause(pace(afterMs), undefined, { signal, ref: false }).catch(() => undefined);
    while (!signal.aborted) {
      await doWork();
      await pause(pace(everyMs), undefined, { signal, ref: false }).catch(() => undefined);
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
