/**
 * Group commit: drafts that arrive while commits run share the next one. No timers: a commit begins in the tick after
 * its first draft arrived, so that it takes all drafts of one tick of the event loop, or sooner if there are many.
 */
import type { Observer } from '../../../core/observe/observers.ts';
import {
  type Draft,
  type Outcome,
  type Store,
  StoreUnavailable,
} from '../../../store/promises/store.ts';

/** The most drafts of a commit: with more, the first would wait long for the last. */
const MAX_PER_COMMIT = 512;
/**
 * Waiting drafts after which new ones are refused: a draft would wait longer than its caller takes to retry, and
 * waiting drafts take memory. Keys with few drafts may still add theirs, so there are never more than twice as many.
 */
export const MAX_WAITING = 4 * MAX_PER_COMMIT;
/**
 * How long a commit may judge drafts, which takes microseconds for most and milliseconds for large documents. The rest
 * goes into the next commit, which takes fewer drafts, so that other keys wait no longer than this.
 */
const WITHIN_MS = 20;
/** The fewest drafts of a commit after one that left some. */
const LEAST_PER_COMMIT = 4;
/**
 * Commits in progress. The store gets the next commit while it works on one, so that it never waits for this thread.
 * Within one account of a store with a queue for each account, the next commit would only wait for the account's lock:
 * it grows instead, until the one before is late.
 */
const MAX_RUNNING = 2;
/**
 * In a store with a queue for each account, a commit that takes this many times longer than usual probably waits for a
 * lock or for a server that does not answer. It gives its permit to other queues, and its own queue may begin another
 * commit. Until then it keeps both, so that commits are few and large. The usual time is measured: on a busy machine a
 * fixed time would make commits smaller the longer they take, and so make them take longer.
 */
const LATE = 3;
const MIN_LATE_MS = 5;
/** The weight of the newest commit in the moving average. */
const WEIGHT = 1 / 8;
/** How many drafts are worth a commit of their own when the store is idle. */
const ENOUGH = 24;

/** A queue of drafts, of one account or of all, that are committed in order. */
type Queue = ReturnType<typeof createQueue>;

function createQueue(name: string) {
  return {
    name,
    waiting: new DraftQueue(),
    /** The most drafts that it adds to the next commit. */
    most: MAX_PER_COMMIT,
    /** Running commits with its drafts, how many of them are late, and the drafts in them. */
    running: 0,
    late: 0,
    committing: 0,
    /** Whether it becomes ready at the end of this tick. */
    scheduled: false,
    ready: false,
  };
}

/** The drafts that one commit takes from a queue. */
interface Batch {
  readonly queue: Queue;
  readonly drafts: readonly Waiting[];
  late: boolean;
}

type Commits = Pick<Store, 'commit' | 'commitEach' | 'poll'>;
type CommitObserver = Pick<Observer, 'show' | 'committed'> | undefined;

export class GroupCommit {
  readonly #store: Commits;
  readonly #observer: CommitObserver;
  readonly #byAccount: boolean;
  /** Queues with drafts that wait or are being committed. */
  readonly #queues = new Map<string, Queue>();
  /** Queues that are ready for the next commit, in their order. */
  readonly #ready: Queue[] = [];
  /** Drafts that wait, in all and by key, and drafts that are being committed. */
  #waiting = 0;
  readonly #waitingOf = new Map<string, number>();
  #committing = 0;
  /** Queues with a late commit: others do not wait for what they have. */
  readonly #late = new Set<Queue>();
  #permits = MAX_RUNNING;
  /** The usual duration of a commit, in milliseconds; a late one counts as just late. */
  #usualMs = 0;

