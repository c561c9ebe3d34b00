/**
 * Has the write-ahead log moved into the database file by a thread of its own, when there is enough of it, and started
 * again by the one that writes. After a removal, and when it has become large, its file is emptied, too.
 */
import { stat } from 'node:fs/promises';
import { createThread } from '../threads/thread.ts';
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

/** The result of a checkpoint that had something to do. */
export interface CheckpointResult {
  readonly durationMs: number;
  /** Whether little enough is left to hold up a writer for it. */
  readonly isShort: boolean;
}

interface CheckpointerOptions extends CheckpointWorkerData {
  readonly onCheckpoint: (durationMs: number) => void;
  /** Has the writer move the rest, and returns whether it restarts the log; with an empty file if `empty`. */
  readonly restart: (empty: boolean) => Promise<boolean>;
}

export function createCheckpointer({ onCheckpoint, restart, ...data }: CheckpointerOptions) {
  const thread = createThread(new URL('./checkpoint-worker.ts', import.meta.url), data);
  const timer = setInterval(() => void considerEmptying(), PAUSE_MS).unref();
  let pending = false;
  /** When to look again, on the clock of `performance.now`. */
  let notBefore = 0;
  /** Whether the log may hold what was removed. */
  let removed = false;
  let emptyNotBefore = 0;

  async function considerEmptying(): Promise<void> {
    if (performance.now() < emptyNotBefore) return;
    if (removed || (await isLarge())) await ask('all');
  }

  async function isLarge(): Promise<boolean> {
    const { size } = await stat(`${data.path}-wal`).catch(() => ({ size: 0 }));
    return size > LARGE_LOG_BYTES;
  }

  async function ask(what: 'enough' | 'all'): Promise<void> {
    if (pending || performance.now() < notBefore) return;
    pending = true;
    if (!(await checkpoint(what))) notBefore = performance.now() + PAUSE_MS;
    pending = false;
  }

  /** Returns whether the log need not rest now. */
  async function checkpoint(what: 'enough' | 'all'): Promise<boolean> {
    try {
      const result = await thread.call<CheckpointResult | undefined>('checkpoint', what);
      if (result === undefined) return true;
      onCheckpoint(result.durationMs);
      return result.isShort && (await restartLog());
    } catch {
      // The next commit meets a file that cannot be opened, too, and reports it.
      return false;
    }
  }

  async function restartLog(): Promise<boolean> {
    const empty = removed || (await isLarge());
    // Removals from here on may miss this truncation.
    removed = false;
    // If this fails, writers report that the store cannot be written to.
    const restarted = await restart(empty).catch(() => false);
    if (empty && restarted) emptyNotBefore = performance.now() + EMPTYING_APART_MS;
    if (empty && !restarted) removed = true;
    return restarted;
  }

  return {
    noteCommits: () => void ask('enough'),
    /** Removed content must leave the log, within seconds of the last reader that is in the way. */
    noteRemoval(): void {
      removed = true;
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await thread.close();
    },
  };
}
