/**
 * Has the write-ahead log moved into the database file by a thread of its own,
 * when there is enough of it, and started again by the one that writes. After a
 * removal, and when it has become large, its file is emptied, too.
 */
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { OpenedFile } from './file-places.ts';

/** Looking costs little, and the log grows by a few pages with each commit. */
const COMMITS_BETWEEN_LOOKS = 32;
/** A long reader, such as a backup, keeps the log from restarting: not every look tries again. */
const PAUSE_MS = 1_000;
/** Commits that extend the file cost more than commits that overwrite it: removals share one truncation. */
const EMPTYING_APART_MS = 10_000;
/** More than steady load needs: a burst or a long reader leaves a larger file behind. */
const LARGE_LOG_BYTES = 128 * 1024 * 1024;

export interface CheckpointWorkerData {
  readonly path: string;
  readonly files: readonly OpenedFile[];
}

/** `all`: however little there is. */
export type CheckpointRequest = 'enough' | 'all' | 'close';

/** The result of a checkpoint. `durationMs` is left out if there was nothing to do. */
export interface CheckpointResult {
  readonly durationMs: number | undefined;
  /** Whether little enough is left to hold up a writer for it. */
  readonly isShort: boolean;
}

export interface CheckpointerOptions {
  readonly path: string;
  readonly files: readonly OpenedFile[];
  readonly onCheckpoint: (durationMs: number) => void;
  /** Has the writer move the rest, and returns whether it restarts the log; with an empty file if `empty`. */
  readonly restart: (empty: boolean) => Promise<boolean>;
}

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #timer: NodeJS.Timeout;
  #commits = 0;
  #pending = false;
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

  /** Removed content must leave the log, within seconds of the last reader that is in the way. */
  noteRemoval(): void {
    this.#removed = true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    // From here on the process waits for it.
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
    if (this.#pending || this.#closed || performance.now() < this.#notBefore) return;
    this.#pending = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage(what);
  }

  #start(): Worker {
    const { path, files } = this.#options;
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: { path, files } satisfies CheckpointWorkerData,
    });
    worker.unref();
    this.#gone = new Promise((resolve) => worker.once('exit', () => resolve()));
    // The next commit meets a file that cannot be opened, too, and reports it; the next look starts another thread.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#notBefore = performance.now() + PAUSE_MS;
      this.#pending = false;
    });
    worker.on('message', async ({ durationMs, isShort }: CheckpointResult) => {
      if (durationMs !== undefined) {
        this.#options.onCheckpoint(durationMs);
        const restarted = isShort && (await this.#restart());
        if (!restarted) this.#notBefore = performance.now() + PAUSE_MS;
      }
      this.#pending = false;
    });
    return worker;
  }

  async #restart(): Promise<boolean> {
    const empty = this.#removed || (await this.#isLarge());
    // Removals from here on may miss this truncation.
    this.#removed = false;
    // If this fails, writers report that the store cannot be written to.
    const restarted = await this.#options.restart(empty).catch(() => false);
    if (empty && restarted) this.#emptyNotBefore = performance.now() + EMPTYING_APART_MS;
    if (empty && !restarted) this.#removed = true;
    return restarted;
  }
}
