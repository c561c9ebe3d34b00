/** The check of `doctor` on erasures: whether records can be erased and known again, and what they do not reach here. */
import { readFileSync } from 'node:fs';
import type { Settings } from '../../core/config.ts';
import { beyondOf } from '../../core/objects/records/out-of-reach.ts';
import { type Finding, findingsOf } from '../../core/observe/finding.ts';
import { SecretKeyUnusable } from '../../core/sealing/secret-key-unusable.ts';
import { requireErasureKeys } from '../../services/erasures/erasure-keys.ts';
import type { Store } from '../../store/promises/store.ts';
import { erasureKeysIn } from '../store.ts';

const { good, bad } = findingsOf('erasures');

export async function erasuresFinding(store: Store, settings: Settings): Promise<Finding> {
  try {
    await requireErasureKeys(store);
  } catch (error) {
    if (!(error instanceof SecretKeyUnusable)) throw error;
    return bad(error.message);
  }
  if (erasureKeysIn(settings) === undefined) {
    return good('Nobody can be erased until SECRET_KEY_FILE names a key.');
  }
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
