/**
 * Test files that wait for a process to run them. Each process claims its next file, so that none idles while another
 * has many left; what it has read and compiled serves all of its files.
 */
import { mkdtempSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Need, TestFile } from './needs.ts';

/** Where the records of a test's services are; `release`: on SQLite, and the services are those of an unpacked tarball. */
export const STORES = ['sqlite', 'postgres', 'release'] as const;
export type StoreName = (typeof STORES)[number];

export interface Waiting {
  readonly path: string;
  readonly store: StoreName;
  /** Whether it waits more than it works: for programs that start and are killed, for clocks, for connections. */
  readonly waits: boolean;
}

/** A file that starts programs takes longer than one that does not. */
const SLOW: readonly Need[] = ['program', 'browser', 'waits'];
const KINDS = { waits: 'waits', works: 'works' };

/** Files in the order in which they are to begin: the longest first, so that no core idles at the end. */
export function inOrder(files: readonly TestFile[]): readonly TestFile[] {
  const rankOf = ({ needs }: TestFile) =>
    needs.has('long') ? 0 : SLOW.some((need) => needs.has(need)) ? 1 : 2;
  return files.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** A folder with an empty file for each test file: whoever removes it has claimed the test. */
export class Queue {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes a queue of these files. It is to be removed. */
  static of(files: readonly Waiting[]): Queue {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerstone-tests-'));
    for (const [at, { path, store, waits }] of files.entries()) {
      const kind = waits ? KINDS.waits : KINDS.works;
      const name = [String(at).padStart(5, '0'), store, kind, encodeURIComponent(path)];
      writeFileSync(join(folder, name.join(' ')), '');
    }
    return new Queue(folder);
  }

  /** The files that nobody has claimed, in their order. */
  left(): readonly (Waiting & { readonly name: string })[] {
    return readdirSync(this.folder)
      .sort()
      .map((name) => {
        const [, store = '', kind, path = ''] = name.split(' ');
        const waits = kind === KINDS.waits;
        return { name, path: decodeURIComponent(path), store: store as StoreName, waits };
      });
  }

  /** Claims the first file for that store, of those that wait or work if there is one; `undefined` if none is left. */
  claim(store: StoreName, waits: boolean): string | undefined {
    const own = this.left().filter((one) => one.store === store);
    const preferred = own.filter((one) => one.waits === waits);
    const others = own.filter((one) => one.waits !== waits);
    return [...preferred, ...others].find(({ name }) => this.#take(name))?.path;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  #take(name: string): boolean {
    try {
      unlinkSync(join(this.folder, name));
      return true;
    } catch {
      // Another process was faster.
      return false;
    }
  }
}
