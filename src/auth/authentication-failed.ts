/** Why nobody was let in: the caller gets one answer for all of it, and the operator is told. */
import { ApiError } from '../errors.ts';
import type { FoundKey, StoredKey } from '../store/keys.ts';

/**
 * `absent`: no `Authorization` header. `malformed`: it holds no key, or one with
 * characters missing or changed. `unknown`: no key of this store. The rest are
 * what is the matter with a key that is there.
 */
export type AuthenticationFault =
  | 'absent'
  | 'malformed'
  | 'address_not_permitted'
  | Exclude<FoundKey['is'], 'valid'>;

/** A key that was shown and not taken. */
export type RefusedKey = Pick<StoredKey, 'unique_identifier' | 'accounts'>;

export class AuthenticationFailed extends ApiError {
  readonly why: AuthenticationFault;
  readonly key: RefusedKey | undefined;

  constructor(why: AuthenticationFault, key?: RefusedKey) {
    super('authentication_failed', {
      headers: { 'WWW-Authenticate': 'Basic realm="Ledgerstone", charset="UTF-8"' },
    });
    this.why = why;
    this.key = key;
  }
}
