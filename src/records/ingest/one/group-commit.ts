/**
 * Group commit: drafts that arrive while commits run make the next one. No timers: a commit begins in the tick after
 * the first draft came, so that it takes all that one tick of the event loop brought, or sooner when many came.
 */
import type { CommitObserver } from '../../../core/observe/observers.ts';
import {
  type Draft,
  type Outcome,
  type Store,
  StoreUnavailable,
} from '../../../store/promises/store.ts';
import { DraftQueue, keyOf, type Waiting } from './draft-queue.ts';

/** With more than this the first draft of a commit would wait long for the last one. */
const MAX_PER_COMMIT = 512;
/**
 * Four commits' worth: a draft after them would wait longer than its caller takes
 * to retry, and what waits takes memory. Keys that have little among them may
 * still bring theirs, so there are never more than twice as many.
 */
export const MAX_WAITING = 4 * MAX_PER_COMMIT;
/**
 * How long a commit judges drafts, which takes microseconds for most and
 * milliseconds for large documents. Those that are left go into the next one,
 * which takes fewer: what another key brings meanwhile waits no longer than that.
 */
const WITHIN_MS = 20;
/** Of drafts that take so long that others were left, a commit takes no fewer. */
const LEAST_PER_COMMIT = 4;
/**
 * The store is handed the next commit while it works on one: it never waits for
 * this thread. Not so in one account of a store in which the next commit would
 * only wait for the lock of the account: there it grows meanwhile, until the one
 * before is late.
 */
const MAX_RUNNING = 2;
/**
 * Where there is a queue for each account, a commit that takes this many times longer than usual waits for a lock or
 * for a server that does not answer. It gives up its permit to other queues, and its own one may begin another commit,
 * whose callers wait no longer for their answer than those before them. Until then it keeps both, so that commits are
 * few and large. What is usual is measured: on a busy machine a fixed time would make commits smaller the longer they
 * take, and so make them take longer.
 */
const LATE = 3;
const MIN_LATE_MS = 5;
/** The weight of the newest commit in the moving average. */
const WEIGHT = 1 / 8;
/** How many drafts are worth a commit of their own when the store is idle. */
const ENOUGH = 24;

/** Drafts that are committed in their order: those of one account, or all. */
class Queue {
  readonly name: string;
  readonly waiting = new DraftQueue();
  /** How many drafts its next commit takes, as far as there is room. */
  most = MAX_PER_COMMIT;
  /** Commits that have drafts of it, and those of them that take long. */
  running = 0;
  late = 0;
  /** Whether it gets ready at the end of this tick. */
  scheduled = false;
  /** Whether it waits for a permit. */
  ready = false;

  constructor(name: string) {
    this.name = name;
  }
}

/** The drafts that one commit takes from a queue. */
interface Batch {
  readonly queue: Queue;
  readonly drafts: readonly Waiting[];
  late: boolean;
}

export class GroupCommit {
  readonly #store: Pick<Store, 'commit' | 'commitEach' | 'poll'>;
  readonly #observer: CommitObserver | undefined;
  readonly #byAccount: boolean;
  /** Those in which something waits or is being committed. */
  readonly #queues = new Map<string, Queue>();
  /** The queues with something to commit, in the order in which they came. */
  readonly #ready: Queue[] = [];
  /** Drafts that wait, in all and by key, and drafts that are being committed. */
  #waiting = 0;
  readonly #waitingOf = new Map<string, number>();
  #committing = 0;
  #permits = MAX_RUNNING;
  /** How long a commit takes usually, in milliseconds; what was late counts as just so late. */
  #usualMs = 0;

  constructor(
    store: Pick<Store, 'commit' | 'commitEach' | 'poll'>,
    observer?: CommitObserver | undefined,
  ) {
    this.#store = store;
    this.#observer = observer;
    this.#byAccount = store.commitEach !== undefined;
    observer?.queue(() => this.#waiting);
  }

  /** Whether the queue is full for the next draft of this key: its own are no fewer than its share. */
  isFull(key: string): boolean {
    if (this.#waiting < MAX_WAITING) return false;
    return (this.#waitingOf.get(key) ?? 0) >= MAX_WAITING / (this.#waitingOf.size + 1);
  }

  /**
   * Joins the next commit. Rejects with what the store throws, or with
   * `StoreUnavailable` at once where too many wait already.
   */
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
    const name = this.#byAccount ? account : '';
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue = new Queue(name);
    this.#queues.set(name, queue);
    return queue;
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
    while (this.#permits > 0 && this.#ready.length > 0 && this.#isEnough()) {
      this.#run(this.#takeReady());
    }
  }

  /** While a commit runs, one of other accounts begins only for at least half of all waiting drafts. */
  #isEnough(): boolean {
    if (!this.#byAccount || this.#permits === MAX_RUNNING) return true;
    const ready = this.#ready.reduce((sum, queue) => sum + queue.waiting.size, 0);
    return ready >= Math.max(ENOUGH, (this.#waiting + this.#committing) / 2);
  }

  /** The drafts of the next commit: all that are ready, as far as there is room. */
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

  /** Gives its permit back when it is done, or takes long. */
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
      queue.running += 1;
    }
    const outcomes = this.#commit(batches);
    for (const [at, batch] of batches.entries()) {
      void this.#answer(batch, outcomes[at] as Promise<readonly Outcome[]>, batchEnded);
    }
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
      queue.running -= 1;
      if (batch.late) queue.late -= 1;
      if (queue.running === 0 && queue.waiting.size === 0) this.#queues.delete(queue.name);
      // Before any answer is sent: the store goes on with the next drafts meanwhile.
      if (!queue.scheduled) this.#getReady(queue);
      batchEnded(batch);
    };
    try {
      const outcomes = await committing;
      const isPostponed = (at: number) => outcomes[at]?.outcome === 'postponed';
      ended(drafts.filter((_, at) => isPostponed(at)));
      for (const [at, one] of drafts.entries()) {
        if (!isPostponed(at)) one.resolve(outcomes[at] as Outcome);
      }
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
