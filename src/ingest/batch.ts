/**
 * Group commit: drafts that arrive while commits run make the next one. No
 * timers: a commit begins in the turn after the first draft came, so that all
 * that one turn of the event loop brought goes into it, or sooner when many came.
 */
import type { CommitObserver } from '../observe/observers.ts';
import { type Draft, type Outcome, type Store, StoreUnavailable } from '../store/store.ts';

/** More than this and the first draft of a commit would wait long for the last one. */
const MOST_PER_COMMIT = 512;
/**
 * Four commits' worth. Whoever came after them would wait longer than it takes
 * to be told to come again, and what waits takes memory.
 */
export const MOST_WAITING = 4 * MOST_PER_COMMIT;
/** The store is handed the next commit while it works on one: it never waits for this thread. */
const MOST_RUNNING = 2;
/** So many are worth a commit of their own when the store has nothing to do. */
const ENOUGH = 24;
/**
 * A commit takes at most this part of all drafts that are here. Callers who are
 * answered together come back together: were one commit to take them all, the
 * store would stand still while this thread reads, and this thread while it writes.
 */
const PARTS = 2;

interface Waiting {
  readonly draft: Draft;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface Batcher {
  /** Whether too many wait already: who joins now is refused. */
  readonly full: boolean;
  /**
   * Joins the next commit. Rejects with what the store throws, or with
   * `StoreUnavailable` at once where too many wait already.
   */
  join(draft: Draft): Promise<Outcome>;
}

export function createBatcher(
  store: Pick<Store, 'commit' | 'attend'>,
  observer?: CommitObserver,
): Batcher {
  let waiting: Waiting[] = [];
  let underWay = 0;
  let running = 0;
  let scheduled = false;
  observer?.queue(() => waiting.length);

  const take = (): Waiting[] => {
    const part = Math.max(ENOUGH, Math.ceil((waiting.length + underWay) / PARTS));
    const most = Math.min(part, MOST_PER_COMMIT);
    const batch = waiting.length <= most ? waiting : waiting.slice(0, most);
    waiting = batch === waiting ? [] : waiting.slice(most);
    return batch;
  };

  const run = async (): Promise<void> => {
    const batch = take();
    running += 1;
    underWay += batch.length;
    const began = performance.now();
    const ended = (): void => {
      observer?.committed(batch.length, performance.now() - began);
      running -= 1;
      underWay -= batch.length;
      // Before anybody is answered: the store goes on with the next ones meanwhile.
      if (waiting.length > 0 && !scheduled) void run();
    };
    try {
      const outcomes = await store.commit(batch.map((one) => one.draft));
      ended();
      for (const [index, one] of batch.entries()) one.resolve(outcomes[index] as Outcome);
    } catch (error) {
      ended();
      for (const one of batch) one.reject(error);
    }
  };

  const schedule = (): void => {
    if (scheduled || running >= MOST_RUNNING) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (waiting.length > 0) void run();
    });
  };

  return {
    get full() {
      return waiting.length >= MOST_WAITING;
    },
    join(draft) {
      if (running > 0) store.attend?.();
      return new Promise((resolve, reject) => {
        if (waiting.length >= MOST_WAITING) {
          reject(new StoreUnavailable('More is being sent than the disk takes.'));
          return;
        }
        waiting.push({ draft, resolve, reject });
        if (running === 0 && waiting.length >= ENOUGH) void run();
        else schedule();
      });
    },
  };
}
