/** Makes keys: the only moment at which a secret is in anybody's hand. */
import type { KeyRing, NewKey, StoredKey } from '../store/store.ts';
import { createSecret, hashSecret } from './api-key.ts';

export interface IssuedKey {
  readonly key: StoredKey;
  /** To be shown once: only its hash is kept. */
  readonly secret: string;
}

/** A new key, live or test as its accounts are. */
export async function issueKey(
  keys: KeyRing,
  livemode: boolean,
  scope: Omit<NewKey, 'hash'>,
): Promise<IssuedKey> {
  const secret = createSecret(livemode);
  return { key: await keys.create({ ...scope, hash: hashSecret(secret) }), secret };
}
