/** Checks of `doctor` on erasures: whether they can be done and what they do not reach here, and on each copy of their journal. */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import type { Settings } from '../../core/config.ts';
import { beyondOf } from '../../core/objects/records/out-of-reach.ts';
import { type Finding, findingsOf } from '../../core/observe/finding.ts';
import { SecretKeyUnusable } from '../../core/sealing/secret-key-unusable.ts';
import { requireErasureKeys } from '../../services/erasures/erasure-keys.ts';
import { journalFolders } from '../../services/erasures/journal.ts';
import { CopyUnreachable, createJournalCopy } from '../../services/erasures/journal-copy.ts';
import type { Store } from '../../store/promises/store.ts';
import { serviceFolders } from '../erasures/erasures-files.ts';
import { count } from '../output.ts';
import { erasureKeysIn } from '../store.ts';

const { good, bad } = findingsOf('erasures');

export async function erasuresFinding(store: Store, settings: Settings): Promise<Finding> {
  try {
    await requireErasureKeys(store);
  } catch (error) {
    if (!(error instanceof SecretKeyUnusable)) throw error;
    return bad(error.message);
  }
  if (erasureKeysIn(settings) === undefined)
    return good('Nobody can be erased until SECRET_KEY_FILE names a key.');
  const { backup_to } = settings;
  const folders = (await store.backups.followed()).map(({ folder }) => folder);
  const backups = [...new Set([...(backup_to === undefined ? [] : [backup_to]), ...folders])];
  const beyond = beyondOf(store.file !== undefined, true)
    .filter(({ what }) => what !== 'core_dumps' || dumpsCore())
    .map(({ what, says }) =>
      what === 'backups' && backups.length > 0 ? `${says}, as in ${backups.join(', ')}` : says,
    );
  return good(`Erasures do not reach ${beyond.join('; ')}.`);
}

/** Whether a crash of this user's processes writes their memory into a file. */
function dumpsCore(): boolean {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return !/^Max core file size\s+0\s/m.test(limits);
  } catch {
    return false;
  }
}

const journal = findingsOf('journal of erasures');

export async function journalFindings(
  store: Store,
  { backup_to, erasures_to }: Pick<Settings, 'backup_to' | 'erasures_to'>,
): Promise<readonly Finding[]> {
  const isEmpty =
    (await store.journal.last()) === undefined && (await store.journal.unlisted(1)).length === 0;
  const set = [backup_to, erasures_to];
  const isSet = set.some((one) => one !== undefined);
  if (isEmpty && !isSet) return [];
  const { elsewhere } = isSet ? { elsewhere: [] } : await serviceFolders(store);
  if (elsewhere.length > 0) {
    const where = elsewhere.map(({ folder, host }) => `${folder} on ${host}`).join(', ');
    return [
      journal.good(
        `The service writes the journal to ${where}. To check it, run doctor there, with the settings of the service.`,
      ),
    ];
  }
  const folders = new Set(journalFolders(store, set));
  if (folders.size === 0)
    return [
      journal.warning(
        'People were erased, and a restore of an older backup would bring them back: set ERASURES_TO or BACKUP_TO to a folder on another disk.',
      ),
    ];
  return Promise.all(Array.from(folders, (folder) => copyFinding(store, folder)));
}

async function copyFinding(store: Store, folder: string): Promise<Finding> {
  const copy = createJournalCopy(folder, store.journal);
  const { path } = copy;
  try {
    const { others, lacks, last } = await copy.compare();
    const fault = writingFault(folder, existsSync(path) ? path : folder);
    if (fault !== undefined) return journal.warning(fault);
    if (others.length > 0)
      return journal.bad(
        `${path} has ${count(others.length, 'line')} that the store does not know: it was set back, or the file was changed. Start the service, which erases again or names the line, or run "ledgerstone erasures apply ${path}".`,
      );
    if (lacks.length > 0)
      return journal.warning(
        `${path} ${existsSync(path) ? `lacks ${count(lacks.length, 'line')}` : 'is missing'}: the service writes it within seconds while it runs; its log says why if it does not.`,
      );
    if (store.file !== undefined && statSync(folder).dev === statSync(store.file).dev)
      return journal.warning(
        `${path} is on the same disk as the store: if that disk is set back or fails, the journal goes with it. Set ERASURES_TO to a folder on another one.`,
      );
    return journal.good(last === undefined ? 'Nobody was erased yet.' : `${path} has all lines.`);
  } catch (error) {
    if (error instanceof CopyUnreachable) return journal.warning(error.message);
    throw error;
  }
}

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
