/** A connection to a store's file, and the transactions on it. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable, StoreUnsure } from '../../promises/store.ts';
import { prepare } from '../statements/prepare.ts';
import { asUnavailable, BUSY, DISK_FULL, IO_ERROR, resultCode } from './failure.ts';
import type { FilePlaces } from './file-places.ts';

/** Long enough for another process's commits to end, short enough for a caller who waits. */
const PATIENCE_MS = 5_000;
/** How long SQLite itself may wait: this thread does nothing else meanwhile. */
const STANDSTILL_MS = 2;
/** Between two tries to write while another process does. */
const PAUSE_MS = 5;
/** The most memory for cached pages in a serving process; taken only as pages are read. */
const CACHE_KIB = 65_536;
/** The cache of a command next to a serving process: enough for what a large commit changes. */
const SMALL_CACHE_KIB = 16_384;
/** The number of pages in the log after which a command moves them into the file: as many as a serving process lets gather. */
const LOG_PAGES = 8_000;
/** How long to wait for others when closing, so that no removed content stays in the log. */
const ERASING_MS = 2_000;

type Progress = readonly [busy: number, log: number, moved: number];

interface ConnectionOptions {
  readonly filePlaces: FilePlaces;
  /** How long a transaction waits for other processes' writes. */
  readonly patienceMs?: number | undefined;
  /** Whether SQLite itself checkpoints within a commit when the log is long. */
  readonly checkpoints: boolean;
  /** Called after each commit that changed something. */
  readonly onWrite?: () => void;
  /** Called after a removal; where it is left out, closing clears the log of what was removed. */
  readonly onRemoved?: () => void;
}

export type Connection = ReturnType<typeof createConnection>;

