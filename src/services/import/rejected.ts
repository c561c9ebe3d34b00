/** The file of rejected rows, each as it was, with the reason. Once corrected, it can be imported as it is. */
import { constants, lstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { csvLine } from '../../core/tables/row-texts.ts';
import { TransferRefused } from '../transfer/refused.ts';

/** It marks the text as UTF-8 for spreadsheet programs. */
const MARK = '\ufeff';
/** Characters that are written at a time: rows may each be as wide as the header. */
const PIECE = 1_048_576;

export interface RejectedRow {
  readonly number: number;
  readonly cells: readonly string[];
  readonly error: string;
}

/** A path that does not exist yet: an existing file may contain corrections. */
export function freePath(wanted: string): string {
  const dot = wanted.lastIndexOf('.');
  let path = wanted;
  for (let next = 2; isTaken(path); next += 1)
    path = `${wanted.slice(0, dot)}-${next}${wanted.slice(dot)}`;
  return path;
}

/** Also by a link that leads nowhere: what is written through it would be elsewhere. */
function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

export class RejectedFile {
  readonly #path: string;
  /** The header of a table; a file of JSON lines has none. */
  readonly #header: readonly string[] | undefined;
  #file: FileHandle | undefined;
  readonly #most: number;
  #bytes: number;
  #isFull = false;

  /** `bytes` of what is there are of rows that are done; the rest is written again. It grows to `most` bytes. */
  constructor(
    path: string,
    header: readonly string[] | undefined,
    bytes: number,
    most = Number.POSITIVE_INFINITY,
  ) {
    this.#most = most;
    this.#path = path;
    this.#header = header;
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds rows, which are on disk when it returns, and returns how many: after the first that does not fit, none is
   * added. The file is made for the first row.
   */
  async add(rows: readonly RejectedRow[]): Promise<number> {
    if (rows.length === 0 || this.#isFull) return 0;
    this.#file ??= await this.#open();
    let added = 0;
    const head = this.#bytes === 0 ? this.#head() : '';
    const texts = function* (this: RejectedFile): Generator<string> {
      let piece = '';
      for (const [at, row] of rows.entries()) {
        const text = (at === 0 ? head : '') + this.#line(row);
        const bytes = this.#bytes + Buffer.byteLength(text);
        this.#isFull = bytes > this.#most;
        if (this.#isFull) break;
        this.#bytes = bytes;
        piece += text;
        added += 1;
        if (piece.length < PIECE) continue;
        yield piece;
        piece = '';
      }
      yield piece;
    };
    try {
      await this.#file.appendFile(texts.call(this));
      await this.#file.datasync();
    } catch (error) {
      throw this.#unwritable(error);
    }
    return added;
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  #head(): string {
    if (this.#header === undefined) return '';
    return `${MARK}${csvLine(['_row', '_error', ...this.#header.map(nameOf)])}`;
  }

  async #open(): Promise<FileHandle> {
    const { O_WRONLY, O_APPEND, O_NOFOLLOW } = constants;
    try {
      // An existing file is that of this import, which was stopped. Links are not followed.
      const file = await open(this.#path, 'ax', 0o600).catch((error) => {
        if (error.code !== 'EEXIST') throw error;
        return open(this.#path, O_WRONLY | O_APPEND | O_NOFOLLOW);
      });
      await file.truncate(this.#bytes);
      return file;
    } catch (error) {
      throw this.#unwritable(error);
    }
  }

  #unwritable(error: unknown): TransferRefused {
    const { code } = error as NodeJS.ErrnoException;
    const message = `${this.#path} cannot be written (${code}).`;
    return new TransferRefused(message, undefined, error);
  }

  #line({ number, cells, error }: RejectedRow): string {
    if (this.#header !== undefined) {
      // As wide as the header, so that the table stays one.
      const missing = Math.max(0, this.#header.length - cells.length);
      return csvLine([String(number), error, ...cells, ...Array(missing).fill('')]);
    }
    const own = `"_row":${number},"_error":${JSON.stringify(error)}`;
    const [text = ''] = cells;
    const inside = /^\s*\{([\s\S]*)\}\s*$/.exec(text)?.[1];
    if (inside === undefined) return `{${own},"_line":${JSON.stringify(text)}}\n`;
    const rest = withoutNotes(inside);
    return `{${own}${rest.trim() === '' ? '' : `,${rest}`}}\n`;
  }
}

/** Without what an earlier import has noted. */
function withoutNotes(members: string): string {
  return members.replace(/^\s*"_row":\d+,"_error":"(?:[^"\\]|\\.)*",?/, '');
}

/** Renames the columns that an earlier import has added. */
function nameOf(name: string): string {
  return name === '_row' || name === '_error' ? `_earlier${name}` : name;
}
