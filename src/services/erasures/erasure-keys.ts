/** Checks that a store with erased records has the keys that recognize them. */
import { SecretKeyUnusable } from '../../core/sealing/secret-key-unusable.ts';
import { type Store, StoreUnavailable } from '../../store/promises/store.ts';

/**
 * Throws `SecretKeyUnusable` if erased records could not be recognized. While the database server is down, it passes,
 * and only commits detect lost keys.
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
