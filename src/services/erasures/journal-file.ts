/** Compares the journal file with the lines of the store, and completes it from them. */

import { appendFile, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JournalBook, JournalLine } from '../../store/books/erasing/journal.ts';

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
export async function addLines(
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
