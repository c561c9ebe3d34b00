/**
 * The journal of erasures as a file: compared with the lines of the store, and completed by them. Each line has its
 * place in all copies, so that two processes that complete a file write the same bytes to the same places.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { JournalBook, JournalLine } from '../../store/promises/erasing/journal.ts';
import { JournalAhead, JournalUnusable, storeIn } from './journal-lines.ts';

type Lines = Pick<JournalBook, 'after' | 'last'>;

export interface Compared {
  /** The last line that the file and the store have in common. */
  readonly common: JournalLine;
  /** The bytes of the file up to its end. */
  readonly bytes: number;
  /** The lines after it that only the file has. */
  readonly others: readonly string[];
  /** Whether the store has other lines there. */
  readonly isApart: boolean;
}

const AT_ONCE = 1_000;
const START: JournalLine = { line: 0, text: '' };

/** The text of a journal; `undefined`: there is none. */
export async function readJournal(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Throws `JournalUnusable` if it is no journal of this store, or its last line is cut off and the store does not know
 * it. The text was read before: the store has all lines that its processes have written.
 */
export async function compareJournal(text: string, where: string, book: Lines): Promise<Compared> {
  const lines = text.split('\n');
  const torn = lines.pop() ?? '';
  const stored = storedLines(book);
  let next = await stored.next();
  const [first] = lines;
  if (first !== undefined && first !== next.value?.text) refuseOther(first, next.value, where);
  let common = START;
  let bytes = 0;
  for (const line of lines) {
    if (next.done || next.value.text !== line) break;
    common = next.value;
    bytes += Buffer.byteLength(line) + 1;
    next = await stored.next();
  }
  const others = lines.slice(common.line);
  if (torn !== '' && !(others.length === 0 && next.value?.text.startsWith(torn))) {
    const line = lines.length + 1;
    const isNews = line > ((await book.last())?.line ?? 0);
    throw new (isNews ? JournalAhead : JournalUnusable)(
      `${where}: line ${line} is cut off. Nothing of the journal is applied. Use a copy of it that is whole; if there is none, remove that line: its erasure was never reported as done.`,
    );
  }
  return { common, bytes, others, isApart: others.length > 0 && !next.done };
}

async function* storedLines(book: Lines): AsyncGenerator<JournalLine, undefined> {
  for (let from = 0; ; ) {
    const some = await book.after(from, AT_ONCE);
    yield* some;
    from = some.at(-1)?.line ?? from;
    if (some.length < AT_ONCE) return undefined;
  }
}

function refuseOther(text: string, first: JournalLine | undefined, where: string): never {
  const [store, own] = [storeIn(text, where), first && storeIn(first.text, 'The store')];
  throw new JournalAhead(
    store === own
      ? `${where}: line 1 is not as it was written. Nothing of the journal is applied.`
      : `${where}: line 1 says that this is the journal of another store (${store}, not ${own}). Nothing of it is applied, and nothing is written to it: name another folder.`,
  );
}

/** Writes the lines of the store that a file lacks, and syncs them. Returns the last one. */
export async function completeJournal(
  path: string,
  { common, bytes }: Pick<Compared, 'common' | 'bytes'>,
  book: Lines,
): Promise<JournalLine> {
  const file = await openJournal(path, bytes === 0);
  try {
    let [last, at] = [common, bytes];
    for (;;) {
      const some = await book.after(last.line, AT_ONCE);
      const text = Buffer.from(some.map((line) => `${line.text}\n`).join(''));
      await writeAll(file, text, at);
      [last, at] = [some.at(-1) ?? last, at + text.length];
      if (some.length < AT_ONCE) break;
    }
    await file.sync();
    await syncFolder(path);
    return last;
  } finally {
    await file.close();
  }
}

async function openJournal(path: string, isNew: boolean): Promise<FileHandle> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if (!isNew || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return open(path, 'wx+', 0o600);
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, from, bytes.length - from, at + from);
    from += bytesWritten;
  }
}

/** Puts the lines of the store in the place of a file, which stays beside it. Returns where. */
export async function replaceJournal(path: string, book: Lines, now: number): Promise<string> {
  const partial = `${path}.${randomUUID()}.partial`;
  const aside = `${path}.before-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  try {
    await completeJournal(partial, { common: START, bytes: 0 }, book);
    await rename(path, aside);
    await rename(partial, path);
    await syncFolder(path);
  } finally {
    await rm(partial, { force: true });
  }
  return aside;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
