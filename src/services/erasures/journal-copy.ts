/** A copy of the journal in a folder. If its disk hangs, is full or unreachable, it is completed later. */
import { join, resolve } from 'node:path';
import { type Aside, createAside, patient } from '../../core/aside/aside.ts';
import { diskFailure } from '../../core/disk-failure.ts';
import type { JournalBook, JournalLine } from '../../store/books/erasing/journal.ts';
import { type JournalDisk, journalDisk } from './journal-disk.ts';
import { JOURNAL_FILE, JournalUnusable } from './journal-lines.ts';

export interface FileLine {
  readonly text: string;
  /** The file and the line number, for messages. */
  readonly where: string;
}

export interface Compared {
  readonly path: string;
  /** The lines that only the file has. */
  readonly others: readonly FileLine[];
  /** The lines that only the store has. */
  readonly lacks: readonly string[];
  /** The last line of the store; `undefined`: it has none. */
  readonly last: JournalLine | undefined;
  /** The length of the file in bytes without a truncated last line. */
  readonly bytes: number;
  readonly isCut: boolean;
  /** The numbers of lines that must have been in the file and are missing, though the store does not have them; the first few. */
  readonly missing: readonly number[];
}

const AT_ONCE = 1_000;
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

const CHILD = new URL('./journal-child.ts', import.meta.url);
/** Keeps one process for each folder: `backup --follow` looks at its copy every second. */
const asides = new Map<string, Aside<JournalDisk>>();

/** `here`: the disk is that of the store, without which nothing goes on; any other one is looked at by a process of its own. */
export function createJournalCopy(
  folder: string,
  book: Pick<JournalBook, 'after'>,
  { here = false } = {},
) {
  const path = join(folder, JOURNAL_FILE);
  // The other process stays in the folder in which it was begun.
  const at = resolve(path);
  const aside = here ? undefined : asides.getOrInsertComputed(at, () => createAside(CHILD));
  const disk = aside?.methods(['endOf', 'textOf', 'addLines']) ?? patient(journalDisk);
  /** The last line of the store up to which the copy is known to be synced. */
  let synced = 0;
  /** The copy's last line and length at the last comparison, and a mark that changes with the file. */
  let known:
    | { readonly last: JournalLine; readonly bytes: number; readonly end: string }
    | undefined;

  /** Compares the copy with the store; reads it only if it has changed. Throws `CopyUnreachable`. */
  async function compare(): Promise<Compared> {
    const end = await orUnreachable(disk.endOf(at));
    const { last, bytes = 0 } = known?.end === end ? (known ?? {}) : {};
    if (last !== undefined) {
      const [same, ...added] = await book.after(last.line - 1, MOST);
      const lacks = added.map(({ text }) => text);
      if (same?.text === last.text)
        return {
          ...{ path, others: [], lacks, last: added.at(-1) ?? last, bytes },
          ...{ isCut: false, missing: [] },
        };
    }
    synced = 0;
    known = undefined;
    const compared = await compareText(path, await orUnreachable(disk.textOf(at)), book);
    note(compared, end);
    return compared;
  }

  /**
   * Writes missing lines behind those that were compared. Several processes may do so at once: each writes the same bytes
   * in the same place. An empty journal has no file. Throws `CopyUnreachable`, also where something else was written there.
   */
  async function complete(compared: Compared): Promise<void> {
    const { lacks, last, bytes, isCut } = compared;
    // What another process has written it may not have synced yet.
    if (lacks.length > 0 || isCut || (last?.line ?? 0) > synced) {
      known = undefined;
      if (!(await orUnreachable(disk.addLines(at, { lines: lacks, at: bytes, isCut }))))
        throw new CopyUnreachable(`${path} is being written.`);
      const size = lacks.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, bytes);
      const end = await orUnreachable(disk.endOf(at));
      // Otherwise another process has written to it meanwhile.
      if (end?.includes(` ${size} `))
        note({ ...compared, lacks: [], isCut: false, bytes: size }, end);
    }
    synced = last?.line ?? 0;
  }

  function note({ others, lacks, last, bytes, isCut }: Compared, mark: string | undefined): void {
    const isSame = others.length === 0 && lacks.length === 0 && !isCut;
    if (isSame && last !== undefined && mark !== undefined) known = { last, bytes, end: mark };
  }

  /** Throws `CopyUnreachable` if work on the disk fails or takes too long. */
  async function orUnreachable<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof JournalUnusable || code === undefined) throw error;
      throw unreachable(diskFailure(error) ?? code, error);
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
  return compareText(path, await journalDisk.textOf(path), book);
}

async function compareText(
  path: string,
  text: string,
  book: Pick<JournalBook, 'after'>,
): Promise<Compared> {
  const lines = text.split('\n');
  const cut = lines.pop() ?? '';
  const others = new Map<string, number>();
  for (const [at, line] of lines.entries()) if (line !== '') others.getOrInsert(line, at);
  const written = new Set(others.keys());
  const lacks: string[] = [];
  /** By their places in the store, the lines that the file lacks. */
  const places: number[] = [];
  let last: JournalLine | undefined;
  for (;;) {
    const some = await book.after(last?.line ?? 0, AT_ONCE);
    for (const { line: place, text: one } of some)
      if (!others.delete(one) && !written.has(one)) {
        lacks.push(one);
        places.push(place);
      }
    last = some.at(-1) ?? last;
    if (some.length < AT_ONCE) break;
  }
  return {
    path,
    others: [...others].map(([line, at]) => ({ text: line, where: `${path}: line ${at + 1}` })),
    lacks: [...new Set(lacks)],
    last,
    bytes: Buffer.byteLength(text) - Buffer.byteLength(cut),
    isCut: cut !== '',
    missing: missingOf(Array.from(others.keys(), numberOf), last?.line ?? 0, new Set(places)),
  };
}

/** How many missing lines are named. */
const NAMED = 5;

/**
 * Which lines a journal must have had besides these `others`: a store numbers its lines 1, 2, 3, …, and where it takes lines of
 * another journal, they count, and keep their numbers. So up to the line with any number there are at least as many lines. The store
 * knows `known` of them, of which the file lacks those at `lacking`.
 */
function missingOf(others: readonly number[], known: number, lacking: ReadonlySet<number>) {
  const numbers = new Set(others);
  // What the store has under a number of which the file has another line, the file need not have had.
  const instead = [...lacking].filter((place) => numbers.has(place)).length;
  let count = known - instead;
  const missing: number[] = [];
  for (const number of others.toSorted((one, other) => one - other)) {
    count += 1;
    for (let one = number - 1; one > known && count < number; one -= 1) {
      if (numbers.has(one)) continue;
      missing.push(one);
      count += 1;
    }
  }
  return missing.sort((one, other) => one - other).slice(0, NAMED);
}

/** The sentence for lines that are missing in a journal. */
export function missingWords(path: string, missing: readonly number[]): string {
  const are = missing.length === 1 ? 'is' : 'are';
  const which = missing.length < NAMED ? missing.join(', ') : `${missing.join(', ')}, …`;
  return `${path} has been changed or is damaged: of its lines, ${which} ${are} missing, so nobody knows who else was erased. Use a copy that is whole, such as the one in another folder or beside a newer backup. If there is none, run "ledgerstone erasures apply" or "restore" with --accept-missing-lines, which erases those that are left in it. Nothing of the journal is applied.`;
}

/** The number that a line says it has; 0: it says none. */
function numberOf(text: string): number {
  return Number(/^\{"line":(\d{1,15}),/.exec(text)?.[1] ?? 0);
}
