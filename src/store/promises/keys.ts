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
);

/** The result of looking up the hash of a secret. */
export type KeyLookup =
  /** It may be used now; `accounts` are those that are open. */
  | { readonly is: 'valid'; readonly key: StoredKey }
  /** It exists and may not be used now, for the first of these reasons. */
  | { readonly is: 'revoked' | 'expired' | 'suspended' | 'account_closed'; readonly key: StoredKey }
  | { readonly is: 'unknown' };

export interface KeyRing {
  /** Throws a `RangeError` that says why if there are no accounts, an unknown one, or both live and test ones. */
  create(key: NewKey): Promise<StoredKey>;
  /**
   * Creates all keys, in their order, or none, and makes the changes in the same commit. Throws like `create` and
   * `changeAll`.
   */
  createAll(keys: readonly NewKey[], changes?: readonly KeyChange[]): Promise<readonly StoredKey[]>;
  /** Makes all changes, or none, and returns the keys in their order. Throws a `RangeError` if a key does not exist. */
  changeAll(changes: readonly KeyChange[]): Promise<readonly StoredKey[]>;
  /** All keys, the newest first. */
  list(): Promise<readonly StoredKey[]>;
  /** Revoking twice changes nothing. `undefined` when the key does not exist. */
  revoke(unique_identifier: string): Promise<StoredKey | undefined>;
  /**
   * Stops a key from working until it is resumed. Suspending twice changes nothing. `undefined` when the key does not
   * exist.
   */
  suspend(unique_identifier: string): Promise<StoredKey | undefined>;
  /** Lets a suspended key work again, unless it ended meanwhile. `undefined` when the key does not exist. */
  resume(unique_identifier: string): Promise<StoredKey | undefined>;
  /** Ends a key at a time (milliseconds since 1970), unless it already ends sooner. */
  expire(unique_identifier: string, at: number): Promise<StoredKey | undefined>;
  /** Reduces a key's scope to a part of it; `undefined`: removes the key without a trace. */
  limit(
    unique_identifier: string,
    scope: Pick<StoredKey, 'accounts' | 'anchors'> | undefined,
  ): Promise<void>;
  /**
   * The key with that hash, and whether it may be used. The same work is done
   * whether or not there is such a key.
   */
  authenticate(hash: Uint8Array): Promise<KeyLookup>;
  /** The key with that unique identifier, and whether it may be used. */
  find(unique_identifier: string): Promise<KeyLookup>;
  /** Notes when keys were last used: times by unique identifier. */
  touch(used: ReadonlyMap<string, number>): Promise<void>;
}
