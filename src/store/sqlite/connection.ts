/** A connection to a store's file, and the transactions on it. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../store.ts';
import { asUnavailable, BUSY, resultCode } from './failure.ts';
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
  /** How long a transaction waits for other processes' writes. */
  readonly patienceMs?: number | undefined;
  /** Whether SQLite itself moves the log into the file, within a commit, when there is much of it. */
  readonly checkpoints: boolean;
  /** Called after each commit that changed something. */
  readonly onWrite?: () => void;
}

export class Connection {
  readonly database: DatabaseSync;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  readonly #beginLogAnew: Statement<readonly [busy: number, log: number, moved: number]>;
  readonly #totalChanges: Statement<readonly [number]>;
  readonly #patienceMs: number;
  /** Whether the last transaction that was to begin had to give up. */
  #inVain = false;
  readonly #onWrite: (() => void) | undefined;

  constructor(
    database: DatabaseSync,
    { patienceMs = PATIENCE_MS, checkpoints, onWrite }: ConnectionOptions,
  ) {
    this.database = database;
    this.#patienceMs = patienceMs;
    this.#onWrite = onWrite;
    if (!checkpoints) database.exec('PRAGMA wal_autocheckpoint = 0');
    database.exec(`PRAGMA busy_timeout = ${STANDSTILL_MS}`);
    this.#begin = prepare(database, 'BEGIN IMMEDIATE');
    this.#commit = prepare(database, 'COMMIT');
    this.#rollback = prepare(database, 'ROLLBACK');
    this.#beginLogAnew = prepare(database, 'PRAGMA wal_checkpoint(RESTART)');
    this.#totalChanges = prepare(database, 'SELECT total_changes()');
  }

  /**
   * Does `work` in one transaction, alone among all processes, and commits it
   * unless `keep` says no: what is returned is on disk. Waits while another
   * process writes. When anything is thrown, nothing was written. A
   * transaction that changed nothing costs no write.
   */
  async write<Result>(work: () => Result, keep?: (result: Result) => boolean): Promise<Result> {
    // After one waited in vain, those behind it are refused sooner: a queue must not wait the same time over and over.
    const patience = this.#inVain ? this.#patienceMs / 50 : this.#patienceMs;
    const began = performance.now();
    // What follows a begun transaction follows at once: others use this connection, too.
    while (!this.#begins(performance.now() - began < patience)) await pause(PAUSE_MS);
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
    if (this.#onWrite !== undefined && this.#changes() !== before) this.#onWrite();
    return done;
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
        this.#inVain = false;
        return true;
      } catch (error) {
        if (resultCode(error) === BUSY) {
          if (mayWait) return false;
          this.#inVain = true;
        }
        throw error;
      }
    });
  }

  /**
   * Does `work`, and throws `StoreUnavailable` where SQLite is hindered. What is
   * read is on disk: a commit is seen when SQLite has synced the log, not before.
   */
  read<Result>(work: () => Result): Result {
    if (!this.database.isOpen) throw new StoreUnavailable('The store is closed.');
    try {
      return work();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /**
   * Moves what is left of the write-ahead log, and begins it anew with the next
   * commit; `false` where somebody still reads it, and it goes on.
   */
  beginLogAnew(): boolean {
    return this.read(() => this.#beginLogAnew.get()?.[0] === 0);
  }

  /** Moves what is in the write-ahead log into the database file if nobody is in the way, and closes. */
  close(): void {
    if (!this.database.isOpen) return;
    try {
      this.database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The log stays, and whoever opens the store next reads it.
    }
    this.database.close();
  }
}

/** Opens a file that is there; every commit waits until it is on disk. */
export function openDatabase(path: string, patienceMs = PATIENCE_MS): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    database.exec(`PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE_KIB}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
