/**
 * Has the write-ahead log moved into the database file by a thread of its own,
 * when there is enough of it, and begun anew by the one that writes.
 */
import { Worker } from 'node:worker_threads';

/** Looking costs the thread little, and the log grows by some pages with each commit. */
const COMMITS_BETWEEN_LOOKS = 32;
/** A reader that stays, such as a backup, keeps the log from beginning anew: not every look tries it again. */
const PAUSE_MS = 1_000;

/** What the thread has done: `durationMs` is left out where there was nothing to do. */
export interface Checkpointed {
  readonly durationMs: number | undefined;
  /** Whether so little is left that a writer may be held up for it. */
  readonly little: boolean;
}

export class Checkpointer {
  readonly #path: string;
  readonly #onCheckpoint: (durationMs: number) => void;
  readonly #beginAnew: () => Promise<boolean>;
  #commits = 0;
  #asked = false;
  /** When to look again, on the clock of `performance.now`. */
  #notBefore = 0;
  /** Started with the first look, so that starting the service does not wait for it. */
  #worker: Worker | undefined;
  #gone: Promise<void> | undefined;

  /** `beginAnew` has the writer move the little that is left, and tells whether the log begins anew. */
  constructor(
    path: string,
    onCheckpoint: (durationMs: number) => void,
    beginAnew: () => Promise<boolean>,
  ) {
    this.#path = path;
    this.#onCheckpoint = onCheckpoint;
    this.#beginAnew = beginAnew;
  }

  noteCommit(): void {
    this.#commits += 1;
    if (this.#asked || this.#commits % COMMITS_BETWEEN_LOOKS !== 0) return;
    if (performance.now() < this.#notBefore) return;
    this.#asked = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint');
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    // Only now does the process wait for it.
    worker.ref();
    worker.postMessage('close');
    await this.#gone;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: { path: this.#path },
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
        this.#onCheckpoint(durationMs);
        // A store that cannot be written to tells so whoever writes.
        const anew = little && (await this.#beginAnew().catch(() => false));
        if (!anew) this.#notBefore = performance.now() + PAUSE_MS;
      }
      this.#asked = false;
    });
    return worker;
  }
}
