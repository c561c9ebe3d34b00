/**
 * Writes the log of requests into the store, apart from the commits of records: refusals within about a second,
 * activity within about ten. Until then they are in memory, and lost in a crash.
 */
import type { Activity } from '../../core/objects/requests/activity.ts';
import { type BackgroundPace, realPace } from '../../core/pace.ts';
import type { RequestBook } from '../../store/books/log/requests.ts';
import type { RefusedRequest } from '../../store/promises/requests.ts';
import { isAway, StoreUnsure } from '../../store/promises/store.ts';
import { repeatEvery, writeChunks } from '../every.ts';

const HOUR_MS = 3_600_000;
/** The most separate counts, some MiB. Beyond them new ones are counted without their place, and then not at all. */
const MAX_COUNTS = 20_000;
const MAX_PLACELESS = 22_000;

/** The key of a count. */
export type CountKey = Pick<Activity, 'account' | 'key' | 'anchor' | 'resource' | 'outcome'>;

type Count = { -readonly [member in keyof Activity]: Activity[member] };

const MAX_OF_KEY = 200;
const MAX_WAITING = 1_000;

const EVERY_MS = 1_000;
const ACTIVITY_EVERY = 10;
/** Written at once: the commits of others wait for no more than that. */
const REFUSED_TOGETHER = 100;
const ACTIVITY_TOGETHER = 500;
/** This many different counts are written sooner. */
const MANY_COUNTS = 5_000;

export interface RecorderParts {
  readonly book: Pick<RequestBook, 'note' | 'accountsAmong'>;
  readonly now: () => number;
  readonly pace?: BackgroundPace;
  /** Called with errors, except of a store that accepts no writes. */
  readonly failed: (error: unknown) => void;
}

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder({ book, now, pace = realPace, failed }: RecorderParts) {
  const waiting: RefusedRequest[] = [];
  const counter = createActivityCounter();
  /** Keys of which refusals were left out since the last one that will be written. */
  const hidden = new Set<string | null>();

  /** Without what was done in accounts that were removed meanwhile: their activity is removed with them. */
  const ofStanding = async (some: readonly Activity[]): Promise<readonly Activity[]> => {
    const named = new Set(some.map(({ account }) => account).filter((account) => account !== ''));
    const standing = named.size === 0 ? [] : await book.accountsAmong([...named]);
    return some.filter(({ account }) => account === '' || standing.includes(account));
  };

  const writeActivity = async (): Promise<void> => {
    const taken = [...counter.take()];
    try {
      await writeChunks(taken, ACTIVITY_TOGETHER, async (chunk) =>
        book.note([], await ofStanding(chunk)),
      );
    } catch (error) {
      // Counts that may have been written would be counted twice.
      if (error instanceof StoreUnsure) taken.splice(0, ACTIVITY_TOGETHER);
      counter.putBack(taken);
      throw error;
    }
  };

  const write = async (all: boolean): Promise<void> => {
    try {
      await writeChunks(waiting, REFUSED_TOGETHER, (chunk) => book.note(chunk, []));
      if (all || counter.size >= MANY_COUNTS) await writeActivity();
    } catch (error) {
      // Clients that write learn from their answers that the store accepts no writes.
      if (!isAway(error)) failed(error);
    }
  };

  const repeating = repeatEvery(EVERY_MS, pace, (isLast, round) =>
    write(isLast || round % ACTIVITY_EVERY === 0),
  );

  return {
    /** Whether another refusal of this key will be written: there are limits per second. */
    takes: (key: string | null): boolean =>
      waiting.length < MAX_WAITING && waiting.filter((one) => one.key === key).length < MAX_OF_KEY,
    refused(request: RefusedRequest): void {
      waiting.push(hidden.delete(request.key) ? { ...request, unnamed: true } : request);
    },
    /** A refusal is left out, since it takes no more of this key: those beside it say that records may be missing. */
    dropped(key: string | null): void {
      const last = waiting.findLastIndex((one) => one.key === key);
      const before = waiting[last];
      if (before !== undefined) waiting[last] = { ...before, unnamed: true };
      if (hidden.size < MAX_WAITING) hidden.add(key);
    },
    done: (what: CountKey, count: number): void => counter.add(what, count, now()),
    /** Writes what is left, unless the store takes long, and stops. */
    close: () => repeating[Symbol.asyncDispose](),
  };
}

export function createActivityCounter() {
  let counts = new Map<string, Count>();

  function addCount(one: Activity): void {
    const { hour, account, key, anchor, resource, outcome, count, last_at } = one;
    const name = `${hour} ${account} ${key} ${anchor} ${resource} ${outcome}`;
    const found = counts.get(name);
    if (found !== undefined) {
      found.count += count;
      found.last_at = Math.max(found.last_at, last_at);
    } else if (counts.size < MAX_COUNTS || (anchor === '' && counts.size < MAX_PLACELESS)) {
      counts.set(name, { hour, account, key, anchor, resource, outcome, count, last_at });
    } else if (anchor !== '') {
      addCount({ ...one, anchor: '' });
    }
  }

  return {
    get size(): number {
      return counts.size;
    },
    add(what: CountKey, count: number, time: number): void {
      const hour = Math.floor(time / HOUR_MS) * HOUR_MS;
      addCount({ ...what, hour, count, last_at: time });
    },
    take(): Activity[] {
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
    putBack(activity: readonly Activity[]): void {
      for (const one of activity) addCount(one);
    },
  };
}
