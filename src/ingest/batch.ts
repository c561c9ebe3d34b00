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
/**
 * Where there are several queues, a commit that takes longer than this waits for
 * a disk or for somebody else, and the next queue does not wait for that: until
 * then it does, so that many small queues do not make many small commits.
 */
const PLACE_MS = 5;
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

/** Drafts that are committed in their order. */
interface Queue {
  readonly name: string;
  waiting: Waiting[];
  underWay: number;
  running: number;
  scheduled: boolean;
  /** Whether it waits for a place. */
  ready: boolean;
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
  store: Pick<Store, 'commit' | 'attend' | 'queues'>,
  observer?: CommitObserver,
): Batcher {
  const byAccount = store.queues === 'by account';
  /** Those in which something waits or is under way. */
  const queues = new Map<string, Queue>();
  /** Those that have something to commit, in the order in which they came. */
  const ready: Queue[] = [];
  let waiting = 0;
  let running = 0;
  let places = MOST_RUNNING;
  observer?.queue(() => waiting);

  const take = (queue: Queue): Waiting[] => {
    const here = queue.waiting;
    const part = Math.max(ENOUGH, Math.ceil((here.length + queue.underWay) / PARTS));
    const most = Math.min(part, MOST_PER_COMMIT);
    const batch = here.length <= most ? here : here.slice(0, most);
    queue.waiting = batch === here ? [] : here.slice(most);
    waiting -= batch.length;
    return batch;
  };

  const run = async (queue: Queue): Promise<void> => {
    const batch = take(queue);
    running += 1;
    queue.running += 1;
    queue.underWay += batch.length;
    places -= 1;
    let hasPlace = true;
    const leave = (): void => {
      if (!hasPlace) return;
      hasPlace = false;
      places += 1;
      runNext();
    };
    const leaving = byAccount ? setTimeout(leave, PLACE_MS) : undefined;
    const began = performance.now();
    const ended = (): void => {
      observer?.committed(batch.length, performance.now() - began);
      clearTimeout(leaving);
      running -= 1;
      queue.running -= 1;
      queue.underWay -= batch.length;
      if (queue.running === 0 && queue.waiting.length === 0) queues.delete(queue.name);
      // Before anybody is answered: the store goes on with the next ones meanwhile.
      if (!queue.scheduled) getReady(queue);
      leave();
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

  const getReady = (queue: Queue): void => {
    if (queue.ready || queue.waiting.length === 0 || queue.running >= MOST_RUNNING) return;
    queue.ready = true;
    ready.push(queue);
    runNext();
  };

  const runNext = (): void => {
    while (places > 0) {
      const queue = ready.shift();
      if (queue === undefined) return;
      queue.ready = false;
      void run(queue);
    }
  };

  const schedule = (queue: Queue): void => {
    if (queue.scheduled || queue.running >= MOST_RUNNING) return;
    queue.scheduled = true;
    setImmediate(() => {
      queue.scheduled = false;
      getReady(queue);
    });
  };

  const queueOf = ({ account }: Draft): Queue => {
    const name = byAccount ? account : '';
    const known = queues.get(name);
    if (known !== undefined) return known;
    const queue = { name, waiting: [], underWay: 0, running: 0, scheduled: false, ready: false };
    queues.set(name, queue);
    return queue;
  };

  return {
    get full() {
      return waiting >= MOST_WAITING;
    },
    join(draft) {
      if (running > 0) store.attend?.();
      return new Promise((resolve, reject) => {
        if (waiting >= MOST_WAITING) {
          reject(new StoreUnavailable('More is being sent than the disk takes.'));
          return;
        }
        const queue = queueOf(draft);
        queue.waiting.push({ draft, resolve, reject });
        waiting += 1;
        if (queue.running === 0 && queue.waiting.length >= ENOUGH) getReady(queue);
        else schedule(queue);
      });
    },
  };
}
