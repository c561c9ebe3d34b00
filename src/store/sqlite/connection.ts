/** A connection to a store's file, and the transactions on it. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../store.ts';
import type { Checkpointer } from './checkpointer.ts';
import { asUnavailable, BUSY, resultCode } from './failure.ts';
import type { LogSync } from './log-sync.ts';
import { prepare, type Statement } from './statements/prepare.ts';

/** Long enough for a slow import's commits in between, short enough for whoever waits for an answer. */
const PATIENCE_MS = 5_000;
/** How long SQLite may wait by itself: nothing else is done in this process meanwhile. */
const STANDSTILL_MS = 2;
/** Between two tries to write while another process does. */
const PAUSE_MS = 5;
/** The most memory that pages take; it is only taken as they are read. */
const CACHE_KIB = 65_536;

export interface ConnectionOptions {
  readonly log: LogSync;
  /**
   * Of a serving process, whose one thread must not wait for the disk: SQLite
   * then leaves the log to `log` and to this. Without it, SQLite itself syncs
   * the log at each commit and moves it when there is much of it.
   */
  readonly checkpointer?: Checkpointer | undefined;
  /** How long a transaction waits for other processes' writes. */
  readonly patienceMs?: number | undefined;
}

export class Connection {
  readonly database: DatabaseSync;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  readonly #totalChanges: Statement<readonly [number]>;
  readonly #patienceMs: number;
  readonly #log: LogSync;
  readonly #checkpointer: Checkpointer | undefined;

  constructor(
    database: DatabaseSync,
    { log, checkpointer, patienceMs = PATIENCE_MS }: ConnectionOptions,
  ) {
    this.database = database;
    this.#patienceMs = patienceMs;
    this.#log = log;
    this.#checkpointer = checkpointer;
    if (checkpointer !== undefined) {
      database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0');
    }
    database.exec(`PRAGMA busy_timeout = ${STANDSTILL_MS}`);
    this.#begin = prepare(database, 'BEGIN IMMEDIATE');
    this.#commit = prepare(database, 'COMMIT');
    this.#rollback = prepare(database, 'ROLLBACK');
    this.#totalChanges = prepare(database, 'SELECT total_changes()');
  }

  /**
   * Does `work` in one transaction, alone among all processes, and commits it
   * unless `keep` says no: what is returned is on disk. Waits while another
   * process writes. When anything is thrown, nothing was written. A
   * transaction that changed nothing costs no write.
   */
  async write<Result>(work: () => Result, keep?: (result: Result) => boolean): Promise<Result> {
    const began = performance.now();
    while (!this.#begins(performance.now() - began < this.#patienceMs)) await pause(PAUSE_MS);
    const before = this.#changes();
    const done = this.read(() => {
      try {
        const result = work();
        const end = keep === undefined || keep(result) ? this.#commit : this.#rollback;
        end.run();
        return result;
      } catch (error) {
        // SQLite has rolled back by itself after some errors, such as a full disk.
        if (this.database.isTransaction) this.#rollback.run();
        throw error;
      }
    });
    if (this.#checkpointer !== undefined && this.#changes() !== before) {
      this.#log.noteCommit();
      this.#checkpointer.noteCommit();
    }
    await this.#log.settled();
    return done;
  }

  /** Does `work`, and gives what it read once that is on disk. */
  async show<Result>(work: () => Result): Promise<Result> {
    const result = this.read(work);
    // A serving process knows its commits, and all others sync theirs; but what it commits can be read before it is synced.
    if (this.#checkpointer === undefined) this.#log.noteCommit();
    await this.#log.settled();
    return result;
  }

  /** Rows changed so far, those included that were rolled back. */
  #changes(): number {
    return this.#totalChanges.get()?.[0] ?? 0;
  }

  /** Begins a transaction; `false` where another process writes and one may wait for it. */
  #begins(mayWait: boolean): boolean {
    return this.read(() => {
      try {
        this.#begin.run();
        return true;
      } catch (error) {
        if (mayWait && resultCode(error) === BUSY) return false;
        throw error;
      }
    });
  }

  /**
   * Does `work`, and throws `StoreUnavailable` where SQLite is hindered. What
   * was read may not be on disk yet: see `show`.
   */
  read<Result>(work: () => Result): Result {
    if (!this.database.isOpen) throw new StoreUnavailable('The store is closed.');
    try {
      return work();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** Moves what is in the write-ahead log into the database file if nobody is in the way, and closes. */
  async close(): Promise<void> {
    await this.#log.settled();
    await this.#checkpointer?.close();
    if (!this.database.isOpen) return;
    try {
      this.database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The log stays, and whoever opens the store next reads it.
    }
    this.database.close();
    this.#log.close();
  }
}

/** Opens a file that is there; every commit waits until it is on disk. */
export function openDatabase(path: string, patienceMs: number): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    database.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE_KIB}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
