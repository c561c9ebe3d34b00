/** The check of `doctor` on the journal of erasures: each of its copies, and whether there is one at all. */
import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Settings } from '../../core/config.ts';
import type { Finding } from '../../core/observe/finding.ts';
import { CopyUnreachable, JournalCopy } from '../../services/erasures/journal-copy.ts';
import { JournalUnusable } from '../../services/erasures/journal-lines.ts';
import type { Store } from '../../store/promises/store.ts';
import { serviceFolders } from '../erasures/journal-for.ts';

const check = 'journal of erasures';

export async function journalFindings(
  store: Store,
  { backup_to, erasures_to }: Pick<Settings, 'backup_to' | 'erasures_to'>,
): Promise<readonly Finding[]> {
  const last = (await store.journal.last())?.line ?? 1;
  const isUntold = last <= 1 && (await store.journal.untold(1)).length === 0;
  const folders = new Set([backup_to, erasures_to].flatMap((one) => one ?? []));
  if (isUntold && folders.size === 0) return [];
  if (folders.size === 0) {
    const { elsewhere } = await serviceFolders(store);
    if (elsewhere.length > 0) {
      const where = elsewhere.map(({ folder, host }) => `${folder} on ${host}`).join(', ');
      const says = `The service keeps the journal in ${where}. To check it, run doctor there, with the settings of the service.`;
      return [{ check, state: 'good', says }];
    }
    return [
      {
        check,
        state: 'warning',
        says: 'People were erased, and a restore of an older backup would bring them back: set ERASURES_TO or BACKUP_TO to a folder on another disk.',
      },
    ];
  }
  const found = [...folders].map((folder) => copyFinding(store, resolve(folder), last));
  return (await Promise.all(found)).map((one) => ({ check, ...one }));
}

async function copyFinding(
  store: Store,
  folder: string,
  last: number,
): Promise<Omit<Finding, 'check'>> {
  const copy = new JournalCopy(folder, store.journal);
  const { path } = copy;
  try {
    const compared = await copy.compare();
    const fault = writingFault(folder, compared === undefined ? folder : path);
    if (fault !== undefined) return { state: 'warning', says: fault };
    const others = compared?.others.length ?? 0;
    if (others > 0)
      return {
        state: 'bad',
        says: `${path} tells of ${others} erasures or more that the store does not know: it was set back. Start the service, which erases them again, or run "ledgerstone erasures apply ${path}".`,
      };
    const lacks = last - (compared?.common.line ?? 0);
    if (last > 1 && lacks > 0)
      return {
        state: 'warning',
        says: `${path} ${compared === undefined ? 'is missing' : `lacks ${lacks} of ${last} lines`}: the service writes it within seconds while it runs; its log says why if it does not.`,
      };
    if (store.file !== undefined && statSync(folder).dev === statSync(store.file).dev)
      return {
        state: 'warning',
        says: `${path} is on the same disk as the store: if that disk is set back or fails, the journal goes with it. Set ERASURES_TO to a folder on another one.`,
      };
    const says = last > 1 ? `${path} has all ${last} lines.` : 'Nobody was erased yet.';
    return { state: 'good', says };
  } catch (error) {
    if (error instanceof JournalUnusable) return { state: 'bad', says: error.message };
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
