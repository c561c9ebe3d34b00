/** A copy of the journal in a folder. If its disk hangs, is full or unreachable, it is completed later. */

import { appendFile, open, readFile, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { diskFailure } from '../../core/disk-failure.ts';
import type { JournalBook, JournalLine } from '../../store/books/erasing/journal.ts';
import { JOURNAL_FILE, JournalUnusable } from './journal-lines.ts';

export interface FileLine {
  readonly text: string;
  /** The file and the line number, for messages. */
  readonly where: string;
}

export interface Compared {
  /** The lines that only the file has. */
  readonly others: readonly FileLine[];
  /** The lines that only the store has. */
  readonly lacks: readonly string[];
  /** The last line of the store, if it has any. */
  readonly last: JournalLine | undefined;
  /** The length of the file in bytes without a truncated last line. */
  readonly bytes: number;
  readonly isCut: boolean;
}

const AT_ONCE = 1_000;

/** Compares the file with the store. A missing file has no lines; throws other file system errors. */
export async function compareJournal(
  path: string,
  book: Pick<JournalBook, 'after'>,
): Promise<Compared> {
  const text = await textOf(path);
  const lines = text.split('\n');
  const cut = lines.pop() ?? '';
  const others = new Map(lines.flatMap((line, at) => (line === '' ? [] : [[line, at]])));
  const written = new Set(others.keys());
  const lacks: string[] = [];
  let last: JournalLine | undefined;
  for (;;) {
    const some = await book.after(last?.line ?? 0, AT_ONCE);
    for (const { text: one } of some) if (!others.delete(one) && !written.has(one)) lacks.push(one);
    last = some.at(-1) ?? last;
    if (some.length < AT_ONCE) break;
  }
  return {
    others: [...others].map(([line, at]) => ({ text: line, where: `${path}: line ${at + 1}` })),
    lacks: [...new Set(lacks)],
    last,
    bytes: Buffer.byteLength(text) - Buffer.byteLength(cut),
    isCut: cut !== '',
  };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Appends lines to a file and syncs it. Removes a truncated last line first if `cutAt` says where it begins. */
async function addLines(
  path: string,
  lines: readonly string[],
  cutAt: number | undefined,
): Promise<void> {
  if (cutAt !== undefined) await truncate(path, cutAt);
  const text = lines.map((line) => `${line}\n`).join('');
  await appendFile(path, text, { mode: 0o600, flush: true });
  await using folder = await open(dirname(path), 'r');
  await folder.sync();
}

/** How long a disk may take before it counts as unreachable. */
const PATIENCE_MS = 5_000;
/** More lines than one comparison finds. */
const MOST = 1_000_000;

/** An unusable copy; the message says why in a sentence. */
export class CopyUnreachable extends Error {
  override readonly name = 'CopyUnreachable';
}

/** Completes the copy in a folder, and imports nothing from it. Throws `CopyUnreachable` or `JournalUnusable`. */
export async function completeCopy(
  folder: string,
  book: Pick<JournalBook, 'after'>,
): Promise<void> {
  const copy = new JournalCopy(folder, book);
  const compared = await copy.compare();
  if (compared.others.length > 0)
    throw new JournalUnusable(
      `${copy.path} has lines that the store does not know: run "ledgerstone erasures apply ${copy.path}" if the store was set back.`,
    );
  await copy.complete(compared);
}

export class JournalCopy {
  readonly path: string;
  readonly #book: Pick<JournalBook, 'after'>;
  /** The last line of the store up to which the copy is known to be synced. */
  #synced = 0;
  /** The copy's last line and length at the last comparison, and a mark that changes with the file. */
  #known: { readonly last: JournalLine; readonly bytes: number; readonly mark: string } | undefined;
  /** Whether work on the disk timed out and has not ended. */
  #hangs = false;

  constructor(folder: string, book: Pick<JournalBook, 'after'>) {
    this.path = join(folder, JOURNAL_FILE);
    this.#book = book;
  }

  get synced(): number {
    return this.#synced;
  }

  /** Compares the copy with the store; reads it only if it has changed. Throws `CopyUnreachable`. */
  async compare(): Promise<Compared> {
    const mark = await this.within(() => markOf(this.path));
    const { last, bytes = 0 } = this.#known?.mark === mark ? (this.#known ?? {}) : {};
    if (last !== undefined) {
      const [same, ...added] = await this.#book.after(last.line - 1, MOST);
      const lacks = added.map(({ text }) => text);
      if (same?.text === last.text)
        return { others: [], lacks, last: added.at(-1) ?? last, bytes, isCut: false };
    }
    this.#synced = 0;
    this.#known = undefined;
    const compared = await this.within(() => compareJournal(this.path, this.#book));
    this.#note(compared, mark);
    return compared;
  }

  /** Appends missing lines. An empty journal has no file. Throws `CopyUnreachable`. */
  async complete(compared: Compared): Promise<void> {
    const { lacks, last, bytes, isCut } = compared;
    if (lacks.length > 0 || isCut) {
      this.#known = undefined;
      await this.within(() => addLines(this.path, lacks, isCut ? bytes : undefined));
      const size = lacks.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, bytes);
      const mark = await this.within(() => markOf(this.path));
      // Otherwise another process has written to it meanwhile.
      if (mark?.includes(` ${size} `))
        this.#note({ ...compared, lacks: [], isCut: false, bytes: size }, mark);
    }
    this.#synced = last?.line ?? 0;
  }

  #note({ others, lacks, last, bytes, isCut }: Compared, mark: string | undefined): void {
    const isSame = others.length === 0 && lacks.length === 0 && !isCut;
    if (isSame && last !== undefined && mark !== undefined) this.#known = { last, bytes, mark };
  }

  /** Runs work on the disk. Throws `CopyUnreachable` if that fails or takes too long. */
  async within<Result>(begin: () => Promise<Result>): Promise<Result> {
    if (this.#hangs) throw this.#unreachable('its disk does not answer');
    const stop = new AbortController();
    const late = pause(PATIENCE_MS, undefined, { ref: false, signal: stop.signal }).then(() => {
      this.#hangs = true;
      throw this.#unreachable('its disk does not answer');
    });
    const work = begin().finally(() => {
      this.#hangs = false;
      stop.abort();
    });
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof JournalUnusable || code === undefined || code === 'ABORT_ERR')
        throw error;
      throw this.#unreachable(diskFailure(error) ?? code, error);
    } finally {
      late.catch(() => undefined);
      work.catch(() => undefined);
    }
  }

  #unreachable(why: string, cause?: unknown): CopyUnreachable {
    return new CopyUnreachable(`${this.path} cannot be read or written: ${why}.`, { cause });
  }
}

async function markOf(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
