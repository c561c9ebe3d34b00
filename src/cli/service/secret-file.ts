/** A new file that only its owner can read, and that never overwrites another one: it goes again unless it is kept. */
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder, writeDurably } from '../../services/transfer/new-files.ts';
import { Mistake } from '../mistake.ts';

export class SecretFile {
  readonly path: string;
  #kept = false;

  /** Creates the file, empty. Throws a `Mistake` if it exists already, or cannot be created. */
  constructor(path: string) {
    this.path = path;
    try {
      closeSync(openSync(path, 'wx', 0o600));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Mistake(
        code === 'EEXIST'
          ? `${path} already exists and is not overwritten: name another file with --out.`
          : `${path} cannot be created (${code}): name another file with --out.`,
      );
    }
  }

  /** Writes the text; it is on disk when this returns. */
  write(text: string): void {
    writeDurably(this.path, 'w', text);
    syncFolder(dirname(this.path));
  }

  /** Replaces the text atomically. */
  replace(text: string): void {
    const next = `${this.path}.partial`;
    writeDurably(next, 'wx', text);
    renameSync(next, this.path);
    syncFolder(dirname(this.path));
  }

  keep(): void {
    this.#kept = true;
  }

  /** Removes the file, unless it is kept. */
  [Symbol.dispose](): void {
    if (!this.#kept) rmSync(this.path, { force: true });
  }
}
