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
/** How long a disk may take before it counts as unreachable. */
const PATIENCE_S = 5;
/** More lines than one comparison finds. */
const MOST = 1_000_000;

/** An unusable copy; the message says why in a sentence. */
export class CopyUnreachable extends Error {
  override readonly name = 'CopyUnreachable';
}

/** Completes the copy in a folder, and imports nothing from it. Throws `CopyUnreachable` or `JournalUnusable`. */
export async function completeCopy(folder: string, book: Pick<JournalBook, 'after'>) {
  const copy = createJournalCopy(folder, book);
  const compared = await copy.compare();
  if (compared.others.length > 0)
    throw new JournalUnusable(
      `${copy.path} has lines that the store does not know: run "ledgerstone erasures apply ${copy.path}" if the store was set back.`,
    );
  await copy.complete(compared);
}

export function createJournalCopy(folder: string, book: Pick<JournalBook, 'after'>) {
  const path = join(folder, JOURNAL_FILE);
  /** The last line of the store up to which the copy is known to be synced. */
  let synced = 0;
  /** The copy's last line and length at the last comparison, and a mark that changes with the file. */
  let known:
    | { readonly last: JournalLine; readonly bytes: number; readonly mark: string }
    | undefined;
  /** Whether work on the disk timed out and has not ended. */
  let hangs = false;

  /** Compares the copy with the store; reads it only if it has changed. Throws `CopyUnreachable`. */
  async function compare(): Promise<Compared> {
    const mark = await within(() => markOf(path));
    const { last, bytes = 0 } = known?.mark === mark ? (known ?? {}) : {};
    if (last !== undefined) {
      const [same, ...added] = await book.after(last.line - 1, MOST);
      const lacks = added.map(({ text }) => text);
      if (same?.text === last.text)
        return { others: [], lacks, last: added.at(-1) ?? last, bytes, isCut: false };
    }
    synced = 0;
    known = undefined;
    const compared = await within(() => compareJournal(path, book));
    note(compared, mark);
    return compared;
  }

  /** Appends missing lines. An empty journal has no file. Throws `CopyUnreachable`. */
  async function complete(compared: Compared): Promise<void> {
    const { lacks, last, bytes, isCut } = compared;
    if (lacks.length > 0 || isCut) {
      known = undefined;
      await within(() => addLines(path, lacks, isCut ? bytes : undefined));
      const size = lacks.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, bytes);
      const mark = await within(() => markOf(path));
      // Otherwise another process has written to it meanwhile.
      if (mark?.includes(` ${size} `))
        note({ ...compared, lacks: [], isCut: false, bytes: size }, mark);
    }
    synced = last?.line ?? 0;
  }

  function note({ others, lacks, last, bytes, isCut }: Compared, mark: string | undefined): void {
    const isSame = others.length === 0 && lacks.length === 0 && !isCut;
    if (isSame && last !== undefined && mark !== undefined) known = { last, bytes, mark };
  }

  /** Runs work on the disk. Throws `CopyUnreachable` if that fails or takes too long. */
  async function within<Result>(begin: () => Promise<Result>): Promise<Result> {
    if (hangs) throw unreachable('its disk does not answer');
    const stop = new AbortController();
    const late = (async () => {
      // A process that had no time to look counts one second of it.
      for (let second = 0; second < PATIENCE_S; second += 1)
        await pause(1_000, undefined, { ref: false, signal: stop.signal });
      hangs = true;
      throw unreachable('its disk does not answer');
    })();
    const work = begin().finally(() => {
      hangs = false;
      stop.abort();
    });
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof JournalUnusable || code === undefined || code === 'ABORT_ERR')
        throw error;
      throw unreachable(diskFailure(error) ?? code, error);
    } finally {
      late.catch(() => undefined);
      work.catch(() => undefined);
    }
  }

  function unreachable(why: string, cause?: unknown): CopyUnreachable {
    return new CopyUnreachable(`${path} cannot be read or written: ${why}.`, { cause });
  }

  return {
    path,
    compare,
    complete,
    get synced(): number {
      return synced;
    },
  };
}

export type JournalCopy = ReturnType<typeof createJournalCopy>;

/** Compares the file with the store. A missing file has no lines; throws other file system errors. */
export async function compareJournal(
  path: string,
  book: Pick<JournalBook, 'after'>,
): Promise<Compared> {
  const text = (await ifThere(readFile(path, 'utf8'))) ?? '';
  const lines = text.split('\n');
  const cut = lines.pop() ?? '';
  const others = new Map<string, number>();
  for (const [at, line] of lines.entries()) if (line !== '') others.getOrInsert(line, at);
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

/** Appends lines to a file and syncs it. Removes a truncated last line first if `cutAt` says where it begins. */
async function addLines(path: string, lines: readonly string[], cutAt: number | undefined) {
  if (cutAt !== undefined) await truncate(path, cutAt);
  const text = lines.map((line) => `${line}\n`).join('');
  await appendFile(path, text, { mode: 0o600, flush: true });
  await using folder = await open(dirname(path), 'r');
  await folder.sync();
}

async function markOf(path: string): Promise<string | undefined> {
  const found = await ifThere(stat(path));
  return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
}

async function ifThere<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
