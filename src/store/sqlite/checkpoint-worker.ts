/**
 * The thread that moves the write-ahead log into the database file. It asks
 * nobody to wait until little is left; then it holds up writers for the last
 * few pages, so that the log begins anew instead of growing for as long as
 * there is work.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './connection.ts';
import { prepare } from './statements/prepare.ts';

/** Pages of 4 KiB. Moving fewer would write the same pages again and again; the log takes that much disk. */
const ENOUGH = 8_000;
/** What a writer may be held up for. */
const LITTLE = 500;
const MOST_PASSES = 6;
/** How long writers may be held up at the end, while readers are waited for. */
const PATIENCE_MS = 50;
/** A reader that stays, such as a backup, keeps the log from beginning anew: it is not asked at every look. */
const PAUSE_MS = 1_000;

const { path } = workerData as { readonly path: string };
const database = openDatabase(path, PATIENCE_MS);

type Progress = readonly [busy: number, log: number, moved: number];
const look = prepare<Progress>(database, 'PRAGMA wal_checkpoint(NOOP)');
const moveAside = prepare<Progress>(database, 'PRAGMA wal_checkpoint(PASSIVE)');
const moveAll = prepare<Progress>(database, 'PRAGMA wal_checkpoint(RESTART)');

/** When to look again, on the clock of `performance.now`. */
let notBefore = 0;

parentPort?.on('message', (message: 'checkpoint' | 'close') => {
  if (message === 'close') {
    database.close();
    parentPort?.close();
    return;
  }
  const began = performance.now();
  parentPort?.postMessage({ durationMs: checkpoint() ? performance.now() - began : undefined });
});

/** Whether anything was moved. A disk in trouble is met by the next commit too, which tells of it. */
function checkpoint(): boolean {
  if (performance.now() < notBefore) return false;
  try {
    if (left(look.get()) < ENOUGH) return false;
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      if (left(moveAside.get()) > LITTLE) continue;
      if (moveAll.get()?.[0] === 0) return true;
      break;
    }
    notBefore = performance.now() + PAUSE_MS;
    return true;
  } catch {
    notBefore = performance.now() + PAUSE_MS;
    return false;
  }
}

function left(progress: Progress | undefined): number {
  return progress === undefined ? 0 : progress[1] - progress[2];
}
