/**
 * Group commit: drafts that arrive while commits run make the next one. No
 * timers: a commit begins in the turn after the first draft came, so that all
 * that one turn of the event loop brought goes into it, or sooner when many came.
 */
import type { CommitObserver } from '../../observe/observers.ts';
import { type Draft, type Outcome, type Store, StoreUnavailable } from '../../store/store.ts';

/** More than this and the first draft of a commit would wait long for the last one. */
const MAX_PER_COMMIT = 512;
/**
 * Four commits' worth. Whoever came after them would wait longer than it takes
 * to be told to come again, and what waits takes memory.
 */
export const MAX_WAITING = 4 * MAX_PER_COMMIT;
/** The store is handed the next commit while it works on one: it never waits for this thread. */
const MAX_RUNNING = 2;
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
  running: number;
  scheduled: boolean;
  /** Whether it waits for a place. */
  ready: boolean;
}

/** What a commit takes of a queue. */
interface Batch {
  readonly queue: Queue;
  readonly drafts: readonly Waiting[];
}

export interface GroupCommit {
  /** Whether too many wait already: who joins now is refused. */
  readonly full: boolean;
  /**
   * Joins the next commit. Rejects with what the store throws, or with
   * `StoreUnavailable` at once where too many wait already.
   */
  join(draft: Draft): Promise<Outcome>;
}

export function createGroupCommit(
  store: Pick<Store, 'commit' | 'commitEach' | 'attend'>,
  observer?: CommitObserver,
): GroupCommit {
  const byAccount = store.commitEach !== undefined;
  /** Those in which something waits or is under way. */
  const queues = new Map<string, Queue>();
  /** Those that have something to commit, in the order in which they came. */
  const ready: Queue[] = [];
  let waiting = 0;
  let running = 0;
  /** Drafts that are being committed. */
  let underWay = 0;
  let places = MAX_RUNNING;
  observer?.queue(() => waiting);

  /** As many of a queue as there is room for. */
  const take = (queue: Queue, room: number): Waiting[] => {
    const here = queue.waiting;
    const batch = here.length <= room ? here : here.slice(0, room);
    queue.waiting = batch === here ? [] : here.slice(room);
    waiting -= batch.length;
    return batch;
  };

  /** What the next commit takes: of one queue in which another one runs, or of all others that are ready. */
  const takeReady = (): Batch[] => {
    let room = Math.min(Math.max(ENOUGH, Math.ceil((waiting + underWay) / PARTS)), MAX_PER_COMMIT);
    const batches: Batch[] = [];
    while (room > 0) {
      const at = batches.length === 0 ? 0 : ready.findIndex(({ running }) => running === 0);
      const [queue] = at < 0 ? [] : ready.splice(at, 1);
      if (queue === undefined) break;
      queue.ready = false;
      const drafts = take(queue, room);
      room -= drafts.length;
      batches.push({ queue, drafts });
      if (queue.running > 0) break;
    }
    return batches;
  };

  const commit = (batches: readonly Batch[]): readonly Promise<readonly Outcome[]>[] => {
    const drafts = batches.map((batch) => batch.drafts.map(({ draft }) => draft));
    return store.commitEach?.(drafts) ?? drafts.map((some) => store.commit(some));
  };

  /** Frees its place when it is done, or takes long for one of the queues. */
  const run = (batches: readonly Batch[]): void => {
    places -= 1;
    let hasPlace = true;
    const leave = (): void => {
      if (!hasPlace) return;
      hasPlace = false;
      places += 1;
      runNext();
    };
    const leaving = byAccount ? setTimeout(leave, PLACE_MS) : undefined;
    for (const { queue, drafts } of batches) {
      running += 1;
      underWay += drafts.length;
      queue.running += 1;
    }
    let left = batches.length;
    const leaveWithLast = (): void => {
      left -= 1;
      if (left > 0) return;
      clearTimeout(leaving);
      leave();
    };
    const outcomes = commit(batches);
    for (const [at, batch] of batches.entries()) {
      void answer(batch, outcomes[at] as Promise<readonly Outcome[]>, leaveWithLast);
    }
  };

  const answer = async (
    { queue, drafts }: Batch,
    committing: Promise<readonly Outcome[]>,
    leave: () => void,
  ): Promise<void> => {
    const began = performance.now();
    const ended = (): void => {
      observer?.committed(drafts.length, performance.now() - began);
      running -= 1;
      underWay -= drafts.length;
      queue.running -= 1;
      if (queue.running === 0 && queue.waiting.length === 0) queues.delete(queue.name);
      // Before anybody is answered: the store goes on with the next ones meanwhile.
      if (!queue.scheduled) getReady(queue);
      leave();
    };
    try {
      const outcomes = await committing;
      ended();
      for (const [index, one] of drafts.entries()) one.resolve(outcomes[index] as Outcome);
    } catch (error) {
      ended();
      for (const one of drafts) one.reject(error);
    }
  };

  /** A little of what others could share a commit with waits for the commit before it. */
  const mayRun = ({ running, waiting }: Queue): boolean =>
    running === 0 || (running < MAX_RUNNING && (queues.size === 1 || waiting.length >= ENOUGH));

  const getReady = (queue: Queue): void => {
    if (queue.ready || queue.waiting.length === 0 || !mayRun(queue)) return;
    queue.ready = true;
    ready.push(queue);
    runNext();
  };

  /** Beside a commit that runs a second one is begun for no less than half of what it could take. */
  const isEnough = (): boolean => {
    if (!byAccount || places === MAX_RUNNING || queues.size === 1) return true;
    const inReady = ready.reduce((sum, queue) => sum + queue.waiting.length, 0);
    return inReady >= Math.max(ENOUGH, (waiting + underWay) / PARTS / 2);
  };

  const runNext = (): void => {
    while (places > 0 && ready.length > 0 && isEnough()) run(takeReady());
  };

  const schedule = (queue: Queue): void => {
    if (queue.scheduled || !mayRun(queue)) return;
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
    const queue = { name, waiting: [], running: 0, scheduled: false, ready: false };
    queues.set(name, queue);
    return queue;
  };

  return {
    get full() {
      return waiting >= MAX_WAITING;
    },
    join(draft) {
      if (running > 0) store.attend?.();
      return new Promise((resolve, reject) => {
        if (waiting >= MAX_WAITING) {
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
