/**
 * Has the write-ahead log moved into the database file by a thread of its own,
 * when there is enough of it, and started again by the one that writes. After a
 * removal, and when it has become large, its file is emptied, too.
 */
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Place } from './whereabouts.ts';

/** Looking costs the thread little, and the log grows by some pages with each commit. */
const COMMITS_BETWEEN_LOOKS = 32;
/** A reader that stays, such as a backup, keeps the log from starting again: not every look tries it again. */
const PAUSE_MS = 1_000;
/** A file that grows again costs every commit more than one that is written over: removals share one emptying. */
const EMPTYING_APART_MS = 10_000;
/** More than steady load needs; a burst, or a reader that stayed, leaves such a file behind. */
const LARGE_LOG_BYTES = 128 * 1024 * 1024;

export interface CheckpointWorkerData {
  readonly path: string;
  readonly places: readonly Place[];
}

/** `all`: however little there is. */
export type CheckpointRequest = 'enough' | 'all' | 'close';

/** What the thread has done: `durationMs` is left out where there was nothing to do. */
export interface Checkpointed {
  readonly durationMs: number | undefined;
  /** Whether so little is left that a writer may be held up for it. */
  readonly little: boolean;
}

export interface CheckpointerOptions {
  readonly path: string;
  readonly places: readonly Place[];
  readonly onCheckpoint: (durationMs: number) => void;
  /** Has the writer move the little that is left, and tells whether it starts the log again; with an empty file where `empty` says so. */
  readonly beginAnew: (empty: boolean) => Promise<boolean>;
}

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #timer: NodeJS.Timeout;
  #commits = 0;
  #asked = false;
  /** When to look again, on the clock of `performance.now`. */
  #notBefore = 0;
  /** Whether the log may hold what was removed. */
  #removed = false;
  #emptyNotBefore = 0;
  /** Started with the first look, so that starting the service does not wait for it. */
  #worker: Worker | undefined;
  #gone: Promise<void> | undefined;
  #closed = false;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#considerEmptying(), PAUSE_MS).unref();
  }

  noteCommit(): void {
    this.#commits += 1;
    if (this.#commits % COMMITS_BETWEEN_LOOKS === 0) this.#ask('enough');
  }

  /** What was removed is to leave the log: within seconds of the last reader that is in the way. */
  noteRemoval(): void {
    this.#removed = true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    // Only now does the process wait for it.
    worker.ref();
    worker.postMessage('close' satisfies CheckpointRequest);
    await this.#gone;
  }

  async #considerEmptying(): Promise<void> {
    if (performance.now() < this.#emptyNotBefore) return;
    if (this.#removed || (await this.#isLarge())) this.#ask('all');
  }

  async #isLarge(): Promise<boolean> {
    const { size } = await stat(`${this.#options.path}-wal`).catch(() => ({ size: 0 }));
    return size > LARGE_LOG_BYTES;
  }

  #ask(what: CheckpointRequest): void {
    if (this.#asked || this.#closed || performance.now() < this.#notBefore) return;
    this.#asked = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage(what);
  }

  #start(): Worker {
    const { path, places } = this.#options;
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: { path, places } satisfies CheckpointWorkerData,
    });
    worker.unref();
    this.#gone = new Promise((resolve) => worker.once('exit', () => resolve()));
    // A file that cannot be opened is met by the next commit too, which tells of it; the next look starts another thread.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#notBefore = performance.now() + PAUSE_MS;
      this.#asked = false;
    });
    worker.on('message', async ({ durationMs, little }: Checkpointed) => {
      if (durationMs !== undefined) {
        this.#options.onCheckpoint(durationMs);
        const restarted = little && (await this.#beginAnew());
        if (!restarted) this.#notBefore = performance.now() + PAUSE_MS;
      }
      this.#asked = false;
    });
    return worker;
  }

  async #beginAnew(): Promise<boolean> {
    const empty = this.#removed || (await this.#isLarge());
    // What is removed from here on may come after the emptying.
    this.#removed = false;
    // A store that cannot be written to tells so whoever writes.
    const restarted = await this.#options.beginAnew(empty).catch(() => false);
    if (empty && restarted) this.#emptyNotBefore = performance.now() + EMPTYING_APART_MS;
    if (empty && !restarted) this.#removed = true;
    return restarted;
  }
}
