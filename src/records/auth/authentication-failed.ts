/** Why a key was not accepted. The operator always learns it, a caller only with the whole secret. */
import { ApiError, catalogue, type ErrorCode } from '../../core/errors.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import type { KeyLookup, StoredKey } from '../../store/promises/keys.ts';
import { endingOf, isWhole, SECRET_CHARACTERS } from './api-key.ts';

/** The parts of a request that may hold a key, rightly or wrongly; Node's `IncomingMessage` is one. */
export interface RawCredentials {
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly 'x-api-key'?: string | string[] | undefined;
    readonly 'access-control-request-method'?: string | undefined;
  };
  readonly url?: string | undefined;
}

const SECRET = 'a secret begins with sk_live_ or sk_test_';

/** Why the `Authorization` header has no secret. Repeats nothing of the header. */
function describeMissingKey({ headers, url = '' }: RawCredentials): string {
  const { authorization = '' } = headers;
  if (authorization.trim() === '') {
    const [query] = /(?<=[?&])(?:api_?key|access_token)(?==)/i.exec(url) ?? [];
    if (headers['x-api-key'] !== undefined) return 'The header X-Api-Key is not read.';
    if (query !== undefined) return `The parameter ${query} in the query is not read.`;
    if (headers['access-control-request-method'] !== undefined)
      return 'A browser asks whether a page of another origin may call the service: the operator allows that with CORS_ORIGINS. A key in a page is known to all who open it.';
    return 'The request has no Authorization header.';
  }
  const [, scheme = '', credentials = ''] = /^(\S+)\s*(.*)$/.exec(authorization.trim()) ?? [];
  if (/^bearer$/i.test(scheme))
    return credentials === ''
      ? 'There is nothing after Bearer: is the variable with the key set?'
      : 'There is more than a key after Bearer.';
  if (!/^basic$/i.test(scheme))
    return 'The Authorization header begins with neither Basic nor Bearer.';
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0 || credentials.startsWith('sk_'))
    return 'What follows Basic is not the base64 of the key and a colon.';
  if (colon > 0) return 'There is a password, and it must be empty.';
  return text === ':'
    ? 'The username is empty: is the variable with the key set?'
    : 'There is a password and no username: the key was sent as the password.';
}

/** Why a text cannot be a secret; `undefined`: it may be one. */
function whyNoSecret(text: string): string | undefined {
  if (text.startsWith('key_')) return `This is the identifier of a key: ${SECRET}.`;
  if (!/^sk_(?:live|test)_/.test(text)) return `This is not an API key: ${SECRET}.`;
  if (text.length >= SECRET_CHARACTERS) return undefined;
  return `The key was cut off: ${text.length} of its ${SECRET_CHARACTERS} characters arrived.`;
}

/**
 * `absent`: no `Authorization` header. `malformed`: it has no key, or one with missing or changed characters.
 * `unknown`: no key of this store. The rest are faults of existing keys.
 */
export type AuthenticationFault = 'absent' | 'malformed' | 'unknown' | KeyFault;

type KeyFault = 'address_not_permitted' | Exclude<KeyLookup['is'], 'valid' | 'unknown'>;

export type RefusedKey = Pick<StoredKey, 'unique_identifier' | 'accounts'>;

export class AuthenticationFailed extends ApiError {
  readonly why: AuthenticationFault;
  readonly key: RefusedKey | undefined;

  constructor(why: AuthenticationFault, code: ErrorCode, message: string, key?: RefusedKey) {
    const headers = { 'WWW-Authenticate': 'Basic realm="Ledgerstone", charset="UTF-8"' };
    super(code, { message, headers });
    this.why = why;
    this.key = key;
  }
}

export function keyMissing(sent: RawCredentials): AuthenticationFailed {
  const why = sent.headers.authorization === undefined ? 'absent' : 'malformed';
  return missing(why, describeMissingKey(sent));
}

export function keyUnknown(secret: string): AuthenticationFailed {
  const arrived = whyNoSecret(secret);
  if (arrived !== undefined) return missing('malformed', arrived);
  const whole = isWhole(secret);
  const advice = whole
    ? 'Check that it was made for this service.'
    : 'Some of its characters were changed on the way: copy it again.';
  const message = `The key that you sent, which ends in ${endingOf(secret)}, is unknown here. ${advice}`;
  return new AuthenticationFailed(whole ? 'unknown' : 'malformed', 'api_key_unknown', message);
}

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
  const message = `${arrived} ${catalogue.api_key_missing.message}`;
  return new AuthenticationFailed(why, 'api_key_missing', message);
}
