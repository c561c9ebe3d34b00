/**
 * Puts the write-ahead log on disk without standing still: while the disk
 * works, this process reads the next requests.
 *
 * SQLite's own sync (`synchronous=FULL`) happens within COMMIT and holds up
 * the thread. A serving process commits with `NORMAL`, in which SQLite syncs
 * the log when it is moved or begun anew but not at each commit, and shows
 * nothing of a commit before the log is synced here.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';

export class LogSync {
  readonly #path: string;
  #file: number | undefined;
  /** Whether there may be commits that no sync has begun for. */
  #behind = false;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Something was committed: it is not on disk before the next `settled`. */
  noteCommit(): void {
    this.#behind = true;
  }

  /** Resolves when everything that was committed before the call is on disk. */
  settled(): Promise<void> | undefined {
    if (!this.#behind) return this.#next ?? this.#running;
    if (this.#running === undefined) return this.#sync();
    // What is running may have begun too early: the one after it is shared by all who come meanwhile.
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#sync();
    });
    return this.#next;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #sync(): Promise<void> {
    this.#behind = false;
    this.#file ??= openSync(this.#path, 'r');
    const file = this.#file;
    this.#running = new Promise((resolve) => {
      fdatasync(file, (error) => {
        this.#running = undefined;
        // After a failed sync nobody knows what is on disk, and asking again may lie. Only a new start, which reads the disk, can tell.
        if (error !== null) throw error;
        resolve();
      });
    });
    return this.#running;
  }
}
