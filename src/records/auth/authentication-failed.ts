/** Why a key was not accepted. The operator always learns it, a caller only with the whole secret. */
import { ApiError, catalogue, type ErrorCode } from '../../core/errors.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import type { KeyLookup, StoredKey } from '../../store/promises/keys.ts';
import { endingOf, isWhole } from './api-key.ts';
import { describeMissingKey, type RawCredentials, whyNoSecret } from './missing-key.ts';

/**
 * `absent`: no `Authorization` header. `malformed`: it has no key, or one with missing or changed characters.
 * `unknown`: no key of this store. The rest are faults of existing keys.
 */
export type AuthenticationFault = 'absent' | 'malformed' | 'unknown' | KeyFault;

/** Why an existing key is refused. */
type KeyFault = 'address_not_permitted' | Exclude<KeyLookup['is'], 'valid' | 'unknown'>;

/** An existing key with which a request was refused. */
export type RefusedKey = Pick<StoredKey, 'unique_identifier' | 'accounts'>;

export class AuthenticationFailed extends ApiError {
  readonly why: AuthenticationFault;
  readonly key: RefusedKey | undefined;

  constructor(why: AuthenticationFault, code: ErrorCode, message: string, key?: RefusedKey) {
    super(code, {
      message,
      headers: { 'WWW-Authenticate': 'Basic realm="Ledgerstone", charset="UTF-8"' },
    });
    this.why = why;
    this.key = key;
  }
}

/** The error for a request without a possible secret. */
export function keyMissing(sent: RawCredentials): AuthenticationFailed {
  const why = sent.headers.authorization === undefined ? 'absent' : 'malformed';
  return missing(why, describeMissingKey(sent));
}

/** The error for a secret of no key. */
export function keyUnknown(secret: string): AuthenticationFailed {
  const arrived = whyNoSecret(secret);
  if (arrived !== undefined) return missing('malformed', arrived);
  const whole = isWhole(secret);
  const advice = whole
    ? 'Check that it was made for this service.'
    : 'Some of its characters were changed on the way: copy it again.';
  return new AuthenticationFailed(
    whole ? 'unknown' : 'malformed',
    'api_key_unknown',
    `The key that you sent, which ends in ${endingOf(secret)}, is unknown here. ${advice}`,
  );
}

/** The error for the right secret of a key that does not work. */
export function keyRefused(why: KeyFault, key: StoredKey): AuthenticationFailed {
  const [code, says] = SAID[why];
  const when = key.expires_at === null ? '' : ` at ${presentTime(key.expires_at)}`;
  const message = `The key that ends in ${key.ending} ${says.replace('{when}', when)}`;
  return new AuthenticationFailed(why, code, message, key);
}

const SAID: { readonly [fault in KeyFault]: readonly [code: ErrorCode, says: string] } = {
  expired: ['api_key_expired', 'expired{when}. Ask the operator for a new one.'],
  suspended: ['api_key_suspended', 'is suspended. Ask the operator to resume it.'],
  revoked: ['api_key_revoked', 'was revoked for good. Ask the operator for a new one.'],
  address_not_permitted: [
    'api_key_address',
    'does not work from your address. Send from an address that it is meant for, or ask the operator to allow yours.',
  ],
  account_closed: ['authentication_failed', 'is for an account that is closed. Ask the operator.'],
};

function missing(why: AuthenticationFault, arrived: string): AuthenticationFailed {
  return new AuthenticationFailed(
    why,
    'api_key_missing',
    `${arrived} ${catalogue.api_key_missing.message}`,
  );
}