  constructor(store: Commits, observer?: CommitObserver) {
    this.#store = store;
    this.#observer = observer;
    this.#byAccount = store.commitEach !== undefined;
    observer?.show({ queue_drafts: () => this.#waiting });
  }

  /** Returns whether the queue is full for this key: many drafts wait, and the key has its share of them. */
  isFull(key: string): boolean {
    if (this.#waiting < MAX_WAITING) return false;
    return (this.#waitingOf.get(key) ?? 0) >= MAX_WAITING / (this.#waitingOf.size + 1);
  }

  /** Adds a draft to the next commit. Rejects with errors of the store, or with `StoreUnavailable` if the queue is full. */
  join(draft: Draft): Promise<Outcome> {
    if (this.#committing > 0) this.#store.poll?.();
    return new Promise((resolve, reject) => {
      if (this.isFull(keyOf(draft))) {
        reject(new StoreUnavailable('More is being sent than can be saved.'));
        return;
      }
      const queue = this.#queueOf(draft);
      const one = { draft, resolve, reject };
      queue.waiting.push(one);
      this.#count([one], 1);
      if (queue.running === 0 && queue.waiting.size >= ENOUGH) this.#getReady(queue);
      else this.#schedule(queue);
    });
  }

  #queueOf({ account }: Draft): Queue {
    return this.#queues.getOrInsertComputed(this.#byAccount ? account : '', createQueue);
  }

  #schedule(queue: Queue): void {
    if (queue.scheduled || !this.#mayRun(queue)) return;
    queue.scheduled = true;
    setImmediate(() => {
      queue.scheduled = false;
      this.#getReady(queue);
    });
  }

  #getReady(queue: Queue): void {
    if (queue.ready || queue.waiting.size === 0 || !this.#mayRun(queue)) return;
    queue.ready = true;
    this.#ready.push(queue);
    this.#runNext();
  }

  #mayRun({ running, late }: Queue): boolean {
    return running < (this.#byAccount && late === 0 ? 1 : MAX_RUNNING);
  }

  #runNext(): void {
    while (this.#permits > 0 && this.#ready.length > 0 && this.#isEnough())
      this.#run(this.#takeReady());
  }

  /** Returns whether to begin a commit: while one runs, only for at least half of all waiting drafts. */
  #isEnough(): boolean {
    if (!this.#byAccount || this.#permits === MAX_RUNNING) return true;
    const ready = this.#ready.reduce((sum, queue) => sum + queue.waiting.size, 0);
    let others = this.#waiting + this.#committing;
    for (const { waiting, committing } of this.#late) others -= waiting.size + committing;
    return ready >= Math.max(ENOUGH, others / 2);
  }

  /** Takes the drafts of the next commit: all that are ready, as far as there is room. */
  #takeReady(): readonly Batch[] {
    const batches: Batch[] = [];
    let room = MAX_PER_COMMIT;
    while (room > 0) {
      const queue = this.#ready.shift();
      if (queue === undefined) break;
      queue.ready = false;
      const drafts = queue.waiting.take(Math.min(room, queue.most));
      this.#count(drafts, -1);
      room -= drafts.length;
      batches.push({ queue, drafts, late: false });
    }
    return batches;
  }

  /** Runs a commit, which gives back its permit when it is done or late. */
  #run(batches: readonly Batch[]): void {
    this.#permits -= 1;
    let hasPermit = true;
    const release = (): void => {
      if (!hasPermit) return;
      hasPermit = false;
      this.#permits += 1;
      this.#runNext();
    };
    const began = performance.now();
    const lateMs = Math.max(MIN_LATE_MS, LATE * this.#usualMs);
    const left = new Set(batches);
    const giveWay = (): void => {
      for (const batch of left) {
        batch.late = true;
        batch.queue.late += 1;
        this.#late.add(batch.queue);
      }
      release();
      for (const { queue } of left) this.#getReady(queue);
    };
    const late = this.#byAccount ? setTimeout(giveWay, lateMs) : undefined;
    const batchEnded = (batch: Batch): void => {
      left.delete(batch);
      if (left.size > 0) return;
      clearTimeout(late);
      const tookMs = Math.min(performance.now() - began, lateMs);
      this.#usualMs += (tookMs - this.#usualMs) * WEIGHT;
      release();
    };
    for (const { queue, drafts } of batches) {
      this.#committing += drafts.length;
      queue.committing += drafts.length;
      queue.running += 1;
    }
    const outcomes = this.#commit(batches);
    for (const [at, batch] of batches.entries())
      void this.#answer(batch, outcomes[at] as Promise<readonly Outcome[]>, batchEnded);
  }

  #commit(batches: readonly Batch[]): readonly Promise<readonly Outcome[]>[] {
    const drafts = batches.map((batch) => batch.drafts.map(({ draft }) => draft));
    const options = { withinMs: WITHIN_MS };
    return (
      this.#store.commitEach?.(drafts, options) ??
      drafts.map((some) => this.#store.commit(some, options))
    );
  }

  async #answer(
    batch: Batch,
    committing: Promise<readonly Outcome[]>,
    batchEnded: (batch: Batch) => void,
  ): Promise<void> {
    const { queue, drafts } = batch;
    const began = performance.now();
    const ended = (postponed: readonly Waiting[]): void => {
      const done = drafts.length - postponed.length;
      this.#observer?.committed(done, performance.now() - began);
      queue.waiting.putBack(postponed);
      this.#count(postponed, 1);
      if (postponed.length > 0) queue.most = Math.max(LEAST_PER_COMMIT, done);
      else if (done >= queue.most) queue.most = Math.min(MAX_PER_COMMIT, 2 * queue.most);
      this.#committing -= drafts.length;
      queue.committing -= drafts.length;
      queue.running -= 1;
      if (batch.late) queue.late -= 1;
      if (queue.late === 0) this.#late.delete(queue);
      if (queue.running === 0 && queue.waiting.size === 0) this.#queues.delete(queue.name);
      // Before responses are sent, so that the store works on the next drafts meanwhile.
      if (!queue.scheduled) this.#getReady(queue);
      batchEnded(batch);
    };
    try {
      const outcomes = await committing;
      const isPostponed = (at: number) => outcomes[at]?.outcome === 'postponed';
      ended(drafts.filter((_, at) => isPostponed(at)));
      for (const [at, one] of drafts.entries())
        if (!isPostponed(at)) one.resolve(outcomes[at] as Outcome);
    } catch (error) {
      ended([]);
      for (const one of drafts) one.reject(error);
    }
  }

  #count(drafts: readonly Waiting[], by: 1 | -1): void {
    this.#waiting += by * drafts.length;
    for (const { draft } of drafts) {
      const key = keyOf(draft);
      const now = (this.#waitingOf.get(key) ?? 0) + by;
      if (now === 0) this.#waitingOf.delete(key);
      else this.#waitingOf.set(key, now);
    }
  }
}

interface Waiting {
  readonly draft: Draft;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Returns the key or the person that the queue counts a draft for. */
function keyOf({ by = '' }: Draft): string {
  return by;
}

interface Lane {
  readonly key: string;
  waiting: Waiting[];
}

class DraftQueue {
  /** The requests in the order of service. A `Map` that changes with every request would retain removed entries (decision 15). */
  #lanes: Lane[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(one: Waiting): void {
    this.#laneOf(one).waiting.push(one);
    this.#size += 1;
  }

  putBack(drafts: readonly Waiting[]): void {
    for (const one of drafts.toReversed()) this.#laneOf(one).waiting.unshift(one);
    this.#size += drafts.length;
  }

  /** Takes up to `most` drafts: the first of each key, then more of each, so that no key waits for another's backlog. */
  take(most: number): readonly Waiting[] {
    const [first, second] = this.#lanes;
    if (first !== undefined && second === undefined && this.#size <= most) {
      this.#lanes = [];
      this.#size = 0;
      return first.waiting;
    }
    const taken: Waiting[] = [];
    let share = 1;
    let lanes = this.#lanes;
    while (lanes.length > 0 && taken.length < most) {
      for (const { waiting } of lanes)
        taken.push(...waiting.splice(0, Math.min(share, most - taken.length)));
      share = Math.max(1, Math.floor((most - taken.length) / lanes.length));
      lanes = nonEmpty(lanes);
    }
    // Keys that were not served this time come first next time.
    const reached = Math.min(most, this.#lanes.length);
    this.#lanes = nonEmpty([...this.#lanes.slice(reached), ...this.#lanes.slice(0, reached)]);
    this.#size -= taken.length;
    return taken;
  }

  #laneOf({ draft }: Waiting): Lane {
    const key = keyOf(draft);
    let lane = this.#lanes.find((one) => one.key === key);
    if (lane === undefined) {
      lane = { key, waiting: [] };
      this.#lanes.push(lane);
    }
    return lane;
  }
}

function nonEmpty(lanes: readonly Lane[]): Lane[] {
  return lanes.filter(({ waiting }) => waiting.length > 0);
}
