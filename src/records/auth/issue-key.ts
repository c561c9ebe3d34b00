/** Creates keys: the only time when a secret is in plain text. */

import { apiKey, type NewKey, permissions, type StoredKey } from '../../core/objects/api-key.ts';
import type { KeyRing } from '../../store/books/keys.ts';
import { createSecret, endingOf, hashSecret } from './api-key.ts';

export interface IssuedKey {
  readonly key: StoredKey;
  /** To be shown once: only its hash is stored. */
  readonly secret: string;
}

/** The grant of a new key: its accounts, and its other limits. */
export type Grant = Pick<NewKey, 'accounts'> & Partial<Omit<NewKey, 'hash' | 'ending'>>;

/** The default grant: all permissions on records, without an end. */
const UNLIMITED: Omit<NewKey, 'hash' | 'ending' | 'accounts'> = {
  ...apiKey.nulls,
  permissions,
  allow: [],
};

/** The key with that secret, if it works. */
export async function findKey(keys: KeyRing, secret: string): Promise<StoredKey | undefined> {
  const found = await keys.authenticate(hashSecret(secret));
  return found.is === 'valid' ? found.key : undefined;
}

/** A new key, live or test as its accounts are. */
export async function issueKey(keys: KeyRing, livemode: boolean, grant: Grant): Promise<IssuedKey> {
  const { secret, newKey } = prepareKey(livemode, grant);
  return { key: await keys.create(newKey), secret };
}

/** A key to be created, with its secret. */
export function prepareKey(
  livemode: boolean,
  grant: Grant,
): { readonly secret: string; readonly newKey: NewKey } {
  const secret = createSecret(livemode);
  return {
    secret,
    newKey: { ...UNLIMITED, ...grant, hash: hashSecret(secret), ending: endingOf(secret) },
  };
}
