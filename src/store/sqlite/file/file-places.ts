/**
 * Whether the paths of a store still lead to the files that are open. What is written to a file that was moved, removed
 * or replaced, or whose disk is gone, is lost to the process that opens the store next.
 */
import { statSync } from 'node:fs';
import type { Events } from '../../../core/observe/events.ts';
import { StoreUnavailable } from '../../promises/store.ts';

/** How long reads may continue in a file that was replaced. Each write looks before it is answered. */
const LOOK_MS = 100;
/**
 * How long a write trusts the check of one before it: three checks in each of a thousand commits a second would cost a
 * sixteenth of them. Commits answered in this time lose no more than those answered just before.
 */
const TRUSTED_MS = 5;

/** A file as it was when the store was opened. */
export interface OpenedFile {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
}

/** Where the files of an open store are: the database, its log and the index of the log. */
export function openedFiles(path: string): readonly OpenedFile[] {
  return [path, `${path}-wal`, `${path}-shm`].map((each) => {
    const { dev: device, ino: inode } = statSync(each);
    return { path: each, device, inode };
  });
}

export type FilePlaces = ReturnType<typeof createFilePlaces>;

export function createFilePlaces(files: readonly OpenedFile[]) {
  let lost: string | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** Looks again. `false` where a file is not where it was. */
  function look(): boolean {
    lookedAt = performance.now();
    lost = files.find((file) => !isThere(file))?.path;
    return lost === undefined;
  }

  function failure(): StoreUnavailable {
    return new StoreUnavailable(
      `The store cannot be used now: ${lost} does not lead to the file that the service has open. The file was moved, removed or replaced, or its disk is gone. Put it back, or restart the service.`,
    );
  }

  return {
    files,
    look,
    /** Looks again, unless all files were in place a moment ago. */
    lookAgain(): boolean {
      const isFresh = performance.now() - lookedAt < TRUSTED_MS;
      return (isFresh && lost === undefined) || look();
    },
    /** Throws `StoreUnavailable` where the last check found a file gone and it has not come back. */
    assertOurs(): void {
      if (lost !== undefined && !look()) throw failure();
    },
    /** The path that led elsewhere at the last look. */
    lost: () => lost,
    failure,
  };
}

/** A path that cannot be followed counts as gone, for any reason. */
function isThere({ path, device, inode }: OpenedFile): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats !== undefined && stats.ino === inode && stats.dev === device;
  } catch {
    return false;
  }
}

/** Checks at intervals, and notifies when the files go and come back. Returns what stops it. */
export function watch(filePlaces: FilePlaces, notices: Events['store'] | undefined): () => void {
  let reported: string | undefined;
  const timer = setInterval(() => {
    filePlaces.look();
    const lost = filePlaces.lost();
    if ((lost === undefined) === (reported === undefined)) return;
    reported = lost;
    if (lost === undefined) notices?.found();
    else notices?.lost(lost);
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
