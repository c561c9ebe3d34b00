/** The journal of erasures as `restore` reads it: what it tells that the backup lacks goes into the new store with it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resources } from '../../core/registry.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import { journalOf } from '../../services/erasures/journal.ts';
import { compareJournal } from '../../services/erasures/journal-file.ts';
import { JOURNAL_FILE, JournalUnusable } from '../../services/erasures/journal-lines.ts';
import type { JournalBook, JournalLine } from '../../store/promises/erasing/journal.ts';
import { Mistake } from '../mistake.ts';
import { isFolder } from './backup-file.ts';

export interface JournalOptions {
  readonly erasures?: string;
  readonly withoutErasures?: true;
}

const WITHOUT =
  'Say --without-erasures to restore all the same: people who were erased since the backup are in the new store then.';

/** The file that is named, or beside the backup, or of ERASURES_TO; `undefined`: none is to be read. */
export function journalBeside(
  backup: string,
  { erasures, withoutErasures }: JournalOptions,
  erasures_to: string | undefined,
): string | undefined {
  if (withoutErasures) {
    if (erasures !== undefined)
      throw new Mistake('Say --erasures or --without-erasures, not both.');
    return undefined;
  }
  if (erasures !== undefined) {
    const path = isFolder(erasures) ? join(erasures, JOURNAL_FILE) : erasures;
    if (existsSync(path)) return path;
    throw new Mistake(`The file ${path} does not exist.`);
  }
  const beside = isFolder(backup) ? backup : dirname(backup);
  return [...(backup === '-' ? [] : [beside]), ...(erasures_to === undefined ? [] : [erasures_to])]
    .map((folder) => join(folder, JOURNAL_FILE))
    .find((path) => existsSync(path));
}

/** The lines of a journal that a backup lacks. Throws a `Mistake`, or `JournalUnusable`. */
export async function linesSince(
  known: readonly JournalLine[],
  path: string | undefined,
  { withoutErasures }: JournalOptions,
  sealer: Sealer | undefined,
): Promise<readonly JournalLine[]> {
  if (withoutErasures) return [];
  if (path === undefined) {
    if (known.length <= 1) return [];
    throw new Mistake(
      `The backup is of a store in which people were erased, and there is no ${JOURNAL_FILE} beside it, which tells who was erased since. Name the journal with --erasures. ${WITHOUT} Nothing was restored.`,
    );
  }
  const [text, last] = [readFileSync(path, 'utf8'), known.at(-1)];
  if (last === undefined)
    throw new JournalUnusable(
      `${path} cannot be proved to be of this store, whose backup is older than its name. ${WITHOUT}`,
    );
  const lines = [...known];
  const book = inMemory(lines);
  const { common, others } = await compareJournal(text, path, book);
  if (others.length === 0 && common.line < last.line)
    throw new JournalUnusable(
      `${path} ends at line ${common.line}, and the backup has ${last.line}: it was cut, or is an old copy. Name the newest copy with --erasures. ${WITHOUT}`,
    );
  const store = { journal: book } as Parameters<typeof journalOf>[0];
  const parts = { resources, sealer, folders: [], now: Date.now };
  await journalOf(store, parts).take(text, path);
  return lines.slice(known.length);
}

/** The lines of a store that is not there yet. */
function inMemory(lines: JournalLine[]): JournalBook {
  return {
    last: async () => lines.at(-1),
    after: async (line, limit) => lines.filter((one) => one.line > line).slice(0, limit),
    unapplied: async () => [],
    untold: async () => [],
    toldOf: async () => 0,
    applied: async () => undefined,
    async append(added) {
      lines.push(...added.map(({ line, text }) => ({ line, text })));
      return true;
    },
  };
}
