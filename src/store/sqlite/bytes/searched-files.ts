/** The files of a served store that are searched byte by byte: its own, that of its search index, and their logs. */
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { ByteSearch } from '../../promises/erasing/book.ts';
import { searchFile } from '../search/file.ts';
import { searched } from './byte-search.ts';

/** Between two looks whether the log was emptied. */
const LOOK_MS = 200;

export class SearchedFiles {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #empty: () => () => boolean;
  readonly #emptyIndex: () => Promise<boolean>;
  /** Of the search index: kept open, since closing it would end SQLite's locks on that file. */
  #index: number | undefined;

  /** `empty` has the log emptied, and says whether it was; `emptyIndex` does it of the search index. */
  constructor(
    path: string,
    descriptor: number,
    empty: () => () => boolean,
    emptyIndex: () => Promise<boolean>,
  ) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#empty = empty;
    this.#emptyIndex = emptyIndex;
  }

  async *search(texts: readonly string[]): ByteSearch {
    const isEmptied = this.#empty();
    // What was removed a moment ago stands in the file until then, as content.
    while (!(isEmptied() && (await this.#emptyIndex()))) {
      await pause(LOOK_MS, undefined, { ref: false });
      yield;
    }
    const index = this.#openIndex();
    const files = [
      { descriptor: this.#descriptor, log: `${this.#path}-wal` },
      ...(index === undefined ? [] : [{ descriptor: index, log: `${searchFile(this.#path)}-wal` }]),
    ];
    return yield* searched(files, texts);
  }

  /** To be called after SQLite has closed its files. */
  close(): void {
    if (this.#index !== undefined) closeSync(this.#index);
    this.#index = undefined;
  }

  #openIndex(): number | undefined {
    const path = searchFile(this.#path);
    try {
      const isSame = this.#index !== undefined && fstatSync(this.#index).ino === statSync(path).ino;
      // One that was removed has no locks to lose.
      if (!isSame) {
        this.close();
        this.#index = openSync(path, 'r');
      }
      return this.#index;
    } catch {
      return undefined;
    }
  }
}
