/**
 * Group commit: drafts that arrive while a commit runs make the next one. No
 * timers: a commit starts in the turn after the first draft came, so that all
 * that one turn of the event loop brought goes into it.
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

interface Waiting {
  readonly draft: Draft;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export interface Batcher {
  /**
   * Joins the next commit. Rejects with what the store throws, or with
   * `StoreUnavailable` at once where too many wait already; in both cases the
   * draft was not committed.
   */
  join(draft: Draft): Promise<Outcome>;
}

export function createBatcher(store: Pick<Store, 'commit'>, observer?: CommitObserver): Batcher {
  let waiting: Waiting[] = [];
  let running = false;
  observer?.queue(() => waiting.length);

  const run = async (): Promise<void> => {
    const batch = waiting.length <= MOST_PER_COMMIT ? waiting : waiting.slice(0, MOST_PER_COMMIT);
    waiting = batch === waiting ? [] : waiting.slice(MOST_PER_COMMIT);
    const began = performance.now();
    try {
      const outcomes = await store.commit(batch.map((one) => one.draft));
      observer?.committed(batch.length, performance.now() - began);
      for (const [index, one] of batch.entries()) one.resolve(outcomes[index] as Outcome);
    } catch (error) {
      observer?.committed(batch.length, performance.now() - began);
      for (const one of batch) one.reject(error);
    }
    if (waiting.length > 0) setImmediate(run);
    else running = false;
  };

  return {
    join(draft) {
      return new Promise((resolve, reject) => {
        if (waiting.length >= MOST_WAITING) {
          reject(new StoreUnavailable('More is being sent than the disk takes.'));
          return;
        }
        waiting.push({ draft, resolve, reject });
        if (running) return;
        running = true;
        setImmediate(run);
      });
    },
  };
}
