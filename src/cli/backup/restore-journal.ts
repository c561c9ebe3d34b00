/** The journal of erasures as `restore` reads it: the lines that the backup lacks go into the new store with it. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Settings } from '../../core/config.ts';
import { resources } from '../../core/registry.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import { createErasureJournal } from '../../services/erasures/journal.ts';
import { compareJournal } from '../../services/erasures/journal-copy.ts';
import { JOURNAL_FILE, JournalUnusable } from '../../services/erasures/journal-lines.ts';
import type { JournalBook, NewLine } from '../../store/books/erasing/journal.ts';
import { fileOf } from '../../store/open.ts';
import { Mistake } from '../mistake.ts';
import { isFolder } from './backup-file.ts';

export interface JournalOptions {
  readonly erasures?: string;
  readonly withoutErasures?: true;
}

const WITHOUT =
  'Say --without-erasures to restore all the same: people who were erased since the backup are in the new store then.';

/**
 * The files to read: the one that is named, or those beside the backup, in ERASURES_TO and beside the new store.
 * `undefined`: none is to be read.
 */
export function journalsFor(
  backup: string,
  { erasures, withoutErasures }: JournalOptions,
  { erasures_to, database_url }: Partial<Pick<Settings, 'erasures_to' | 'database_url'>>,
): readonly string[] | undefined {
  if (withoutErasures) {
    if (erasures !== undefined)
      throw new Mistake('Say --erasures or --without-erasures, not both.');
    return undefined;
  }
  if (erasures !== undefined) {
    const path = isFolder(erasures) ? join(erasures, JOURNAL_FILE) : erasures;
    if (existsSync(path)) return [path];
    throw new Mistake(`The file ${path} does not exist.`);
  }
  const beside = isFolder(backup) ? backup : dirname(backup);
  const file = fileOf(database_url ?? '');
  const folders = [backup === '-' ? undefined : beside, erasures_to, file && dirname(file)];
  const paths = folders.flatMap((one) => (one === undefined ? [] : resolve(one, JOURNAL_FILE)));
  return [...new Set(paths)].filter((path) => existsSync(path));
}

/** The lines of journals that a backup lacks. Throws a `Mistake`, or `JournalUnusable`. */
export async function linesSince(
  known: readonly NewLine[],
  paths: readonly string[] | undefined,
  sealer: Sealer | undefined,
): Promise<readonly NewLine[]> {
  if (paths === undefined) return [];
  if (paths.length === 0) {
    if (known.length === 0) return [];
    throw new Mistake(
      `The backup is of a store in which people were erased, and there is no ${JOURNAL_FILE} beside it, which says who was erased since. Name the journal with --erasures. ${WITHOUT} Nothing was restored.`,
    );
  }
  const compared = await Promise.all(
    paths.map((path) => compareJournal(path, inMemory([...known]))),
  );
  const least = Math.min(...compared.map(({ lacks }) => lacks.length));
  if (least > 0)
    throw new JournalUnusable(
      `${paths.join(', ')} lacks ${least} of the ${known.length} lines that the backup has: it was cut, or is an old copy. Name the newest copy with --erasures. ${WITHOUT}`,
    );
  const lines = [...known];
  const store = { journal: inMemory(lines) } as Parameters<typeof createErasureJournal>[0];
  const journal = createErasureJournal(store, { resources, sealer, folders: [], now: Date.now });
  for (const path of paths) await journal.take(path);
  return lines.slice(known.length);
}

/** The lines of a store that is not there yet. */
function inMemory(lines: NewLine[]): Pick<JournalBook, keyof JournalBook> {
  return {
    last: async () => lines.at(-1),
    after: async (line, limit) => lines.filter((one) => one.line > line).slice(0, limit),
    unapplied: async () => [],
    unlisted: async () => [],
    listedUpTo: async () => 0,
    applied: async () => undefined,
    async append(added) {
      lines.push(...added);
      return true;
    },
  };
}
