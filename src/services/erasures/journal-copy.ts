/** A copy of the journal in a folder, whose disk may hang, be full or be away: then it is completed later. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { JournalBook, JournalLine } from '../../store/promises/erasing/journal.ts';
import { type Compared, compareJournal, completeJournal, readJournal } from './journal-file.ts';
import { JOURNAL_FILE, JournalUnusable, namedStore } from './journal-lines.ts';

/** How long a disk may take before it counts as unreachable. */
const PATIENCE_MS = 5_000;
const EMPTY = { common: { line: 0, text: '' }, bytes: 0 };

/** Why a copy cannot be used now, as a sentence. */
export class CopyUnreachable extends Error {
  override readonly name = 'CopyUnreachable';
}

/**
 * Completes the copy in a folder, and takes nothing of it. Names the store, if nothing has yet. Throws `CopyUnreachable`
 * or `JournalUnusable`.
 */
export async function completeCopy(folder: string, book: JournalBook): Promise<void> {
  const last = await namedStore(book);
  if (last.line === 1) return;
  const copy = new JournalCopy(folder, book);
  const compared = await copy.compare();
  if (compared !== undefined && compared.others.length > 0)
    throw new JournalUnusable(
      `${copy.path} tells of erasures that the store does not know: run "ledgerstone erasures apply ${copy.path}" if the store was set back.`,
    );
  await copy.complete(last);
}

export class JournalCopy {
  readonly path: string;
  readonly #book: JournalBook;
  /** The last line that is synced here, as far as is known. */
  #synced = 0;
  /** What it was at the last look, and what tells whether it has changed since. */
  #known: { readonly compared: Compared; readonly mark: string } | undefined;
  /** Whether work on its disk was given up and has not ended. */
  #hangs = false;

  constructor(folder: string, book: JournalBook) {
    this.path = join(folder, JOURNAL_FILE);
    this.#book = book;
  }

  get synced(): number {
    return this.#synced;
  }

  /** Compares it with the store, unless neither has changed; `undefined`: there is none. Throws `CopyUnreachable` or `JournalUnusable`. */
  async compare(): Promise<Compared | undefined> {
    const mark = await this.within(() => markOf(this.path));
    if (mark !== undefined && mark === this.#known?.mark && (await this.#isKnown()))
      return this.#known.compared;
    this.#known = undefined;
    this.#synced = 0;
    const text = mark && (await this.within(() => readJournal(this.path)));
    if (text === undefined || mark === undefined) return undefined;
    const compared = await compareJournal(text, this.path, this.#book);
    if (compared.others.length === 0) this.#known = { compared, mark };
    return compared;
  }

  /** Writes what it lacks up to that line, the last of the store. A journal that tells of nothing is no file. */
  async complete(last: JournalLine): Promise<void> {
    const from = this.#known?.compared ?? EMPTY;
    if (this.#synced >= last.line) return;
    const work = () => completeJournal(this.path, from, this.#book);
    this.#synced = last.line === 1 ? 1 : (await this.within(work)).line;
  }

  /** Throws `CopyUnreachable` if the disk fails, or takes too long. */
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
      throw this.#unreachable(WHY.get(code) ?? code, error);
    } finally {
      late.catch(() => undefined);
      work.catch(() => undefined);
    }
  }

  /** Whether the store still has the last line that it had. */
  async #isKnown(): Promise<boolean> {
    const { line, text } = this.#known?.compared.common ?? EMPTY.common;
    const [found] = line === 0 ? [] : await this.#book.after(line - 1, 1);
    return found?.text === text;
  }

  #unreachable(why: string, cause?: unknown): CopyUnreachable {
    return new CopyUnreachable(`${this.path} cannot be read or written: ${why}.`, { cause });
  }
}

const WHY = new Map([
  ['ENOENT', 'its folder is not there'],
  ['ENOTDIR', 'its folder is not there'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EIO', 'the disk gave an error'],
  ['EISDIR', 'a folder has its name'],
]);

async function markOf(path: string): Promise<string | undefined> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
