/** The store's contract for API keys: creating, listing and ending them, and finding one by the hash of its secret. */
import type { NewKey, StoredKey } from '../../core/objects/api-key.ts';

export {
  type NewKey,
  type Permission,
  permissions,
  type StoredKey,
} from '../../core/objects/api-key.ts';

/** Changes to an existing key. One that has ended stays as it is. */
export type KeyChange = { readonly unique_identifier: string } & (
  | { readonly does: 'revoke' | 'suspend' | 'resume' }
  /** The time at which it ends, in milliseconds since 1970, unless it already ends sooner. */
  | { readonly does: 'expire'; readonly at: number }
  | ({ readonly does: 'grant' } & Pick<NewKey, 'permissions' | 'allow'>)
  | ({ readonly does: 'rename' } & Pick<NewKey, 'name'>)
);

/** The result of looking up the hash of a secret. */
export type KeyLookup =
  /** It may be used now; `accounts` are those that are open. */
  | { readonly is: 'valid'; readonly key: StoredKey }
  /** It exists and may not be used now, for the first of these reasons. */
  | { readonly is: 'revoked' | 'expired' | 'suspended' | 'account_closed'; readonly key: StoredKey }
  | { readonly is: 'unknown' };

/** Finds the key of a request: each store by a statement of its own, since every request waits for it. */
export interface KeyFinder {
  /** The key with that hash, and whether it may be used. The same work is done whether or not there is such a key. */
  authenticate(hash: Uint8Array): Promise<KeyLookup>;
  /** The key with that unique identifier, and whether it may be used. */
  find(unique_identifier: string): Promise<KeyLookup>;
}
