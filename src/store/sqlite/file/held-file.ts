/**
 * Keeps one descriptor open for each file of a store. A process that closes any descriptor of a file loses every lock
 * that it has on the file (POSIX), including SQLite's, so the descriptor is only closed when nothing in this process
 * uses the file.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { StoreUnusable } from '../../promises/store.ts';
import { codeOf } from './files.ts';

/** SQLite's own header of a database file. */
export const HEADER_BYTES = 100;

interface OpenFile {
  readonly descriptor: number;
  readonly key: string;
  readonly inode: number;
  holders: number;
}

const files = new Map<string, OpenFile>();

export type HeldFile = ReturnType<typeof holdFile>;

/** Opens an existing file, or shares its open descriptor. Throws `StoreUnusable`. */
export function holdFile(path: string) {
  try {
    const held = files.get(keyOf(statSync(path))) ?? open(path);
    const bytes = Buffer.alloc(HEADER_BYTES);
    const length = readSync(held.descriptor, bytes, 0, HEADER_BYTES, 0);
    held.holders += 1;
    const header = bytes.subarray(0, length);
    let released = false;
    /** To be called after SQLite has closed the file. Safe to call twice. */
    const release = () => {
      if (!released) letGo(held);
      released = true;
    };
    const { descriptor, inode } = held;
    return { descriptor, inode, header, release, [Symbol.dispose]: release };
  } catch (error) {
    throw new StoreUnusable(`The store at ${path} cannot be read (${codeOf(error)}).`, {
      cause: error,
    });
  }
}

function open(path: string): OpenFile {
  const descriptor = openSync(path, 'r');
  const stats = fstatSync(descriptor);
  const held = { descriptor, key: keyOf(stats), inode: stats.ino, holders: 0 };
  files.set(held.key, held);
  return held;
}

function letGo(held: OpenFile): void {
  held.holders -= 1;
  if (held.holders > 0) return;
  files.delete(held.key);
  closeSync(held.descriptor);
}

function keyOf({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev} ${ino}`;
}
