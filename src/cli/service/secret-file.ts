/** A new file that only its owner can read, and that never overwrites another one: it goes again unless it is kept. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncPath } from '../../core/owners.ts';
import { writeDurably } from '../../services/transfer/new-files.ts';
import { Mistake } from '../mistake.ts';

/** Creates the file, empty. Throws a `Mistake` if it exists already, or cannot be created. */
export function createSecretFile(path: string) {
  let isDone = false;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'EEXIST' ? 'already exists and is not overwritten' : `cannot be created (${code})`;
    throw new Mistake(`${path} ${why}: name another file with --out.`);
  }
  return {
    /** Writes the text; it is on disk when this returns. */
    write(text: string): void {
      writeDurably(path, 'w', text);
      syncPath(dirname(path));
    },
    keep(): void {
      isDone = true;
    },
    [Symbol.dispose](): void {
      if (!isDone) rmSync(path, { force: true });
    },
  };
}