export function createConnection(
  database: DatabaseSync,
  { filePlaces, patienceMs = PATIENCE_MS, checkpoints, onWrite, onRemoved }: ConnectionOptions,
) {
  const log = checkpoints
    ? `PRAGMA cache_size = -${SMALL_CACHE_KIB}; PRAGMA wal_autocheckpoint = ${LOG_PAGES}`
    : 'PRAGMA wal_autocheckpoint = 0';
  database.exec(`${log}; PRAGMA busy_timeout = ${STANDSTILL_MS}`);
  const begin = prepare(database, 'BEGIN IMMEDIATE');
  const beginReading = prepare(database, 'BEGIN');
  const commit = prepare(database, 'COMMIT');
  const rollback = prepare(database, 'ROLLBACK');
  const restartLog = prepare<Progress>(database, 'PRAGMA wal_checkpoint(RESTART)');
  const truncateLog = prepare<Progress>(database, 'PRAGMA wal_checkpoint(TRUNCATE)');
  const totalChanges = prepare<readonly [number]>(database, 'SELECT total_changes()');
  /** Whether the last transaction that was to begin had to give up. */
  let gaveUp = false;
  let erasing = false;

  /** SQLite rolls back by itself after some errors, such as a full disk. */
  function rollBack(): void {
    if (database.isTransaction) rollback.run();
  }

  /**
   * After a sync that failed, the whole commit stands in the log, where no reader sees it, but a process that opens the
   * store after a crash would. The next commit is written over it: this one means nothing. `false` where the disk does
   * not take that, either.
   */
  function writeOver(): boolean {
    try {
      begin.run();
      const { user_version } = database.prepare('PRAGMA user_version').get() ?? {};
      database.exec(`PRAGMA user_version = ${Number(user_version)}`);
      commit.run();
      return true;
    } catch {
      rollBack();
      return false;
    }
  }

  /** Rows changed so far, those included that were rolled back. */
  function changes(): number {
    return totalChanges.get()?.[0] ?? 0;
  }

  /** Begins a transaction; `false` where another process writes and one may wait for it. */
  function begins(mayWait: boolean): boolean {
    return read(() => {
      try {
        begin.run();
        gaveUp = false;
        return true;
      } catch (error) {
        if (resultCode(error) === BUSY) {
          if (mayWait) return false;
          gaveUp = true;
        }
        throw error;
      }
    });
  }

  /**
   * Does `work`, and throws `StoreUnavailable` where SQLite is hindered. What is
   * read is on disk: a commit is seen when SQLite has synced the log, not before.
   */
  function read<Result>(work: () => Result): Result {
    if (!database.isOpen) throw new StoreUnavailable('The store is closed.');
    filePlaces.assertOurs();
    try {
      return work();
    } catch (error) {
      throw asUnavailable(error, database.isOpen ? database.location() : undefined);
    }
  }

  function moveLog(): void {
    try {
      // First what can be moved alongside others, so that they wait for little.
      database.exec('PRAGMA wal_checkpoint(PASSIVE)');
      database.exec(`PRAGMA busy_timeout = ${erasing ? ERASING_MS : 0}`);
      truncateLog.get();
    } catch {
      // The log stays; the next process that opens the store reads it.
    }
  }

  const connection = {
    database,
    /** Whether the disk was full for a commit: a smaller one may fit still. */
    wasFull: false,
    /**
     * Does `work` in one transaction, alone among all processes, and commits it unless `keep` says no: what is returned
     * is on disk. Waits while another process writes. When anything is thrown, nothing was written, unless it is
     * `StoreUnsure`. A transaction that changed nothing costs no write.
     */
    async write<Result>(work: () => Result, keep?: (result: Result) => boolean): Promise<Result> {
      // Once one wait has failed, those queued behind it give up sooner instead of each waiting the full time.
      const patience = gaveUp ? patienceMs / 50 : patienceMs;
      const began = performance.now();
      // Nothing may be awaited within the transaction: others use this connection, too.
      while (!begins(performance.now() - began < patience)) await pause(PAUSE_MS);
      const before = changes();
      const done = read(() => {
        let committing = false;
        try {
          const result = work();
          committing = keep === undefined || keep(result);
          (committing ? commit : rollback).run();
          return result;
        } catch (error) {
          rollBack();
          if (resultCode(error) === DISK_FULL) connection.wasFull = true;
          if (committing && resultCode(error) === IO_ERROR && !writeOver()) throw unsure(error);
          throw error;
        }
      });
      const changed = changes() !== before;
      if (changed) onWrite?.();
      // A file that is gone now may have been gone before the commit.
      if (!filePlaces.lookAgain()) {
        const failure = filePlaces.failure();
        throw changed ? unsure(failure) : failure;
      }
      return done;
    },
    read,
    /** Makes several reads that all see one moment, despite other commits. */
    readAtOnce<Result>(work: () => Result): Result {
      return read(() => {
        beginReading.run();
        try {
          return work();
        } finally {
          rollBack();
        }
      });
    },
    /**
     * Moves what is left of the write-ahead log, and starts it over with the next commit, in an empty file where
     * `truncate` says so; `false` where a reader still uses it, and it goes on.
     */
    restartLog(truncate: boolean): boolean {
      return read(() => (truncate ? truncateLog : restartLog).get()?.[0] === 0);
    },
    /** Called after a commit that removed records: their content is to leave the log, too. */
    noteRemoved(): void {
      if (onRemoved === undefined) erasing = true;
      else onRemoved();
    },
    /** Moves what is in the write-ahead log into the database file if no other connection is in the way, and closes. */
    close(): void {
      if (!database.isOpen) return;
      if (filePlaces.look()) moveLog();
      database.close();
    },
  };
  return connection;
}

/** The error for a commit that may be on disk although it was not confirmed. */
function unsure(cause: unknown): StoreUnsure {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreUnsure(`It is unknown whether a commit is on disk: ${why}`, { cause });
}

/** SQLITE_IOERR_SHORT_READ: the log became shorter between a look at its size and a read of it, as where another process closes it. */
const SHORT_READ = 522;
const SHORT_READ_TRIES = 5;
const SHORT_READ_PAUSE_MS = 10;

/** Opens an existing file. Every commit waits until it is on disk. */
export function openDatabase(path: string, patienceMs = PATIENCE_MS): DatabaseSync {
  for (let tries = 1; ; tries += 1) {
    try {
      return openOnce(path, patienceMs);
    } catch (error) {
      const { errcode } = error as { readonly errcode?: number };
      if (errcode !== SHORT_READ || tries >= SHORT_READ_TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SHORT_READ_PAUSE_MS);
    }
  }
}

function openOnce(path: string, patienceMs: number): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    // Removed content is overwritten with zeros, so that no page keeps it.
    database.exec(
      `PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = -${CACHE_KIB}`,
    );
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}
