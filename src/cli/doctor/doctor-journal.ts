/** The check of `doctor` on the journal of erasures: each of its copies, and whether there is one at all. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { Settings } from '../../core/config.ts';
import type { Finding } from '../../core/observe/finding.ts';
import { journalFolders } from '../../services/erasures/journal.ts';
import { CopyUnreachable, JournalCopy } from '../../services/erasures/journal-copy.ts';
import type { Store } from '../../store/promises/store.ts';
import { serviceFolders } from '../erasures/journal-for.ts';
import { count } from '../output.ts';

const check = 'journal of erasures';

export async function journalFindings(
  store: Store,
  { backup_to, erasures_to }: Pick<Settings, 'backup_to' | 'erasures_to'>,
): Promise<readonly Finding[]> {
  const isEmpty =
    (await store.journal.last()) === undefined && (await store.journal.untold(1)).length === 0;
  const set = [backup_to, erasures_to];
  const isSet = set.some((one) => one !== undefined);
  if (isEmpty && !isSet) return [];
  const { elsewhere } = isSet ? { elsewhere: [] } : await serviceFolders(store);
  if (elsewhere.length > 0) {
    const where = elsewhere.map(({ folder, host }) => `${folder} on ${host}`).join(', ');
    const says = `The service writes the journal to ${where}. To check it, run doctor there, with the settings of the service.`;
    return [{ check, state: 'good', says }];
  }
  const folders = new Set(journalFolders(store, set));
  if (folders.size === 0)
    return [
      {
        check,
        state: 'warning',
        says: 'People were erased, and a restore of an older backup would bring them back: set ERASURES_TO or BACKUP_TO to a folder on another disk.',
      },
    ];
  const found = [...folders].map((folder) => copyFinding(store, folder));
  return (await Promise.all(found)).map((one) => ({ check, ...one }));
}

async function copyFinding(store: Store, folder: string): Promise<Omit<Finding, 'check'>> {
  const copy = new JournalCopy(folder, store.journal);
  const { path } = copy;
  try {
    const { others, lacks, last } = await copy.compare();
    const fault = writingFault(folder, existsSync(path) ? path : folder);
    if (fault !== undefined) return { state: 'warning', says: fault };
    if (others.length > 0)
      return {
        state: 'bad',
        says: `${path} has ${count(others.length, 'line')} that the store does not know: it was set back, or the file was changed. Start the service, which erases again or names the line, or run "ledgerstone erasures apply ${path}".`,
      };
    if (lacks.length > 0)
      return {
        state: 'warning',
        says: `${path} ${existsSync(path) ? `lacks ${count(lacks.length, 'line')}` : 'is missing'}: the service writes it within seconds while it runs; its log says why if it does not.`,
      };
    if (store.file !== undefined && statSync(folder).dev === statSync(store.file).dev)
      return {
        state: 'warning',
        says: `${path} is on the same disk as the store: if that disk is set back or fails, the journal goes with it. Set ERASURES_TO to a folder on another one.`,
      };
    const says = last === undefined ? 'Nobody was erased yet.' : `${path} has all lines.`;
    return { state: 'good', says };
  } catch (error) {
    if (error instanceof CopyUnreachable) return { state: 'warning', says: error.message };
    throw error;
  }
}

/** Why nothing can be written to it, if so. */
function writingFault(folder: string, path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT'
      ? `The folder ${folder} of the journal is not there: create it, or mount its disk.`
      : `This user may not write to ${path} (${code}).`;
  }
}
