/** New files that appear complete or not at all, readable by their owner alone, and never replace others. */
import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { giveToFolder, makeFolder, syncPath } from '../../core/owners.ts';
import { TransferRefused } from './refused.ts';

const PARTIAL = '.partial';

/**
 * Written one after the other, under temporary names next to their own, and all renamed at the end. Throws
 * `TransferRefused` if such a file exists already; creates their folders if needed.
 */
export function createNewFiles(paths: readonly string[]) {
  const written: string[] = [];
  for (const path of paths) {
    if (existsSync(path)) throw taken(path);
    makeFolder(dirname(path));
  }

  return {
    /** Writes a file; its bytes are on disk when this resolves. */
    async write(path: string, bytes: AsyncIterable<string | Uint8Array>): Promise<void> {
      const partial = path + PARTIAL;
      const file = await open(partial, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
        throw new TransferRefused(
          error.code === 'EEXIST'
            ? `${partial} already exists: another process is writing it, or was killed while it did. If none is, remove the file.`
            : `${partial} cannot be created (${error.code}).`,
        );
      });
      written.push(path);
      try {
        giveToFolder(file.fd, partial);
        for await (const some of bytes) await file.appendFile(some);
        await file.sync();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOSPC' || code === 'EIO' || code === 'EDQUOT' || code === 'EFBIG') {
          throw new TransferRefused(
            `${partial} cannot be written (${code}); nothing is left of it.`,
          );
        }
        throw error;
      } finally {
        await file.close();
      }
    },
    keep(): void {
      for (const path of written) {
        giveName(path + PARTIAL, path, taken);
        syncPath(dirname(path));
      }
      written.length = 0;
    },
    /** Removes files that were not kept. */
    discard(): void {
      for (const path of written) rmSync(path + PARTIAL, { force: true });
      written.length = 0;
    },
  };
}

/** Replaces the contents of the file, or makes it: atomically, and on disk when this returns. */
export function replaceFile(path: string, text: string): void {
  const partial = path + PARTIAL;
  // One that is left over, or that somebody else has put there, may be readable by others.
  rmSync(partial, { force: true });
  writeDurably(partial, 'wx', text);
  const descriptor = openSync(partial, 'r');
  giveToFolder(descriptor, partial);
  closeSync(descriptor);
  renameSync(partial, path);
  syncPath(dirname(path));
}

/** Writes a file that only its owner can read; its content is on disk when this returns. */
export function writeDurably(path: string, flag: 'w' | 'wx', text: string): void {
  writeFileSync(path, text, { flag, mode: 0o600, flush: true });
}

/** Gives a complete file its name; throws what `taken` makes where another one has it. */
export function giveName(partial: string, path: string, taken: (path: string) => Error): void {
  try {
    // Unlike renaming, it fails where there is such a file.
    linkSync(partial, path);
    rmSync(partial);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || existsSync(path)) throw taken(path);
    // Not every file system has links.
    renameSync(partial, path);
  }
}

function taken(path: string): TransferRefused {
  return new TransferRefused(`${path} already exists and is not overwritten: name another one.`);
}
