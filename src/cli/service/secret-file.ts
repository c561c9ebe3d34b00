/** A new file that only its owner can read, and that never overwrites another one. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { Mistake } from '../mistake.ts';

export class SecretFile {
  readonly path: string;
  #kept = false;

  /** Makes the file, empty. Throws a `Mistake` where there is one already, or none can be made. */
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
    syncFolder(this.path);
  }

  /** Puts another text in place of the first at one moment. */
  replace(text: string): void {
    const next = `${this.path}.partial`;
    writeDurably(next, 'wx', text);
    renameSync(next, this.path);
    syncFolder(this.path);
  }

  /** From now on `remove` does nothing. */
  keep(): void {
    this.#kept = true;
  }

  remove(): void {
    if (!this.#kept) rmSync(this.path, { force: true });
  }
}

function writeDurably(path: string, flag: 'w' | 'wx', text: string): void {
  const descriptor = openSync(path, flag, 0o600);
  try {
    for (let rest = Buffer.from(text); rest.length > 0; )
      rest = rest.subarray(writeSync(descriptor, rest));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncFolder(path: string): void {
  const descriptor = openSync(dirname(path), 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
