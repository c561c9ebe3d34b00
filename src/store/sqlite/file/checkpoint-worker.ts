/**
 * The thread that moves the write-ahead log into the database file, alongside writers and readers, until little is
 * left. The last few pages are left to the writer itself, between two of its commits: it is never without one for long
 * enough that another thread could come in between.
 */
import { workerData } from 'node:worker_threads';
import { prepare } from '../statements/prepare.ts';
import { performEach } from '../threads/performing.ts';
import type { CheckpointResult, CheckpointWorkerData } from './checkpointer.ts';
import { openDatabase } from './connection.ts';
import { createFilePlaces } from './file-places.ts';

/** Pages of 4 KiB. Moving fewer would write the same pages again and again; the log takes up to this much disk. */
const ENOUGH = 8_000;
/** How many pages may delay a writer. */
const LITTLE = 500;
const MAX_PASSES = 6;
/** A log of this many pages is restarted at any cost. */
const TOO_MUCH = 64_000;

const { path, files } = workerData as CheckpointWorkerData;
const filePlaces = createFilePlaces(files);
const database = openDatabase(path);

type Progress = readonly [busy: number, log: number, moved: number];
const look = prepare<Progress>(database, 'PRAGMA wal_checkpoint(NOOP)');
const moveAside = prepare<Progress>(database, 'PRAGMA wal_checkpoint(PASSIVE)');

performEach({
  /** `all`: however little there is. */
  checkpoint(what: 'enough' | 'all'): CheckpointResult | undefined {
    const began = performance.now();
    const isShort = checkpoint(what === 'all' ? 0 : ENOUGH);
    return isShort === undefined ? undefined : { durationMs: performance.now() - began, isShort };
  },
  close: () => database.close(),
});

/**
 * Moves what there is, and returns whether little is left; `undefined` where there was nothing to do. The next commit
 * meets a failing disk, too, and reports it.
 */
function checkpoint(enough: number): boolean | undefined {
  try {
    // Nothing is moved into a file that is not where it was.
    if (!filePlaces.look() || (look.get()?.[1] ?? 0) < enough) return undefined;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const [, log = 0, moved = 0] = moveAside.get() ?? [];
      if (log - moved <= LITTLE || log > TOO_MUCH) return true;
    }
  } catch {
    // See above.
  }
  return false;
}
