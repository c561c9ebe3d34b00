/** The keys of erased records, which a store with erased records needs. */
import { SecretKeyUnusable } from '../../core/sealing/secret-key-unusable.ts';
import { type Store, StoreUnavailable } from '../../store/promises/store.ts';

/**
 * Throws `SecretKeyUnusable` where erased records could not be told from others. While a server of the store is down,
 * only its commits find out.
 */
export async function requireErasureKeys({ erasing }: Pick<Store, 'erasing'>): Promise<void> {
  try {
    if (!(await erasing.hasLostKeys())) return;
  } catch (error) {
    if (error instanceof StoreUnavailable) return;
    throw error;
  }
  throw new SecretKeyUnusable(
    'SECRET_KEY_FILE: records were erased, and only the key of that time tells when they are sent again. Put that key into the file, on a line of its own after the new one.',
  );
}
