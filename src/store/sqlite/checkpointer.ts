/** Has the write-ahead log moved into the database file by a thread of its own, when there is enough of it. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Looking costs the thread little, and the log grows by some pages with each commit. */
const COMMITS_BETWEEN_LOOKS = 32;

export class Checkpointer {
  readonly #path: string;
  readonly #onCheckpoint: (durationMs: number) => void;
  #commits = 0;
  #asked = false;
  /** Started with the first look, so that starting the service does not wait for it. */
  #worker: Worker | undefined;

  constructor(path: string, onCheckpoint: (durationMs: number) => void) {
    this.#path = path;
    this.#onCheckpoint = onCheckpoint;
  }

  noteCommit(): void {
    this.#commits += 1;
    if (this.#asked || this.#commits % COMMITS_BETWEEN_LOOKS !== 0) return;
    this.#asked = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage('checkpoint');
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    const gone = once(worker, 'exit');
    // Only now does the process wait for it.
    worker.ref();
    worker.postMessage('close');
    await gone;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: { path: this.#path },
    });
    worker.unref();
    worker.on('message', ({ durationMs }: { durationMs: number | undefined }) => {
      this.#asked = false;
      if (durationMs !== undefined) this.#onCheckpoint(durationMs);
    });
    return worker;
  }
}
