/** The room of the disk that a folder is on, or will be on. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** In bytes. */
export interface DiskRoom {
  readonly free: number;
  readonly size: number;
}

/** Waits for the disk, however long that takes; `undefined` where it cannot be found out. */
export function roomOf(folder: string): DiskRoom | undefined {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch (error) {
    const above = dirname(folder);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT' && above !== folder;
    return isMissing ? roomOf(above) : undefined;
  }
}
