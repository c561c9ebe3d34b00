/**
 * Has the write-ahead log moved into the database file by a thread of its own,
 * when there is enough of it, and started again by the one that writes. After a
 * removal, and when it has become large, its file is emptied, too.
 */
import { stat } from 'node:fs/promises';
import { createThread, type Thread } from '../threads/thread.ts';
import type { OpenedFile } from './file-places.ts';

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
  readonly #thread: Thread;
  #pending = false;
  /** When to look again, on the clock of `performance.now`. */
  #notBefore = 0;
  /** Whether the log may hold what was removed. */
  #removed = false;
  #emptyNotBefore = 0;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    const { path, files } = options;
    const data: CheckpointWorkerData = { path, files };
    this.#thread = createThread(new URL('./checkpoint-worker.ts', import.meta.url), data);
    this.#timer = setInterval(() => void this.#considerEmptying(), PAUSE_MS).unref();
  }

  /** Called after some commits. */
  noteCommits(): void {
    void this.#ask('enough');
  }

  /** Removed content must leave the log, within seconds of the last reader that is in the way. */
  noteRemoval(): void {
    this.#removed = true;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#thread.close();
  }

  async #considerEmptying(): Promise<void> {
    if (performance.now() < this.#emptyNotBefore) return;
    if (this.#removed || (await this.#isLarge())) await this.#ask('all');
  }

  async #isLarge(): Promise<boolean> {
    const { size } = await stat(`${this.#options.path}-wal`).catch(() => ({ size: 0 }));
    return size > LARGE_LOG_BYTES;
  }

  async #ask(what: 'enough' | 'all'): Promise<void> {
    if (this.#pending || performance.now() < this.#notBefore) return;
    this.#pending = true;
    if (!(await this.#checkpoint(what))) this.#notBefore = performance.now() + PAUSE_MS;
    this.#pending = false;
  }

  /** Returns whether the log need not rest now. */
  async #checkpoint(what: 'enough' | 'all'): Promise<boolean> {
    try {
      const { durationMs, isShort } = await this.#thread.call<CheckpointResult>('checkpoint', what);
      if (durationMs === undefined) return true;
      this.#options.onCheckpoint(durationMs);
      return isShort && (await this.#restart());
    } catch {
      // The next commit meets a file that cannot be opened, too, and reports it.
      return false;
    }
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
